/** Installs the packages of package-lock.json when they are missing. */
import { readFileSync } from "node:fs";
import { exclusively } from "./exclusive.mjs";
import { pathWithoutPackages } from "./node-runtime.mjs";
import { runChild } from "./run-child.mjs";
import { StepFailed, step } from "./step.mjs";

// Independent of NODE_ENV and npm's settings: the build needs TypeScript, and Node.js itself is an optional package.
const npmCi = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];

export async function installPackages() {
  if (isInstalled()) return;
  await exclusively("install", async () => {
    if (isInstalled()) return; // by the process that we waited for
    await step("Installing packages", async () => {
      const env = { ...process.env, PATH: pathWithoutPackages() };
      // npm answers other signals with a long clean-up; the next `npm ci` removes the remains of this one.
      const { code, output } = await runChild("npm", npmCi, { env, capture: true, stopWith: "SIGKILL" });
      if (code !== 0)
        throw new StepFailed(`${output.trimEnd()}\nnpm ci failed: the packages are not installed.`);
    });
  });
}

function isInstalled() {
  // npm writes the second file last, so an install that was cut short has none.
  const [locked, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map(readPackages);
  return installed !== undefined && holds(installed, locked);
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
 * Optional ones may be missing: most fit other systems.
 */
export function holds(installed, locked) {
  return Object.entries(locked).every(([path, wanted]) => {
    const found = installed[path];
    if (path === "" || (!found && wanted.optional)) return true;
    return found?.version === wanted.version && found?.integrity === wanted.integrity;
  });
}
