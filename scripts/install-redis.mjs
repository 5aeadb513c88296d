/** Sees to it that there is a Redis: Debian's is installed where that can be done without asking. */
import { installForTests } from "./debian-package.mjs";
import { findRedis, whatToInstall } from "./find-redis.mjs";

export function installRedis() {
  return installForTests(findRedis, "redis-server", "Redis", whatToInstall);
}
