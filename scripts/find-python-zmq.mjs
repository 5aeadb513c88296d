/** The Python that the service is asked from in its tests: a foreign client. */
import { spawnSync } from "node:child_process";

export const whatToInstall =
  "The tests with a foreign client need Python with pyzmq: install both, for example: apt install python3-zmq";

/** The command of a Python that has pyzmq, or nothing when there is none. Debian's package is its own Python's. */
export function findPythonZmq() {
  return ["/usr/bin/python3", "python3"].find(
    (python) => spawnSync(python, ["-c", "import zmq"], { stdio: "ignore" }).status === 0,
  );
}
