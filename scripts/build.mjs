/** Builds the app, unless the last build was made from the same files. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hashBuildInputs } from "./build-inputs.mjs";
import { exclusively } from "./exclusive.mjs";
import { compileCache, runNode } from "./node-runtime.mjs";
import { StepFailed, step } from "./step.mjs";

const stamp = ".next/built-from";

export async function buildApp() {
  if (isBuilt()) return;
  await exclusively("build", async () => {
    if (isBuilt()) return; // by the process that held the lock
    await step("Building the app", async () => {
      // Hashed before the build: a file that changes meanwhile is built again next time.
      const from = builtFrom();
      rmSync(stamp, { force: true });
      const env = { NODE_ENV: "production" };
      const { code, output } = await runNode(["node_modules/next/dist/bin/next", "build"], {
        env,
        capture: true,
      });
      if (code !== 0) throw new StepFailed(`${output.trimEnd()}\nThe build failed.`);
      removeCompileCache();
      mkdirSync(".next", { recursive: true });
      writeFileSync(stamp, from);
    });
  });
}

/**
 * Removes the compiled code of the build before.
 * It is of no use any more, and does no harm: another user's, of a command run as root, stays.
 */
function removeCompileCache() {
  try {
    rmSync(compileCache, { recursive: true, force: true });
  } catch {}
}

/**
 * A hash of the inputs and of the key that is built in.
 * The key is from the environment or else from `.env`.
 */
function builtFrom() {
  const name = "NEXT_SERVER_ACTIONS_ENCRYPTION_KEY";
  const settings = existsSync(".env") ? readFileSync(".env", "utf8") : "";
  const key = process.env[name] ?? new RegExp(`^${name}=(.*)$`, "m").exec(settings)?.[1] ?? "";
  return createHash("sha256").update(`${hashBuildInputs()} ${key}`).digest("hex");
}

/** Whether the last build was made from the present files. */
export function isBuilt() {
  try {
    return readFileSync(stamp, "utf8") === builtFrom();
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}
