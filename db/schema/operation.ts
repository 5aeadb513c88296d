/**
 * The tables for processes that serve one blog together, and for background work.
 */
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { removalKinds } from "../types.ts";
import type { Referenced } from "./columns.ts";

export function operationTables(dialect: typeof postgresColumns, { posts }: Record<"posts", Referenced>) {
  const { table, id, integer, bigint, text, key, index, uniqueIndex, primaryKey } = dialect;

  /**
   * One limiter state per key, as JSON.
   * A row past `expiresAt` no longer counts and may be deleted.
   */
  const limiterStates = table(
    "limiter_states",
    {
      key: key().primaryKey(),
      state: text().notNull(),
      expiresAt: bigint("expires_at").notNull(),
    },
    (state) => [index("limiter_states_by_expiry").on(state.expiresAt)],
  );

  /**
   * The last report of each process that serves the app.
   * `SavedNode` is the type of a report.
   */
  const nodes = table("nodes", {
    id: key().primaryKey(),
    name: key().notNull(),
    startedAt: bigint("started_at").notNull(),
    seenAt: bigint("seen_at").notNull(),
    round: integer().notNull(),
    report: text().notNull(),
  });

  /** Each policy's numbers of decisions, hour by hour. */
  const limitCounts = table(
    "limit_counts",
    {
      /** A number of hours since 1970. */
      hour: integer().notNull(),
      policy: key().notNull(),
      allowed: bigint().notNull(),
      refused: bigint().notNull(),
      held: bigint().notNull(),
      shadowWouldRefuse: bigint("shadow_would_refuse").notNull(),
    },
    (counts) => [primaryKey({ columns: [counts.hour, counts.policy] })],
  );

  /**
   * Posts whose ratings a process is replaying.
   * A row is removed with the replay's end, and expires when its process dies.
   */
  const replayClaims = table("replay_claims", {
    postId: bigint("post_id")
      .primaryKey()
      .references(() => posts.id, { onDelete: "cascade" }),
    claim: key().notNull(),
    /** When the process last renewed it, by the clock of the database. */
    seenAt: bigint("seen_at").notNull(),
    /** How many ratings are replayed so far. */
    replayed: integer().notNull().default(0),
  });

  /** The latest time that is trusted, in one row (lib/time/trusted-time.ts). */
  const trustedTime = table("trusted_time", {
    id: integer().primaryKey(),
    at: bigint().notNull(),
    /**
     * A clock that is not trusted yet: its first and last time, and its running time.
     * The running time is that of servers with this clock.
     */
    pendingFrom: bigint("pending_from"),
    pendingLast: bigint("pending_last"),
    pendingRanMs: bigint("pending_ran_ms"),
  });

  /** Deleted posts and accounts whose rows are still being removed. */
  const removals = table(
    "removals",
    {
      id: id(),
      kind: text({ enum: removalKinds }).notNull(),
      subjectId: bigint("subject_id").notNull(),
      startedAt: bigint("started_at").notNull(),
      /** How many ratings there were. */
      ratings: integer().notNull(),
      ratingsRemoved: integer("ratings_removed").notNull().default(0),
    },
    (removal) => [uniqueIndex("removals_by_subject").on(removal.kind, removal.subjectId)],
  );

  /**
   * The settings that administrators have saved.
   * The others have their defaults (lib/site/schema.ts).
   */
  const siteSettings = table("site_settings", {
    name: key().primaryKey(),
    value: text().notNull(),
  });

  return { limiterStates, nodes, limitCounts, replayClaims, trustedTime, removals, siteSettings };
}
