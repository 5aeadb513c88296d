/** Sees to it that there is an nginx: Debian's is installed where that can be done without asking. */
import { installDebianPackage } from "./debian-package.mjs";
import { findNginx, whatToInstall } from "./find-nginx.mjs";
import { StepFailed } from "./step.mjs";

/** Where there is none in the end, the tests that need it fail and say so; the others can run all the same. */
export async function installNginx() {
  if (findNginx()) return;
  try {
    await installDebianPackage("nginx", "nginx", whatToInstall);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
  }
}
