/**
 * The worker thread's program that truncates a large write-ahead log.
 * `write-ahead-log.ts` starts it; it ends when the log is small.
 *
 * A passive checkpoint copies the log's pages beside readers and writers. The truncating one then copies the remaining
 * pages under the write lock, but fails at once while a reader needs the log: waiting for it would block all writers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import { logMaximumBytes, logSize } from "./write-ahead-log.ts";

const retryMs = 200;

const file = String(workerData);
const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 0 });
sqlite.pragma("synchronous = FULL");
while ((await logSize(file)) > logMaximumBytes) {
  sqlite.pragma("wal_checkpoint(PASSIVE)");
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  await sleep(retryMs);
}
sqlite.close();
