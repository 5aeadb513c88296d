/** Attempts to rate, and counts of them by minute and by hour. */
import { sql } from "drizzle-orm";
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { attemptVerbs } from "../types.ts";
import { postReference, type Referenced } from "./columns.ts";

export function attemptTables(
  dialect: typeof postgresColumns,
  { users, posts }: Record<"users" | "posts", Referenced>,
) {
  const {
    table,
    id,
    integer,
    bigint,
    real,
    boolean,
    text,
    key,
    index,
    uniqueIndex,
    primaryKey,
    timeIndexes,
  } = dialect;
  const ofPost = postReference(dialect, posts);

  /**
   * Attempts to rate.
   * Attempts of one account at one post within a minute, with the same decision, share a row, which has the time and
   * reason of the last one. So an account that tries without pause does not add a row for each try.
   */
  const attempts = table(
    "attempts",
    {
      id: id(),
      postId: ofPost(),
      userId: bigint("user_id").references(() => users.id, { onDelete: "set null" }),
      /** When the last of them came. */
      at: bigint().notNull(),
      minute: bigint().notNull().generatedAlwaysAs(sql`at / 60000`),
      count: integer().notNull().default(1),
      /** The time from the first of them to the last. */
      lastedMs: integer("lasted_ms").notNull().default(0),
      verb: text({ enum: attemptVerbs }).notNull(),
      score: integer().notNull(),
      allowed: boolean().notNull(),
      /** Whether it fell in a flood window that did not count then. */
      held: boolean().notNull().default(false),
      /**
       * The policy that refused, or else the post's own.
       * Null when none was checked, or an access rule decided.
       */
      policy: text(),
      /** The limiter's `Reason`, as JSON; null when no policy was checked. */
      reason: text(),
      /**
       * A keyed hash of the rater's network on that day (lib/ratings/networks.ts).
       * Null when refused or unknown.
       */
      network: text(),
    },
    (attempt) => [
      index("attempts_by_post").on(attempt.postId, attempt.at),
      uniqueIndex("attempts_by_user").on(
        attempt.userId,
        attempt.postId,
        attempt.minute,
        attempt.verb,
        attempt.allowed,
        attempt.held,
      ),
      ...timeIndexes("attempts_by_time", attempt.at),
    ],
  );

  /** The decision about an attempt that a policy in shadow would have made. */
  const shadowDecisions = table(
    "shadow_decisions",
    {
      attemptId: bigint("attempt_id")
        .notNull()
        .references(() => attempts.id, { onDelete: "cascade" }),
      policy: key().notNull(),
      allowed: boolean().notNull(),
      /** The limiter's `Reason`, as JSON. */
      reason: text().notNull(),
    },
    (decision) => [primaryKey({ columns: [decision.attemptId, decision.policy] })],
  );

  /** The interval that a row of counts is about: a minute or an hour of a post. */
  function ofInterval() {
    return {
      postId: ofPost(),
      intervalMs: integer("interval_ms").notNull(),
      beginsAt: bigint("begins_at").notNull(),
    };
  }

  /**
   * The attempts at a post, counted by minute and by hour.
   * A chart of any number of attempts therefore reads few rows.
   */
  const attemptCounts = table(
    "attempt_counts",
    {
      ...ofInterval(),
      accepted: integer().notNull(),
      held: integer().notNull(),
      refused: integer().notNull(),
      /**
       * The level of the post's own policy before it decided;
       * null when it measured none.
       */
      lowest: real(),
      highest: real(),
    },
    (counts) => [
      primaryKey({ columns: [counts.postId, counts.intervalMs, counts.beginsAt] }),
      index("attempt_counts_by_time").on(counts.intervalMs, counts.beginsAt),
    ],
  );

  /** The disagreements of policies in shadow, counted by minute and by hour. */
  const shadowCounts = table(
    "shadow_counts",
    {
      ...ofInterval(),
      policy: key().notNull(),
      agreed: integer().notNull(),
      wouldRefuse: integer("would_refuse").notNull(),
      wouldAccept: integer("would_accept").notNull(),
    },
    (counts) => [
      primaryKey({ columns: [counts.postId, counts.intervalMs, counts.beginsAt, counts.policy] }),
      index("shadow_counts_by_time").on(counts.intervalMs, counts.beginsAt),
    ],
  );

  return { attempts, shadowDecisions, attemptCounts, shadowCounts };
}
