/** The app's one database, opened when first asked for and kept for the life of the process. */
import { type Database, openDatabase } from "../db/index.ts";
import { env } from "./env.ts";

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirDatabase?: Database } & typeof globalThis = globalThis;

export function database(): Database {
  kept.weirDatabase ??= openDatabase(env.DATABASE_URL);
  return kept.weirDatabase;
}
