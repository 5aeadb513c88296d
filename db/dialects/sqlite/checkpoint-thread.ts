/**
 * The thread that shortens a large write-ahead log, and then ends.
 * It is started by `write-ahead-log.ts`.
 *
 * First it moves the log's pages beside readers and writers. Then it moves the remaining pages and truncates the log under
 * the write lock, but only if no reader needs the log: waiting for one would keep all writers waiting.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import { logMaximumBytes, logSize } from "./write-ahead-log.ts";

const againMs = 200;

const file = String(workerData);
const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 0 });
sqlite.pragma("synchronous = FULL");
while ((await logSize(file)) > logMaximumBytes) {
  sqlite.pragma("wal_checkpoint(PASSIVE)");
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  await sleep(againMs);
}
sqlite.close();
