/**
 * The Node.js that runs everything but these scripts.
 * The one that comes with the packages where there is one for this system, or else the system's own. better-sqlite3
 * crashes on an old one, without a message.
 */
import { existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "./run-child.mjs";
import { StepFailed } from "./step.mjs";

const bin = "node_modules/.bin";

const resolveHook = `--import=${new URL("./drizzle-resolve-hook.mjs", import.meta.url).href}`;

/** Where Node.js keeps compiled code for the next start. */
export const compileCache = fileURLToPath(new URL("../.cache/compiled", import.meta.url));

/**
 * Runs one of the packages' programs, or a script of ours, on that Node.js.
 * See `runChild`.
 */
export function runNode(args, { env = {}, ...options } = {}) {
  return runChild(nodePath(), ["--import", "./scripts/stop-with-parent.mjs", ...args], {
    env: environment(env),
    ...options,
  });
}

/**
 * This process's environment with the packages' programs on the path.
 * They come first, and that Node.js is among them. Its own children, such as the build's, also start quickly.
 */
function environment(changes) {
  const { NODE_OPTIONS: options = "", NODE_COMPILE_CACHE = compileCache } = process.env;
  return {
    ...process.env,
    NODE_OPTIONS: options.includes(resolveHook) ? options : `${options} ${resolveHook}`.trimStart(),
    NODE_COMPILE_CACHE,
    PATH: [resolve(bin), pathWithoutPackages()].join(delimiter),
    NEXT_TELEMETRY_DISABLED: "1",
    ...changes,
  };
}

/**
 * The path as it is outside of npm scripts.
 * npm itself must not run on a Node.js that it is replacing.
 */
export function pathWithoutPackages() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder)).join(delimiter);
}

function nodePath() {
  const packaged = resolve(bin, "node");
  if (existsSync(packaged)) return packaged;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new StepFailed(
    `Weir needs Node.js 22.12 or newer on ${process.platform} ${process.arch}; this is ${process.version}.`,
  );
}

export function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 12);
}
