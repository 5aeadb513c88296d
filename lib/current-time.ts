/** The time that counts, read by the outermost calls only. */
import { openedDatabase } from "./database.ts";

/**
 * The time in milliseconds: by the database's clock, which all nodes share.
 * By this machine's before the database is open.
 */
export function currentTime(): number {
  return openedDatabase()?.time() ?? Date.now();
}
