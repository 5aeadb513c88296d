/** libfaketime, which gives a test's server another clock. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const installHint =
  "The tests of a server with a wrong clock need libfaketime: install it, for example: apt install libfaketime";

/**
 * Its path, for LD_PRELOAD, or nothing when there is none.
 * Debian has it in a folder of the machine's architecture.
 */
export default function findFaketime() {
  const folders = ["/usr/lib", "/usr/local/lib"].filter((folder) => existsSync(folder));
  return folders
    .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))])
    .map((folder) => join(folder, "faketime/libfaketime.so.1"))
    .find((path) => existsSync(path));
}
