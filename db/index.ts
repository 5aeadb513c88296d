/**
 * The database: SQLite or PostgreSQL, opened by its address.
 *
 * `database.ts` has its interface.
 *
 * Tables (`schema/`) and queries (`queries/`) are written once for both, with Drizzle's builders typed as
 * PostgreSQL's. Each folder in `dialects/` has only the differences, and provides them as a `Dialect` (`dialect.ts`):
 *
 * - `columns.ts`, `schema.ts`: column types, and the tables made with them, for Drizzle's tool
 * - `index.ts`: the builders, and the few fragments of SQL that differ: row locks, planner hints, old attempts, the time
 * - `session.ts`: connections and transactions; SQLite's one connection has a queue (`connection-queue.ts`), PostgreSQL a
 *   pool (`client.ts`), queues by lock key (`lock-key-queues.ts`), rows written together (`combined-writes.ts`),
 *   advisory locks (`locks.ts`) and errors of its own (`errors.ts`)
 * - PostgreSQL's `clock.ts`: the time by the database; SQLite's `write-ahead-log.ts` and its worker thread
 *   (`checkpoint-thread.ts`): the size of its log
 * - `search.ts`: the full-text index
 * - `limiter-states.ts`: limiter states, loaded and saved many at a time
 * - `migrate.ts`: applies `migrations/`
 * - `copy.ts`, `inspect.ts`, and SQLite's `backup.ts`, `check.ts`, `media-files.ts`, `reader.ts`: for the commands
 *
 * Both share `transaction-contexts.ts`, by which a statement finds its transaction, and `group-commit.ts`.
 */
import { isPostgresUrl } from "./address.ts";
import type { Database } from "./database.ts";
import { isPostgresUnavailable, openPostgres, type PostgresOptions } from "./dialects/postgres/index.ts";
import { databaseFile, isSqliteUnavailable, openSqlite } from "./dialects/sqlite/index.ts";

export type * from "./database.ts";
export type { PoolFigures, TransactionOptions } from "./dialect.ts";
export { commandTimeouts } from "./dialects/postgres/client.ts";
export type { PostgresOptions } from "./dialects/postgres/index.ts";
export type { ChangedUser } from "./queries/account-changes.ts";
export type { NewApiToken } from "./queries/api-tokens.ts";
export type { NewAttempt } from "./queries/attempt-counts.ts";
export type { MovableRating } from "./queries/disabled-ratings.ts";
export type { NewWindowDecision } from "./queries/flood-windows.ts";
export type { NewMail, OutboxFigures } from "./queries/mails.ts";
export type { LimitCounts, PendingClock, SavedNode, SavedTrustedTime } from "./queries/operations.ts";
export type { NewRegistration } from "./queries/pending-registrations.ts";
export type { ListRequest } from "./queries/post-lists.ts";
export type { Cover } from "./queries/posts.ts";
export type { RatingToSave, SavedRating } from "./queries/ratings.ts";
export type { TimeColumn } from "./queries/repairs.ts";
export type { ClaimedReplay, ReplayProgress } from "./queries/replays.ts";
export type { ReviewRequest } from "./queries/review-requests.ts";
export type { SavedTally } from "./queries/tallies.ts";
export type { Skeletons } from "./queries/username-skeletons.ts";
export type { NewUser, UserRow } from "./queries/users.ts";
export type { WebhookRow } from "./queries/webhooks.ts";
export type * from "./types.ts";
export { databaseFile, isPostgresUrl };

/**
 * Opens the database at an address, `file:…` or `postgres://…`.
 * Brings its tables up to date. Rejects when it cannot be opened or is not a database. The options are for PostgreSQL.
 */
export async function openDatabase(url: string, options: PostgresOptions = {}): Promise<Database> {
  return isPostgresUrl(url) ? openPostgres(url, options) : openSqlite(url);
}

/**
 * Whether an error means that the database cannot be used at the moment.
 * Locked, full, read-only, or out of reach.
 */
export function isUnavailable(error: unknown): boolean {
  return isSqliteUnavailable(error) || isPostgresUnavailable(error);
}
