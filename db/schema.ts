/**
 * Every table of the app. Times are integer milliseconds since 1970, UTC.
 *
 * A post carries its score as six counters, one per star value; they move in the transaction that moves a
 * rating, so reading a score never scans ratings. What the lists sort by is derived from the counters by SQLite
 * itself (generated columns), so that it can be indexed and can never disagree with them.
 *
 * The full-text table `posts_search` is not here: Drizzle has no virtual tables. It is made in
 * `migrations/0001_search.sql` and used in `queries/posts.ts`.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The prior of the Bayesian average by which "top" sorts: a post is ranked as if it had, before its first
 * rating, this many ratings of this score. Written once here; shown to readers by the "How scores work" page.
 */
export const rankPrior = { ratings: 10, score: 2.5 } as const;

export const users = sqliteTable("users", {
  id: integer().primaryKey({ autoIncrement: true }),
  username: text().notNull(),
  /** The username as compared: NFKC and lower case. */
  usernameKey: text("username_key").notNull().unique(),
  email: text().notNull(),
  emailKey: text("email_key").notNull().unique(),
  passwordHash: text("password_hash").notNull(),
  isAdministrator: integer("is_administrator", { mode: "boolean" }).notNull().default(false),
  /** Raised to end every session of the user at once. */
  sessionVersion: integer("session_version").notNull().default(1),
  disabledAt: integer("disabled_at"),
  createdAt: integer("created_at").notNull(),
});

export const posts = sqliteTable(
  "posts",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    slug: text().notNull().unique(),
    title: text().notNull(),
    authorId: integer("author_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    count0: integer("count_0").notNull().default(0),
    count1: integer("count_1").notNull().default(0),
    count2: integer("count_2").notNull().default(0),
    count3: integer("count_3").notNull().default(0),
    count4: integer("count_4").notNull().default(0),
    count5: integer("count_5").notNull().default(0),
    ratingCount: integer("rating_count")
      .notNull()
      .generatedAlwaysAs(sql`count_0 + count_1 + count_2 + count_3 + count_4 + count_5`, { mode: "virtual" }),
    rankScore: real("rank_score")
      .notNull()
      .generatedAlwaysAs(
        sql.raw(
          `(${(rankPrior.ratings * rankPrior.score).toFixed(1)} + count_1 + 2 * count_2 + 3 * count_3 + 4 * count_4 + 5 * count_5)` +
            ` / (${rankPrior.ratings} + count_0 + count_1 + count_2 + count_3 + count_4 + count_5)`,
        ),
        { mode: "virtual" },
      ),
  },
  (post) => [
    index("posts_by_author").on(post.authorId, post.id),
    index("posts_by_rank").on(post.rankScore, post.id),
    index("posts_by_rating_count").on(post.ratingCount, post.id),
    check(
      "counts_not_negative",
      sql`min(${post.count0}, ${post.count1}, ${post.count2}, ${post.count3}, ${post.count4}, ${post.count5}) >= 0`,
    ),
  ],
);

/** Apart from `posts`, so that moving a counter never rewrites a long text and listing never reads one. */
export const postContents = sqliteTable("post_contents", {
  postId: integer("post_id")
    .primaryKey()
    .references(() => posts.id, { onDelete: "cascade" }),
  content: text().notNull(),
});

export const ratings = sqliteTable(
  "ratings",
  {
    postId: integer("post_id")
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    score: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (rating) => [
    primaryKey({ columns: [rating.postId, rating.userId] }),
    index("ratings_by_user").on(rating.userId),
    check("score_in_range", sql`${rating.score} in (0, 1, 2, 3, 4, 5)`),
  ],
);

/** One try to rate, allowed or not, with what was decided and why. */
export const attempts = sqliteTable(
  "attempts",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    postId: integer("post_id")
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    at: integer().notNull(),
    verb: text({ enum: ["create", "update"] }).notNull(),
    score: integer().notNull(),
    allowed: integer({ mode: "boolean" }).notNull(),
    /** The policy that refused, or else the post's own; null when none was asked, or an access rule decided. */
    policy: text(),
    /** The limiter's `Reason`, as JSON; null when no policy was asked. */
    reason: text(),
    /**
     * What the post's own policy measured before it decided, for the chart: a bucket's level, the tokens left, what was
     * used of a window or a log, what was used today, or the EMA's Z. Null when it measured nothing.
     */
    level: real(),
  },
  (attempt) => [
    index("attempts_by_post").on(attempt.postId, attempt.at),
    index("attempts_by_user").on(attempt.userId),
  ],
);

/** What a policy in shadow would have decided about an attempt. */
export const shadowDecisions = sqliteTable(
  "shadow_decisions",
  {
    attemptId: integer("attempt_id")
      .notNull()
      .references(() => attempts.id, { onDelete: "cascade" }),
    policy: text().notNull(),
    allowed: integer({ mode: "boolean" }).notNull(),
    /** The limiter's `Reason`, as JSON. */
    reason: text().notNull(),
  },
  (decision) => [primaryKey({ columns: [decision.attemptId, decision.policy] })],
);

/** One limiter state per key, as JSON; a row past `expiresAt` says nothing any more and may go. */
export const limiterStates = sqliteTable(
  "limiter_states",
  {
    key: text().primaryKey(),
    state: text().notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (state) => [index("limiter_states_by_expiry").on(state.expiresAt)],
);

export type UserRow = typeof users.$inferSelect;
export type NewAttempt = Omit<typeof attempts.$inferInsert, "id">;
export type NewShadowDecision = Omit<typeof shadowDecisions.$inferInsert, "attemptId">;
