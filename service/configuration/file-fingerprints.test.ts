import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/database.ts";
import { fingerprintOf, isBeingReplaced, isSame } from "./file-fingerprints.ts";

test("compares the content of a young file, and only the metadata of an old one", async () => {
  const file = join(temporaryFolder(), "limiter.json");
  writeFileSync(file, "one");
  const { mtimeMs } = statSync(file);
  const young = await fingerprintOf(file, mtimeMs + 1_000);
  const old = await fingerprintOf(file, mtimeMs + 10_000);
  expect(young.hash).toBeTypeOf("string");
  expect(old.hash).toBeUndefined();
  expect(isSame(young, old)).toBe(true);
  writeFileSync(file, "two");
  const { hash = "" } = await fingerprintOf(file, mtimeMs + 1_000);
  // As where times are in whole seconds.
  expect(isSame(young, { marks: young.marks, hash })).toBe(false);
  expect(isSame(old, await fingerprintOf(file, mtimeMs + 10_000))).toBe(false);
});

test("distinguishes a file that is gone from one that exists, and from one that cannot be read", async () => {
  const folder = temporaryFolder();
  const gone = await fingerprintOf(join(folder, "gone.txt"), 0);
  const noFolder = await fingerprintOf(join(folder, "gone.txt", "file.txt"), 0);
  writeFileSync(join(folder, "file"), "");
  const notAFolder = await fingerprintOf(join(folder, "file", "file.txt"), 0);
  expect(gone).toEqual({ marks: "gone" });
  expect(isSame(gone, noFolder)).toBe(true);
  expect(isSame(gone, notAFolder)).toBe(false);
});

test.each(["empty", "gone"])("takes a file that is %s for one that is being replaced", async (state) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "empty"), "");
  writeFileSync(join(folder, "whole"), "{}");
  const fingerprints = async (name: string) =>
    new Map([[name, await fingerprintOf(join(folder, name), Date.now())]]);
  expect(isBeingReplaced(await fingerprints(state))).toBe(true);
  expect(isBeingReplaced(await fingerprints("whole"))).toBe(false);
});
