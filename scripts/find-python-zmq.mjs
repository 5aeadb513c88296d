/** The Python that runs a foreign client of the service in its tests. */
import { spawnSync } from "node:child_process";

/**
 * The command of a Python that has pyzmq, or nothing when there is none.
 * Debian's package is its own Python's.
 */
export default function findPythonZmq() {
  return ["/usr/bin/python3", "python3"].find(
    (python) => spawnSync(python, ["-c", "import zmq"], { stdio: "ignore" }).status === 0,
  );
}
