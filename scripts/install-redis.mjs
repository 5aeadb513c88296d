/** Sees to it that there is a Redis: Debian's is installed where that can be done without asking. */
import { installDebianPackage } from "./debian-package.mjs";
import { findRedis, whatToInstall } from "./find-redis.mjs";
import { StepFailed } from "./step.mjs";

/** Where there is none in the end, the tests that need it fail and say so; the others can run all the same. */
export async function installRedis() {
  if (findRedis()) return;
  try {
    await installDebianPackage("redis-server", "Redis", whatToInstall);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
  }
}
