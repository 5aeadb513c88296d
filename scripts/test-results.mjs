/** Counts what the test runners report. What cannot be counted counts as failed. */
import { readFileSync } from "node:fs";

/**
 * A runner that left no report, or one without tests, or that failed although none of its tests did (an error
 * outside of a test, a crash), is one failure more.
 */
export function countRun(reportFile, exitCode, countReport) {
  const counts = countReport(readReport(reportFile));
  const ranNothing = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (ranNothing || exitCode !== 0)) counts.failed = 1;
  return counts;
}

/** Vitest's JSON. A file that could not be loaded has no tests, and is one failure. */
export function countVitest(report) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report?.testResults ?? []) {
    for (const { status } of file.assertionResults) {
      if (status === "passed" || status === "failed") counts[status] += 1;
      else counts.skipped += 1;
    }
    if (file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"))
      counts.failed += 1;
  }
  return counts;
}

/** Playwright's JSON. A test that passed only when tried again did not hold. */
export function countPlaywright(report) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  return { passed: expected, failed: unexpected + flaky, skipped };
}

export function sum(runs) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const run of runs) for (const name of Object.keys(total)) total[name] += run[name];
  return total;
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
