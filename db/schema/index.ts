/**
 * Every table of the app, written once for both databases.
 *
 * A post carries its score as six counters, one per star value, and the state of its settled score. They change in the
 * transaction that changes a rating, so reading a score never scans ratings. The database derives the lists' sort keys
 * from them (generated columns), so that these can be indexed and never disagree with the counters.
 *
 * The search index `posts_search` is not here: SQLite's is a virtual table, PostgreSQL's is in its dialect's schema.
 */
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { accountTables } from "./accounts.ts";
import { attemptTables } from "./attempts.ts";
import { bookmarkTables } from "./bookmarks.ts";
import { floodTables } from "./floods.ts";
import { mailTables } from "./mail.ts";
import { mediaTables, mediaUseTables } from "./media.ts";
import { operationTables } from "./operation.ts";
import { postDetailTables } from "./post-details.ts";
import { postTables } from "./posts.ts";
import { ratingTables } from "./ratings.ts";
import { sessionTables } from "./sessions.ts";
import { webhookTables } from "./webhooks.ts";

/** Every table, typed as PostgreSQL's for both dialects. */
export type Tables = ReturnType<typeof defineTables>;

/** Makes the tables with a dialect's builders. */
export function defineTables(dialect: typeof postgresColumns) {
  const accounts = accountTables(dialect);
  const media = mediaTables(dialect, accounts);
  const posts = postTables(dialect, accounts);
  const referenced = { ...accounts, ...media, ...posts };
  return {
    ...referenced,
    ...postDetailTables(dialect, referenced),
    ...sessionTables(dialect, referenced),
    ...ratingTables(dialect, referenced),
    ...floodTables(dialect, referenced),
    ...bookmarkTables(dialect, referenced),
    ...attemptTables(dialect, referenced),
    ...operationTables(dialect, referenced),
    ...mailTables(dialect, referenced),
    ...mediaUseTables(dialect, referenced),
    ...webhookTables(dialect),
  };
}
