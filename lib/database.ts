/** The app's one database, opened when the server starts and kept for the life of the process. */
import { type Database, openDatabase } from "../db/index.ts";
import { env } from "./env.ts";
import { countDatabaseRetry, setPoolFigures } from "./observe/metrics.ts";

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirDatabase?: Database } & typeof globalThis = globalThis;

/** Opens the database. Rejects when it cannot be opened. */
export async function openAppDatabase(): Promise<void> {
  const opened = await openDatabase(env.DATABASE_URL, {
    poolSize: env.POSTGRES_POOL_SIZE,
    onRetry: countDatabaseRetry,
  });
  kept.weirDatabase = opened;
  if (opened.poolFigures) setPoolFigures(opened.poolFigures);
}

/** The database, once it has been opened. */
export function database(): Database {
  if (!kept.weirDatabase) throw new Error("The database has not been opened yet.");
  return kept.weirDatabase;
}
