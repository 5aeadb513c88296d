/**
 * Decides on a post's first flood window at the given moment, which several of these processes share, and prints what came
 * of it.
 */
import { openDatabase } from "../db/index.ts";
import { decideWindow } from "../lib/ratings/windows.ts";

const [url = "", slug = "", deciderId, status, after, at, now] = process.argv.slice(2);
const database = await openDatabase(url);
const user = { id: Number(deciderId) };
const input = { status, why: "A test decides.", after };
while (Date.now() < Number(at)) {
  // Not asleep: a process that wakes up is late.
}
process.stdout.write(
  `${(await decideWindow({ database }, { slug, number: 1, user, input, now: Number(now) })).kind}\n`,
);
await database.close();
