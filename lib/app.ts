import { database } from "./database.ts";
import { limits } from "./limits.ts";

/** What posts, ratings and accounts ask for as their context, in pages, actions and the API alike. */
export function app() {
  return { database: database(), limits };
}
