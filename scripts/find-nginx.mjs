/** The nginx of `npm run cluster` and of tests. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export const installHint = "This needs nginx: install it, for example: apt install nginx";

/**
 * The program's path; undefined when it is not installed.
 * Debian installs it in a folder of root's PATH only.
 */
export default function findNginx() {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, "nginx")).find((path) => existsSync(path));
}
