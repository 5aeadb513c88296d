/** The app's one database, opened when first asked for and kept for the life of the process. */
import { type Database, openDatabase } from "../db/index.ts";
import { env } from "./env.ts";
import { memoryStates } from "./memory-states.ts";

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirDatabase?: Database } & typeof globalThis = globalThis;

/** The database; with `LIMITER_STORE=memory`, its limiter states are this process's instead of the file's. */
export function database(): Database {
  kept.weirDatabase ??= {
    ...openDatabase(env.DATABASE_URL),
    ...(env.LIMITER_STORE === "memory" && { limiterStates: memoryStates() }),
  };
  return kept.weirDatabase;
}
