/**
 * Keeps the write-ahead log small.
 *
 * SQLite checkpoints the log after a commit, on the thread that commits: it copies the log's pages to the file and
 * restarts the log. It cannot restart it during a long read (such as a backup): the log grows, and the first commit after
 * that read would copy all of it. So a worker thread checkpoints a log that is too large, and truncates it as soon as no
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
  let isStopped = false;

  /**
   * Warns at most once.
   * A failed thread, for example on a full disk, is replaced at the next check.
   */
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

  async function checkLog(): Promise<void> {
    if (!sqlite.open) return clearInterval(timer);
    if (thread || (await logSize(sqlite.name)) <= logMaximumBytes) return;
    if (sqlite.open && !isStopped) start();
  }

  const timer = setInterval(() => checkLog().catch(warn), checkIntervalMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await thread?.terminate();
  };
}

/**
 * The size of a file's write-ahead log; 0 without one.
 * For a symbolic link, SQLite keeps the log beside the link's target.
 */
export async function logSize(file: string): Promise<number> {
  try {
    return (await stat(`${await realpath(file)}-wal`)).size;
  } catch {
    return 0;
  }
}
