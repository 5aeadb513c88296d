/** The code blocks of the documents, and places where they run as they are printed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { childEnvironment } from "./child-process.ts";
import { temporaryFolder } from "./database.ts";

export interface Snippet {
  /** `docs/service.md:40 json`. */
  name: string;
  language: string;
  code: string;
}

const documents = globSync(["*.md", "docs/**/*.md", "lib/limiter/*.md"]).sort();

/** All blocks of all documents. */
export const snippets: readonly Snippet[] = documents.flatMap((file) => {
  const source = readFileSync(file, "utf8");
  return [...source.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(
    ({ index, 1: language = "", 2: code = "" }) => {
      const line = source.slice(0, index).split("\n").length;
      return { name: `${file}:${line} ${language}`, language, code };
    },
  );
});

/** The code of the one block of a document that contains a text. */
export function snippet(file: string, containing: string): string {
  const found = snippets.filter(({ name, code }) => name.startsWith(`${file}:`) && code.includes(containing));
  expect(found, `blocks of ${file} with ${containing}`).toHaveLength(1);
  return found[0]?.code ?? "";
}

export interface ProcessResult {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs a program to its end. */
export async function run(
  program: string,
  args: readonly string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<ProcessResult> {
  const child = spawn(program, args, {
    cwd,
    env: childEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, output, errors };
}

/** The addresses in a test that replace those in the documents. */
export interface Addresses {
  zmq?: string;
  redis?: string;
}

/**
 * Runs a JavaScript or TypeScript block in a project of its own.
 * `after` is appended to it. Resolves to its output.
 * The packages there are the real ones, but connect to these addresses in place of the documents'.
 */
export async function runModule(
  code: string,
  { after = "", addresses = {}, args = [], env = {} }: ModuleSettings = {},
): Promise<string> {
  const project = temporaryFolder();
  writeFileSync(join(project, "package.json"), '{"type": "module"}');
  symlinkSync(resolve("lib"), join(project, "lib"));
  symlinkSync(resolve("lib/limiter/index.ts"), join(project, "index.ts"));
  for (const [name, modules] of Object.entries(packages(addresses))) {
    const folder = join(project, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    const exports = Object.fromEntries(
      Object.keys(modules).map((file) => [file === "index" ? "." : `./${file}`, `./${file}.js`]),
    );
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module", exports }));
    for (const [file, source] of Object.entries(modules)) writeFileSync(join(folder, `${file}.js`), source);
  }
  const file = join(project, "snippet.ts");
  writeFileSync(file, `${code}\n${after}`);
  const { code: exit, output, errors } = await run(process.execPath, [file, ...args], { cwd: project, env });
  expect({ exit, errors }).toEqual({ exit: 0, errors: "" });
  return output;
}

interface ModuleSettings {
  after?: string;
  addresses?: Addresses;
  args?: readonly string[];
  env?: Record<string, string>;
}

function packages({ zmq, redis }: Addresses): Record<string, Record<string, string>> {
  const require = createRequire(import.meta.url);
  const from = (path: string) => JSON.stringify(pathToFileURL(resolve(path)).href);
  const installed = (name: string) => from(require.resolve(name));
  const own = (name: string) => `export * from ${from(`lib/limiter/${name}.ts`)};`;
  return {
    "weir-limiter": { index: own("index"), redis: own("redis"), client: own("client") },
    zeromq: {
      index: `import * as all from ${installed("zeromq")};
export * from ${installed("zeromq")};
export class Dealer extends all.Dealer {
  connect(address) {
    super.connect(address === "tcp://127.0.0.1:7777" ? ${JSON.stringify(zmq)} : address);
  }
}`,
    },
    ioredis: {
      index: `import * as all from ${installed("ioredis")};
export * from ${installed("ioredis")};
export class Redis extends all.Redis {
  constructor(url, options) {
    super(url === "redis://127.0.0.1:6379" ? ${JSON.stringify(redis)} : url, options);
  }
}`,
    },
  };
}

/**
 * Runs a block in sh.
 * Its curl finds these hosts and ports at other ports of this machine.
 */
export function runShell(
  code: string,
  { ports = {}, env = {} }: { ports?: Record<string, string>; env?: Record<string, string> } = {},
): Promise<ProcessResult> {
  const folder = temporaryFolder();
  const routes = Object.entries(ports).map(([from, port]) => `connect-to = "${from}:127.0.0.1:${port}"`);
  // The certificate is the test's own.
  writeFileSync(join(folder, ".curlrc"), ["silent", "insecure", ...routes, ""].join("\n"));
  return run("sh", ["-e", "-c", code], { env: { ...env, CURL_HOME: folder }, cwd: folder });
}
