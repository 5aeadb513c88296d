/** The layers of the source tree, checked on all imports, also of types. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { workerPrograms } from "../testing/worker-programs.ts";

const root = join(import.meta.dirname, "..");
const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)));
const known = new Set(sources);

/**
 * The modules that each file imports.
 * Paths in this repository, or names of packages.
 */
const imports = new Map(
  sources.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*["']([^"'\n]+)["']/g);
    return [file, [...found].map(([, specifier = ""]) => resolve(file, specifier))];
  }),
);

function resolve(from: string, specifier: string): string {
  if (!/^(\.|@\/)/.test(specifier)) return specifier;
  const path = specifier.startsWith("@/") ? specifier.slice(2) : join(dirname(from), specifier);
  return ["", ".ts", ".tsx", "/index.ts"].map((end) => path + end).find((each) => known.has(each)) ?? path;
}

/**
 * Tests, their configuration, and the programs and suites that only tests run.
 * Benchmarks, too: they start the servers of `testing/`, and no other file imports them.
 */
const isTest = (file: string) =>
  /\.(test|spec|contract)\.tsx?$|^(testing|e2e|bench)\/|\/contract|^playwright\.config\.ts$/.test(file);

function layerOf(file: string): string {
  if (file.startsWith("lib/limiter/")) return "lib/limiter";
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "root";
}

/**
 * The layers that each layer may import, besides itself.
 * `root` is the framework's entry points and configuration.
 */
const allowed: Record<string, readonly string[]> = {
  "lib/limiter": [],
  db: ["lib/limiter"],
  lib: ["db", "lib/limiter"],
  app: ["lib", "lib/limiter"],
  server: ["lib", "db", "lib/limiter"],
  service: ["lib/limiter"],
  root: ["lib", "server", "scripts", "db"],
  scripts: ["lib", "db", "service", "lib/limiter", "deploy"],
  deploy: [],
  docs: [],
};

/** The layers that tests of these folders may import: no route, and no benchmark. */
const allowedInTests: Record<string, readonly string[]> = {
  e2e: ["testing", "scripts", "lib", "db"],
  deploy: ["e2e", "testing", "scripts", "server", "lib", "db"],
  docs: ["testing", "scripts", "service", "lib"],
};

/** The files that the service, a separate program, shares with the app. */
const sharedWithService = [
  "db/error-code.ts",
  "db/failure.ts",
  "db/index.ts",
  "db/limiter-store.ts",
  "db/pruning.ts",
  "lib/api/openapi/parts.ts",
  "lib/http/",
  "lib/limits/policy-schema.ts",
  "lib/logging/",
  "lib/settings/redis-url.ts",
  "lib/validation.ts",
];

/** Programs that run without the packages of development, besides workers. */
const programs =
  /^(app|server|service)\/|^(instrumentation|next\.config|postcss\.config)\.|^scripts\/((start|build|operation|trim-packages)\.mjs|(migrate|backup|restore|copy|doctor|user|limiter|import|export|demo\/seed)\.ts)$/;
