/**
 * Two threads open new databases, each at the same instant as the other.
 * Processes rarely hit one instant. Each prints the number of databases it opened.
 */
import { join } from "node:path";
import { isMainThread, Worker, workerData } from "node:worker_threads";

const [folder = "", rounds = ""] = process.argv.slice(2);

if (isMainThread) {
  const arrived = new SharedArrayBuffer(4);
  for (const _ of [1, 2]) new Worker(import.meta.filename, { argv: [folder, rounds], workerData: arrived });
} else {
  const { openSqlite } = await import("../db/dialects/sqlite/index.ts");
  const arrived = new Int32Array(workerData);
  let opened = 0;
  for (let round = 1; round <= Number(rounds); round += 1) {
    Atomics.add(arrived, 0, 1);
    while (Atomics.load(arrived, 0) < 2 * round);
    await openSqlite(`file:${join(folder, String(round))}.db`).close();
    opened += 1;
  }
  process.stdout.write(`${opened} opened\n`);
}
