/**
 * Counts the test runners' results, and names the failures.
 * Results that cannot be counted count as failed.
 */
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/**
 * Counts an additional failure for a runner that left no report.
 * Also counts one for a runner without tests, and for one that failed although no test did (an error outside a test, a
 * crash).
 */
export function countRun(reportFile, exitCode, countReport) {
  const counts = countReport(readReport(reportFile));
  const ranNothing = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (ranNothing || exitCode !== 0)) {
    counts.failed = 1;
    counts.failures.push(`${reportFile}: the runner ended with ${exitCode}, and none of its tests shows why`);
  }
  return counts;
}

/** Vitest's JSON. A file that could not be loaded has no tests, and is one failure. */
export function countVitest(report) {
  const counts = none();
  for (const file of report?.testResults ?? []) {
    for (const { status, fullName, failureMessages = [] } of file.assertionResults) {
      if (status === "passed" || status === "failed") counts[status] += 1;
      else counts.skipped += 1;
      if (status === "failed") counts.failures.push(failure(`${file.name}: ${fullName}`, failureMessages));
    }
    if (file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed")) {
      counts.failed += 1;
      counts.failures.push(failure(file.name, [file.message]));
    }
  }
  return counts;
}

/** Playwright's JSON. A test that passed only when tried again did not hold. */
export function countPlaywright(report) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  const failures = specsIn(report).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ projectName, results }) =>
        failure(
          `${file}: ${projectName}: ${title}`,
          results.flatMap(({ errors = [] }) => errors.map(({ message }) => message)),
        ),
      ),
  );
  return { ...none(), passed: expected, failed: unexpected + flaky, skipped, failures };
}

function specsIn({ specs = [], suites = [] } = {}) {
  return [...specs, ...suites.flatMap(specsIn)];
}

/** Files that were not run, each counted as one skipped test. */
export function skippedFiles(files) {
  return { ...none(), skipped: files.length, skippedFiles: files };
}

export function sum(runs) {
  const total = none();
  for (const run of runs) {
    for (const name of ["passed", "failed", "skipped"]) total[name] += run[name];
    total.failures.push(...run.failures);
    total.skippedFiles.push(...run.skippedFiles);
  }
  return total;
}

function none() {
  return { passed: 0, failed: 0, skipped: 0, failures: [], skippedFiles: [] };
}

const shownLines = 12;

/** A test's name, and below it the beginning of its error. */
function failure(name, messages) {
  const lines = stripVTControlCharacters(messages.join("\n"))
    .split("\n")
    .filter((line) => line.trim() !== "");
  return [name, ...lines.slice(0, shownLines).map((line) => `    ${line}`)].join("\n");
}

/**
 * The failures, each with its beginning.
 * Repeated last, since the runners' own output is far above by then.
 */
export function failuresOf({ failures }) {
  return failures.length === 0 ? "" : `\nFailed:\n${failures.map((each) => `  ${each}`).join("\n")}\n`;
}

export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
