/**
 * Installs packages of package-lock.json when they are missing.
 * `npm start` needs those that build and run the blog; tests, checks and benchmarks need all.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { exclusively } from "./exclusive.mjs";
import { pathWithoutPackages } from "./node-runtime.mjs";
import { runChild } from "./run-child.mjs";
import { StepFailed, step } from "./step.mjs";
import { isTrimmed } from "./trim-packages.mjs";

// Node.js itself is an optional package, so these flags hold whatever npm's settings are.
const npmCi = ["ci", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];

const lockWithAddresses = "npm-shrinkwrap.json";

/**
 * Installs those of production, or all.
 * Trimmed ones are enough to run a built app: `toBuild` replaces them.
 */
export async function installPackages({ production = false, toBuild = true } = {}) {
  if (isInstalled(production, toBuild)) return;
  await exclusively("install", async () => {
    if (isInstalled(production, toBuild)) return; // by the process that we waited for
    rmSync(lockWithAddresses, { force: true }); // of an install that was killed
    await step("Installing packages", async () => {
      const flag = production ? "--omit=dev" : "--include=dev";
      let { code, output } = await withAddresses(() => npm([...npmCi, flag]));
      // A registry may have other addresses.
      if (code !== 0) ({ code, output } = await npm([...npmCi, flag]));
      if (code !== 0)
        throw new StepFailed(`${output.trimEnd()}\nnpm ci failed: the packages are not installed.`);
    });
  });
}

function npm(args) {
  const { NODE_ENV: _, ...env } = process.env; // npm would leave out the packages of development
  // npm answers other signals with a long clean-up; the next `npm ci` removes the remains of this one.
  return runChild("npm", args, {
    env: { ...env, PATH: pathWithoutPackages() },
    capture: true,
    stopWith: "SIGKILL",
  });
}

/**
 * Runs `install` beside a lock file with the packages' addresses.
 * npm prefers it to package-lock.json, which has none; else it requests each package's list of versions first, and takes
 * twice as long.
 */
async function withAddresses(install) {
  const { output } = await npm(["config", "get", "registry"]);
  const [registry] = /^https?:\/\/\S+$/m.exec(output) ?? [];
  if (registry === undefined) return install();
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  writeFileSync(lockWithAddresses, JSON.stringify(addAddresses(lock, registry)));
  try {
    return await install();
  } finally {
    rmSync(lockWithAddresses, { force: true });
  }
}

/**
 * The lock file's content with the address of each package's archive.
 *
 * @typedef {{ version?: string, integrity?: string, name?: string, resolved?: string }} LockedPackage
 * @param {{ packages: Record<string, LockedPackage>, lockfileVersion: number }} lock
 * @param {string} registry
 */
export function addAddresses({ packages, ...lock }, registry) {
  /** @type {[string, LockedPackage][]} */
  const entries = Object.entries(packages).map(([path, locked]) => {
    if (!locked.integrity) return [path, locked]; // a folder of this project
    const name = locked.name ?? path.split("node_modules/").at(-1);
    const archive = `${name.split("/").at(-1)}-${locked.version}.tgz`;
    return [path, { ...locked, resolved: `${registry.replace(/\/?$/, "/")}${name}/-/${archive}` }];
  });
  return { ...lock, packages: Object.fromEntries(entries) };
}

function isInstalled(production, toBuild) {
  if (toBuild && isTrimmed()) return false;
  // npm writes the second file last, so an install that was cut short has none.
  const [locked, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map(readPackages);
  return installed !== undefined && holds(installed, locked, { production });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Whether every locked package is installed in its version.
 * `production` leaves out those of development.
 * Optional ones may be missing: most fit other systems.
 */
export function holds(installed, locked, { production = false } = {}) {
  return Object.entries(locked).every(([path, wanted]) => {
    const found = installed[path];
    const mayBeMissing = wanted.optional || (production && wanted.dev);
    if (path === "" || (!found && mayBeMissing)) return true;
    return found?.version === wanted.version && found?.integrity === wanted.integrity;
  });
}
