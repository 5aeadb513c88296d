/** Sees to it that there is a Python with pyzmq: Debian's is installed where that can be done without asking. */
import { installForTests } from "./debian-package.mjs";
import { findPythonZmq, whatToInstall } from "./find-python-zmq.mjs";

export function installPythonZmq() {
  return installForTests(findPythonZmq, "python3-zmq", "Python with pyzmq", whatToInstall);
}
