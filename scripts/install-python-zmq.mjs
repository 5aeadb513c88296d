/** Sees to it that there is a Python with pyzmq: Debian's is installed where that can be done without asking. */
import { installDebianPackage } from "./debian-package.mjs";
import { findPythonZmq, whatToInstall } from "./find-python-zmq.mjs";
import { StepFailed } from "./step.mjs";

/** Where there is none in the end, the tests that need it are skipped and say so. */
export async function installPythonZmq() {
  if (findPythonZmq()) return;
  try {
    await installDebianPackage("python3-zmq", "Python with pyzmq", whatToInstall);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
  }
}
