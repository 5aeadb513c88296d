import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/database.ts";
import { filesIn, filesThatNeed, programs } from "./test-programs.mjs";

test("a test needs a program when it imports its finder, directly or through other files", () => {
  const tests = filesIn("lib/limiter/stores", ".test.ts");
  expect(tests).toContain("lib/limiter/stores/memory.test.ts");
  const needy = filesThatNeed([programs.redis], tests);
  expect(needy).toContain("lib/limiter/stores/redis.test.ts");
  expect(needy).not.toContain("lib/limiter/stores/memory.test.ts");
  expect(filesThatNeed([programs.nginx], tests)).toEqual([]);
  expect(filesThatNeed([], tests)).toEqual([]);
});

test("files are found below a folder, in order", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "b"));
  for (const name of ["b/c.test.ts", "a.test.ts", "a.ts"]) writeFileSync(join(folder, name), "");
  expect(filesIn(folder, ".test.ts")).toEqual(["a.test.ts", "b/c.test.ts"].map((name) => join(folder, name)));
});
