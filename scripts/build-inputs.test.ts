import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashBuildInputs, isBuildInput, listBuildInputs } from "./build-inputs.mjs";

let root: string;
let before: string;

function write(path: string, content: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "weir-inputs-"));
  write("package-lock.json", "{}");
  write("next.config.ts", "export default {}");
  write("app/posts/page.tsx", "one");
  before = hashBuildInputs(root);
});

afterEach(() => rmSync(root, { recursive: true }));

describe("the app is built again", () => {
  it.each([
    "app/posts/page.tsx",
    "app/globals.css",
    "lib/score.ts",
    "db/migrations/sqlite/0001.sql",
    "public/icon.svg",
    "package-lock.json",
    "next.config.ts",
    "postcss.config.mjs",
    "tsconfig.json",
    "instrumentation.ts",
    "instrumentation-client.ts",
  ])("when %s changes", (path) => {
    write(path, "two");
    expect(hashBuildInputs(root)).not.toBe(before);
  });

  it("when a file goes", () => {
    rmSync(join(root, "app/posts/page.tsx"));
    expect(hashBuildInputs(root)).not.toBe(before);
  });

  it("when a file moves", () => {
    renameSync(join(root, "app/posts/page.tsx"), join(root, "app/page.tsx"));
    expect(hashBuildInputs(root)).not.toBe(before);
  });
});

describe("the app is not built again", () => {
  it.each([
    "README.md",
    "start.log",
    ".env",
    "data/weir.db",
    "e2e/rate.spec.ts",
    "bench/store.ts",
    "docs/decisions/1.md",
    "scripts/start.mjs",
    "app/posts/page.test.tsx",
    "lib/limiter/dist/index.js",
    "vitest.config.ts",
    ".next/BUILD_ID",
  ])("when %s changes", (path) => {
    write(path, "two");
    expect(hashBuildInputs(root)).toBe(before);
  });
});

it("no build input imports a file that is not one itself", () => {
  const inputs = listBuildInputs().filter((path) => /\.(tsx?|mjs)$/.test(path));
  const imported = inputs.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/(?:from|import|import\() ?"((?:\.\.?|@)\/[^"]+)"/g)].map(
      ([, name = ""]) => (name.startsWith("@/") ? name.slice(2) : posix.join(posix.dirname(path), name)),
    ),
  );
  expect(imported.length).toBeGreaterThan(0);
  // The lock file, which is one, stands for the packages' files.
  const own = imported.filter((path) => !path.startsWith("node_modules/"));
  expect(own.filter((path) => !isBuildInput(path) && !isBuildInput(`${path}.ts`))).toEqual([]);
  expect(isBuildInput("package-lock.json")).toBe(true);
});
