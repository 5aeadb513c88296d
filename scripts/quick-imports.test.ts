import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const entries = ["drizzle-orm", "drizzle-orm/sqlite-core", "drizzle-orm/pg-core", "drizzle-orm/pg-proxy"];
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
  console.log(JSON.stringify(loaded));
`;

function modulesLoaded(options: readonly string[]): unknown {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const args = [...options, "--input-type=module", "--eval", program];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: "utf8" }));
}

test("loads the same modules as Node.js by itself", () => {
  const modules = modulesLoaded([]);
  expect(modules).toHaveProperty("length", expect.closeTo(144, -2));
  expect(modulesLoaded(["--import", "./scripts/quick-imports.mjs"])).toEqual(modules);
});
