import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  countPlaywright,
  countRun,
  countVitest,
  failuresOf,
  skippedFiles,
  sum,
  summary,
} from "./test-results.mjs";

const folder = mkdtempSync(join(tmpdir(), "weir-results-"));
afterAll(() => rmSync(folder, { recursive: true }));

function report(content: unknown) {
  const file = join(folder, `${Math.random()}.json`);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const vitestFile = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe("the count of Vitest's tests", () => {
  it.each([
    ["all pass", 0, [vitestFile("passed", "passed", "passed")], "2 passed, 0 failed"],
    ["one fails", 1, [vitestFile("failed", "passed", "failed")], "1 passed, 1 failed"],
    [
      "skipped ones do not pass",
      0,
      [vitestFile("passed", "passed", "pending", "todo")],
      "1 passed, 0 failed, 2 skipped",
    ],
    [
      "a file that does not load is a failure",
      1,
      [vitestFile("failed"), vitestFile("failed", "failed")],
      "0 passed, 2 failed",
    ],
    ["an error outside of the tests is a failure", 1, [vitestFile("passed", "passed")], "1 passed, 1 failed"],
    ["no tests are a failure", 0, [], "0 passed, 1 failed"],
    [
      "only skipped tests are a failure",
      0,
      [vitestFile("passed", "pending")],
      "0 passed, 1 failed, 1 skipped",
    ],
  ])("%s", (_title, exitCode, testResults, line) => {
    expect(summary(countRun(report({ testResults }), exitCode, countVitest))).toBe(line);
  });
});

describe("the count of Playwright's tests", () => {
  it.each([
    ["all pass", 0, { expected: 3, unexpected: 0, flaky: 0, skipped: 1 }, "3 passed, 0 failed, 1 skipped"],
    [
      "a flaky one is a failure",
      0,
      { expected: 2, unexpected: 1, flaky: 1, skipped: 0 },
      "2 passed, 2 failed",
    ],
    ["no tests are a failure", 1, { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, "0 passed, 1 failed"],
  ])("%s", (_title, exitCode, stats, line) => {
    expect(summary(countRun(report({ stats }), exitCode, countPlaywright))).toBe(line);
  });
});

describe("a runner that crashed", () => {
  it.each([countVitest, countPlaywright])("is a failure without a report, by %o", (count) => {
    expect(countRun(join(folder, "absent.json"), 139, count)).toMatchObject({ passed: 0, failed: 1 });
  });

  it.each([countVitest, countPlaywright])("is a failure with half a report, by %o", (count) => {
    expect(countRun(report('{"testResults": [{'), 139, count)).toMatchObject({ passed: 0, failed: 1 });
  });
});

it("adds the runners' counts", () => {
  const total = sum([
    { passed: 2, failed: 0, skipped: 1, failures: [], skippedFiles: [] },
    { passed: 3, failed: 1, skipped: 0, failures: ["a.test.ts: adds"], skippedFiles: [] },
  ]);
  expect(summary(total)).toBe("5 passed, 1 failed, 1 skipped");
  expect(failuresOf(total)).toContain("a.test.ts: adds");
});

it("counts each skipped file as one skipped test, and keeps its name", () => {
  const total = sum([skippedFiles(["a.test.ts", "b.test.ts"]), skippedFiles([])]);
  expect(summary(total)).toBe("0 passed, 0 failed, 2 skipped");
  expect(total.skippedFiles).toEqual(["a.test.ts", "b.test.ts"]);
});

describe("the last lines", () => {
  it("name failures by Vitest's file and test, with the error", () => {
    const assertionResults = [
      { status: "passed", fullName: "it holds" },
      { status: "failed", fullName: "it breaks", failureMessages: ["AssertionError: 1 is not 2\n\n  at x"] },
    ];
    const testResults = [
      { name: "a.test.ts", status: "failed", assertionResults },
      { name: "b.test.ts", status: "failed", message: "Cannot find module", assertionResults: [] },
    ];
    expect(failuresOf(countRun(report({ testResults }), 1, countVitest))).toBe(
      "\nFailed:\n  a.test.ts: it breaks\n    AssertionError: 1 is not 2\n      at x\n  b.test.ts\n    Cannot find module\n",
    );
  });

  it("name failures by Playwright's file, project and test", () => {
    const failed = { projectName: "without-javascript", status: "unexpected" };
    const specs = [
      { file: "x.spec.ts", title: "holds", tests: [{ ...failed, status: "expected", results: [] }] },
      {
        file: "x.spec.ts",
        title: "breaks",
        tests: [{ ...failed, results: [{ errors: [{ message: "\u001b[31mTimed out\u001b[39m" }] }] }],
      },
    ];
    const suites = [{ suites: [{ specs }] }];
    const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 };
    expect(failuresOf(countRun(report({ stats, suites }), 1, countPlaywright))).toBe(
      "\nFailed:\n  x.spec.ts: without-javascript: breaks\n    Timed out\n",
    );
  });

  it("name the report of a runner that crashed", () => {
    expect(failuresOf(countRun(join(folder, "absent.json"), 139, countVitest))).toContain("ended with 139");
  });

  it("are absent after a run without a failure", () => {
    expect(failuresOf(sum([countRun(report({ testResults: [] }), 0, () => sum([]))]))).toContain(
      "ended with 0",
    );
    expect(failuresOf(sum([]))).toBe("");
  });
});
