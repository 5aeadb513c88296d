/** The Redis server of `npm run cluster` and of tests. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export const installHint =
  "This needs redis-server or valkey-server: install one, for example: apt install redis-server";

/** The path of a server, or nothing when there is none. */
export default function findRedis() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return ["redis-server", "valkey-server"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