/** An import that remains when types are removed. */
const packageImport =
  /(?:^(?:import|export)\s+(?!type\b)[^"';]*?\bfrom\s*|^import\s*|\bimport\(\s*)"((?:@[\w.-]+\/)?[a-z][\w.-]*)[\w./-]*"/gm;

const edges = [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));
const productEdges = edges.filter(({ from }) => !isTest(from));
const written = (found: typeof edges) => found.map(({ from, to }) => `${from} imports ${to}`);

describe("layers", () => {
  test.each(Object.entries(allowed))("%s imports only the layers below it", (layer, below) => {
    const upward = productEdges.filter(
      ({ from, to }) =>
        layerOf(from) === layer &&
        known.has(to) &&
        ![layer, ...below].includes(layerOf(to)) &&
        !(layer === "service" && sharedWithService.some((path) => to.startsWith(path))),
    );
    expect(written(upward)).toEqual([]);
  });

  test.each(Object.entries(allowedInTests))("tests of %s import only these folders", (layer, below) => {
    const others = edges.filter(
      ({ from, to }) => layerOf(from) === layer && known.has(to) && ![layer, ...below].includes(layerOf(to)),
    );
    expect(written(others)).toEqual([]);
  });

  test("only db imports Drizzle", () => {
    const others = productEdges.filter(({ from, to }) => /^drizzle-orm/.test(to) && layerOf(from) !== "db");
    expect(written(others)).toEqual([]);
  });

  test("of the app and the commands, only these files read this machine's clock", () => {
    const reading = sources.filter(
      (file) =>
        ["app", "lib", "scripts"].includes(layerOf(file)) &&
        !isTest(file) &&
        !file.startsWith("lib/limiter/") &&
        /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(reading).toEqual([
      "app/posts/unsaved-text.tsx", // the browser, of its own copies
      "lib/time/current-time.ts", // before the database is open
      "scripts/demo/seed.ts", // a new SQLite file
      "scripts/restore.ts", // the name of the file that keeps the replaced database
      "scripts/run-child.mjs", // how long a child takes to stop
    ]);
  });

  test("only the worker and the import command parse Markdown", () => {
    const ofImport = (file: string) => file.startsWith("lib/import/");
    const importing = productEdges.filter(({ from, to }) => ofImport(to) && !ofImport(from));
    expect(new Set(importing.map(({ from }) => from))).toEqual(new Set(["scripts/import.ts"]));
    const others = productEdges.filter(
      ({ from, to }) =>
        (/^(unified|remark|rehype|micromark|mdast|unist)/.test(to) &&
          from !== "lib/markdown/render.ts" &&
          !ofImport(from)) ||
        (to === "lib/markdown/render.ts" && from !== "lib/markdown/worker.ts") ||
        to === "lib/markdown/worker.ts",
    );
    expect(written(others)).toEqual([]);
  });

  test("only one file loads the list of common passwords, which no browser gets", () => {
    const loading = productEdges.filter(({ to }) => to.startsWith("@zxcvbn-ts/"));
    expect(loading.map(({ from }) => from)).toEqual(["lib/users/weak-passwords.ts"]);
    const inBrowser = new Set(
      sources.filter((file) => /^\s*["']use client["']/.test(readFileSync(join(root, file), "utf8"))),
    );
    // A set's loop reaches files that are added meanwhile. A server action stays on the server.
    for (const file of inBrowser)
      for (const to of imports.get(file) ?? [])
        if (known.has(to) && !/^\s*["']use server["']/.test(readFileSync(join(root, to), "utf8")))
          inBrowser.add(to);
    expect(inBrowser).toContain("app/_components/form.tsx");
    expect(inBrowser).not.toContain("lib/users/weak-passwords.ts");
  });

  test("the repository imports the limiter's files, not its package, which must be built first", () => {
    const ofPackage = edges.filter(({ to }) => to === "lib/limiter" || /^weir-limiter/.test(to));
    expect(written(ofPackage.filter(({ from }) => from !== "lib/limiter/package.test.ts"))).toEqual([]);
  });

  test("only tests and benchmarks import testing and benchmarks", () => {
    const others = productEdges.filter(({ to }) => /^(testing|bench|e2e)\//.test(to));
    expect(written(others)).toEqual([]);
    const byName = sources.filter(
      (file) =>
        !isTest(file) &&
        file !== "scripts/bench.mjs" &&
        /["'](testing|bench|e2e)\/[\w/-]+\.(ts|mjs)["']/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(byName).toEqual([]);
  });

  test("a file of over 225 lines gives its reason in the first line", () => {
    const isExempt = (file: string) => isTest(file) || file.startsWith("lib/i18n/messages/");
    const silent = sources.filter((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return !isExempt(file) && text.split("\n").length > 226 && !text.startsWith("// Over 200 lines: ");
    });
    expect(silent).toEqual([]);
  });

  test("the lab is at the edge: only its pages import it", () => {
    const others = edges.filter(
      ({ from, to }) => to.startsWith("lib/lab/") && !/^(lib|app)\/lab\//.test(from),
    );
    expect(written(others)).toEqual([]);
  });

  test("no folder under app imports another route's private files", () => {
    const foreign = productEdges.filter(({ from, to }) => {
      const [here, there] = [`${dirname(from)}/`, `${dirname(to)}/`];
      const isNear = here.startsWith(there) || there.startsWith(`${here}_`);
      return from.startsWith("app/") && to.startsWith("app/") && !isNear && there !== "app/_components/";
    });
    expect(written(foreign)).toEqual([]);
  });

  test("there are no import cycles", () => {
    expect(cycles()).toEqual([]);
  });
});

/** Each cycle that a depth-first search meets, as its path. */
function cycles(): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const found: string[] = [];
  const visit = (file: string) => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) if (known.has(target)) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of known) visit(file);
  return found;
}

test("programs of production import only packages of production", () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const started = sources.filter((file) => programs.test(file) && !isTest(file));
  const files = new Set([...started, ...workerPrograms()]);
  for (const file of files)
    for (const target of imports.get(file) ?? []) if (known.has(target)) files.add(target);
  const imported = [...files].flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(packageImport)].map(([, name = ""]) => ({
      file,
      name,
    })),
  );
  expect(imported.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["next", "zeromq", "cli-progress"]),
  );
  expect(imported.filter(({ name }) => !(name in dependencies))).toEqual([]);
});

test("no server action puts a page for 403 in the place of its form", () => {
  const actions = sources.filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return /^"use server";/.test(text) && /\b(forbidden|unauthorized)\(\)/.test(text);
  });
  expect(actions).toEqual([]);
});

test("no two product files have types of one name", () => {
  const files = new Map<string, string[]>();
  for (const file of sources) {
    if (isTest(file) || !/^(app|lib|db|server|service|scripts)\//.test(file)) continue;
    const found = readFileSync(join(root, file), "utf8").matchAll(
      /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm,
    );
    for (const [, name = ""] of found) files.set(name, [...(files.get(name) ?? []), file]);
  }
  const twice = [...files].filter(([, { length }]) => length > 1);
  expect(twice).toEqual([]);
});
