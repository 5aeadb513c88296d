import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { z } from "zod";
import { childEnvironment } from "../testing/child-process.ts";

/** All that the app imports. */
const entries = [
  "drizzle-orm",
  "drizzle-orm/better-sqlite3",
  "drizzle-orm/migrator",
  "drizzle-orm/pg-core",
  "drizzle-orm/pg-proxy",
  "drizzle-orm/sqlite-core",
  "drizzle-orm/sqlite-proxy",
];
/**
 * Counts the imports that reach Node.js.
 * Hooks registered later run first.
 */
const counting = `
  import module from "node:module";
  globalThis.resolved = 0;
  module.registerHooks({
    resolve(specifier, context, next) {
      if (context.parentURL?.includes("/node_modules/drizzle-orm/")) globalThis.resolved += 1;
      return next(specifier, context);
    },
  });
`;
const program = `
  import module from "node:module";
  const loaded = [];
  module.registerHooks({
    load(url, context, next) {
      loaded.push([url, context.format]);
      return next(url, context);
    },
  });
  for (const entry of ${JSON.stringify(entries)}) await import(entry);
  console.log(JSON.stringify({ loaded, resolved: globalThis.resolved }));
`;
const result = z.object({
  loaded: z.array(z.tuple([z.string(), z.string().nullable()])),
  resolved: z.number(),
});

/** The modules that the entries load, and how many imports Node.js has resolved. */
function load(...options: string[]) {
  const first = `--import=data:text/javascript,${encodeURIComponent(counting)}`;
  const args = [first, ...options, "--input-type=module", "--eval", program];
  return result.parse(
    JSON.parse(execFileSync(process.execPath, args, { env: childEnvironment(), encoding: "utf8" })),
  );
}

test("loads the same modules as Node.js by itself, which resolves none of their imports", () => {
  const alone = load();
  const hooked = load("--import=./scripts/drizzle-resolve-hook.mjs");
  expect(hooked.loaded).toEqual(alone.loaded);
  expect(alone.loaded.length).toBeGreaterThan(100);
  expect(alone.resolved).toBeGreaterThan(100);
  expect(hooked.resolved).toBeLessThan(10);
});
