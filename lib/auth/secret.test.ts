import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runChild } from "../../testing/child-process.ts";
import { temporaryFolder } from "../../testing/database.ts";
import { keptSecret } from "./secret.ts";

test("creates a long secret once, readable by its owner only, and leaves no other file", () => {
  const folder = join(temporaryFolder(), "data");
  const file = join(folder, "auth-secret");
  const secret = keptSecret(file);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(keptSecret(file)).toBe(secret);
  expect(readdirSync(folder)).toEqual(["auth-secret"]);
  expect(keptSecret(join(temporaryFolder(), "auth-secret"))).not.toBe(secret);
});

test("gives two processes that start at the same moment the same secret", async () => {
  const file = join(temporaryFolder(), "auth-secret");
  const child = join(import.meta.dirname, "../../testing/secret-child.ts");
  const barrierFolder = temporaryFolder();
  const children = [runChild(child, [file, barrierFolder]), runChild(child, [file, barrierFolder])];
  await Promise.all(children.map(({ ended }) => ended));
  const secret = readFileSync(file, "utf8");
  expect(children.map(({ lines }) => lines)).toEqual([[secret], [secret]]);
});

test("accepts a secret written by hand without its line end, and refuses one that is too short", () => {
  const file = join(temporaryFolder(), "auth-secret");
  writeFileSync(file, `${"s".repeat(32)}\n`);
  expect(keptSecret(file)).toBe("s".repeat(32));
  writeFileSync(file, "hush");
  expect(() => keptSecret(file)).toThrow(`The secret in ${file} is shorter than 32 characters`);
  expect(() => keptSecret(file)).not.toThrow("hush");
});

test("throws when the folder cannot hold a secret", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "data"), "a file");
  expect(() => keptSecret(join(folder, "data", "auth-secret"))).toThrow();
});
