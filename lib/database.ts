/**
 * The app's one database.
 * Opened when the server starts and kept for the life of the process.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, isPostgresUrl, isUnavailable, openDatabase } from "../db/index.ts";
import { reportPageChanges } from "../db/page-changes.ts";
import { log } from "./logging/log.ts";
import { countDatabaseRetry, setPoolFigures } from "./observe/metrics.ts";
import { countPageChange } from "./request/page-changes.ts";
import { env } from "./settings/env.ts";

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirDatabase?: Database } & typeof globalThis = globalThis;

/**
 * How long a starting server waits for the database server.
 * That may be starting too.
 */
const waitAtMostMs = 30_000;
const betweenTriesMs = 1_000;

/**
 * Opens the database.
 * Rejects when it cannot be opened; where a PostgreSQL server is out of reach, after a while.
 */
export async function openAppDatabase(): Promise<void> {
  const opened = await openInTime(performance.now() + waitAtMostMs);
  kept.weirDatabase = reportPageChanges(opened, countPageChange);
  if (opened.poolFigures) setPoolFigures(opened.poolFigures);
}

export function openedDatabase(): Database | undefined {
  return kept.weirDatabase;
}

/** The database, once it has been opened. */
export function database(): Database {
  if (!kept.weirDatabase) throw new Error("The database has not been opened yet.");
  return kept.weirDatabase;
}

async function openInTime(giveUpAt: number): Promise<Database> {
  for (;;) {
    try {
      return await openDatabase(env.DATABASE_URL, {
        poolSize: env.POSTGRES_POOL_SIZE,
        onRetry: countDatabaseRetry,
        nodeClock: "time",
      });
    } catch (err) {
      const isTemporary = isPostgresUrl(env.DATABASE_URL) && isUnavailable(err);
      if (!isTemporary || performance.now() > giveUpAt) throw err;
      log.warn({ err }, "PostgreSQL is out of reach, and is tried again");
    }
    await sleep(betweenTriesMs);
  }
}
