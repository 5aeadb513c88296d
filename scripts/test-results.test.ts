import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { countPlaywright, countRun, countVitest, sum, summary } from "./test-results.mjs";

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
    { passed: 2, failed: 0, skipped: 1 },
    { passed: 3, failed: 1, skipped: 0 },
  ]);
  expect(summary(total)).toBe("5 passed, 1 failed, 1 skipped");
});
