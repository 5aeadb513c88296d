/**
 * Keeps the write-ahead log small.
 *
 * SQLite moves the log's pages to the file after a commit, on the thread that commits, and begins the log anew. A reader that
 * reads for long (a backup, say) keeps it from that: the log grows, and the first commit after the reader would move all
 * of it. So a log that is too large is left to a worker thread, which moves its pages and truncates it as soon as no
 * reader needs it.
 */
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Database as Sqlite } from "better-sqlite3";

/**
 * The size above which the log is truncated.
 * SQLite itself restarts the log at 4 MiB when no reader needs it.
 */
export const logMaximumBytes = 16 * 2 ** 20;

/** SQLite's default. */
const pagesPerCheckpoint = 1_000;
const checkIntervalMs = 1_000;
const program = join(/* turbopackIgnore: true */ process.cwd(), "db/dialects/sqlite/checkpoint-thread.ts");

/**
 * Checks the log every second from now on; returns a function that stops this.
 * The timer keeps no process from ending.
 */
export function keepLogSmall(sqlite: Sqlite): () => Promise<void> {
  let thread: Worker | undefined;
  let hasWarned = false;
  let isEnded = false;

  /** A thread that fails, on a full disk say, is followed by another. */
  function warn(error: unknown): void {
    if (!hasWarned)
      process.emitWarning(`The write-ahead log of ${sqlite.name} stays large: ${String(error)}`);
    hasWarned = true;
  }

  function start(): void {
    // It needs no settings, so it gets none of the process's secrets.
    const started = new Worker(program, { env: {}, execArgv: [], workerData: sqlite.name });
    started.unref();
    started.on("error", warn);
    started.once("exit", () => {
      thread = undefined;
      if (sqlite.open) sqlite.pragma(`wal_autocheckpoint = ${pagesPerCheckpoint}`);
    });
    thread = started;
    sqlite.pragma("wal_autocheckpoint = 0");
  }

  async function look(): Promise<void> {
    if (!sqlite.open) return clearInterval(timer);
    if (thread || (await logSize(sqlite.name)) <= logMaximumBytes) return;
    if (sqlite.open && !isEnded) start();
  }

  const timer = setInterval(() => look().catch(warn), checkIntervalMs);
  timer.unref();
  return async () => {
    isEnded = true;
    clearInterval(timer);
    await thread?.terminate();
  };
}

/**
 * The size of a file's write-ahead log; 0 without one.
 * Of a symbolic link, SQLite keeps it beside the target.
 */
export async function logSize(file: string): Promise<number> {
  try {
    return (await stat(`${await realpath(file)}-wal`)).size;
  } catch {
    return 0;
  }
}
