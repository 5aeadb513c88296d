/** The Redis server of `npm run cluster` and of tests. */
import { findPrograms } from "./find-programs.mjs";

export const installHint =
  "This needs redis-server or valkey-server: install one, for example: apt install redis-server";

/** The path of a server, or nothing when there is none. */
export default function findRedis() {
  return findPrograms(["redis-server", "valkey-server"])[0];
}
