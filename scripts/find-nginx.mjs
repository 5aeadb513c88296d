/** The nginx of `npm run cluster` and of tests. */
import { findPrograms } from "./find-programs.mjs";

export const installHint = "This needs nginx: install it, for example: apt install nginx";

/**
 * The program's path; undefined when it is not installed.
 * Debian installs it in a folder of root's PATH only.
 */
export default function findNginx() {
  return findPrograms(["nginx"], ["/usr/sbin", "/usr/local/sbin"])[0];
}
