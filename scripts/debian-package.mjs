/** Debian's packages, installed where that can be done without asking: on Debian, as root. Elsewhere nothing happens. */
import { existsSync } from "node:fs";
import { runChild } from "./run-child.mjs";
import { StepFailed, step } from "./step.mjs";

/** Throws a `StepFailed` that ends with `whatToInstall` when apt-get fails. */
export async function installDebianPackage(name, title, whatToInstall) {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
  await step(`Installing ${title}`, async () => {
    for (const args of [["update"], ["install", "--yes", "--no-install-recommends", name]]) {
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      const { code, output } = await runChild("apt-get", args, { env, capture: true });
      if (code !== 0) {
        throw new StepFailed(`${output.trimEnd()}\napt-get ${args.join(" ")} failed. ${whatToInstall}`);
      }
    }
  });
}

/**
 * What some of the tests need, installed unless `find` finds it. Where there is none in the end, those tests say so, and
 * the others can run all the same.
 */
export async function installForTests(find, name, title, whatToInstall) {
  if (find()) return;
  try {
    await installDebianPackage(name, title, whatToInstall);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
  }
}
