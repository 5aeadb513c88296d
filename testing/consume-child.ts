/**
 * Consumes one key of a limiter on the database store.
 * Starts once all processes are ready. 200 times at one instant, or, where the bucket leaks, ten at a time for a second
 * of the machine's time, and on until more than its share of the capacity has passed. Prints how many passed, when it began, and when the last one passed, as JSON.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../db/index.ts";
import { databaseStore } from "../db/limiter-store.ts";
import { createLimiter, leakyBucket } from "../lib/limiter/index.ts";

const [url = "", capacity = "", leakPerSecond, processes] = process.argv.slice(2);
const database = await openDatabase(url);
const store = databaseStore(database, leakPerSecond === undefined ? () => Date.UTC(2026, 2, 1) : undefined);
const limiter = createLimiter({
  algorithm: leakyBucket({ capacity: Number(capacity), leakPerSecond: Number(leakPerSecond ?? 1) }),
  store,
});

if (processes !== undefined) {
  await store.update("arrived", (count: number = 0) => ({ result: count, next: count + 1 }));
  const arrived = () => store.update("arrived", (count: number = 0) => ({ result: count }));
  while ((await arrived()) < Number(processes)) await sleep(5);
}
const startedAt = Date.now();
let [passed, lastPassedAt] = [0, startedAt];

async function send(): Promise<void> {
  if ((await limiter.consume("shared")).allowed) [passed, lastPassedAt] = [passed + 1, Date.now()];
  // SQLite's lock is not fair: without a gap between two writes another process may never find it free.
  await sleep(1);
}

async function consumeMoreThanTheShare(): Promise<void> {
  const share = Number(capacity) / Number(processes);
  while (Date.now() < startedAt + 1_000 || passed <= share) await send();
}

if (leakPerSecond === undefined) for (let call = 0; call < 200; call += 1) await send();
else await Promise.all(Array.from({ length: 10 }, consumeMoreThanTheShare));
process.stdout.write(`${JSON.stringify({ passed, startedAt, lastPassedAt })}\n`);
await database.close();
