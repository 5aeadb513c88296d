import { database } from "../database.ts";
import { limits } from "../limits.ts";

/** What posts, ratings and accounts ask for as their context: the app's own database and limits. */
export function app() {
  return { database: database(), limits };
}
