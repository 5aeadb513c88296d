/** Sees to it that there is an nginx: Debian's is installed where that can be done without asking. */
import { installForTests } from "./debian-package.mjs";
import { findNginx, whatToInstall } from "./find-nginx.mjs";

export function installNginx() {
  return installForTests(findNginx, "nginx", "nginx", whatToInstall);
}
