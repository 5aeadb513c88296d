/**
 * Every table of the app. Times are integer milliseconds since 1970, UTC.
 *
 * A post carries its score as six counters, one per star value, and the state of its settled score; they move in the
 * transaction that moves a rating, so reading a score never scans ratings. What the lists sort by is derived from them
 * by SQLite itself (generated columns), so that it can be indexed and can never disagree with them.
 *
 * The full-text table `posts_search` is not here: Drizzle has no virtual tables. It is made in
 * `migrations/0001_search.sql` and used in `queries/posts.ts`.
 */
import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { attemptVerbs, rankPrior, windowDeciders, windowStatuses } from "../../types.ts";

/** How many ratings there are of 0, 1, … 5 stars. */
function sixCounters() {
  return {
    count0: integer("count_0").notNull().default(0),
    count1: integer("count_1").notNull().default(0),
    count2: integer("count_2").notNull().default(0),
    count3: integer("count_3").notNull().default(0),
    count4: integer("count_4").notNull().default(0),
    count5: integer("count_5").notNull().default(0),
  };
}

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
    /** The ratings that count: those in no flood window, and in windows that are counted. */
    ...sixCounters(),
    /** The settled score as of `settled_at`; null before the first rating. What the rest means: lib/ratings/settled-score.ts. */
    settledScore: real("settled_score"),
    settledSpeed: real("settled_speed").notNull().default(0),
    settledAt: integer("settled_at").notNull().default(0),
    raterCount: integer("rater_count").notNull().default(0),
    firstRatedAt: integer("first_rated_at").notNull().default(0),
    lastRaterAt: integer("last_rater_at").notNull().default(0),
    /** How many flood windows there were. */
    windowCount: integer("window_count").notNull().default(0),
    /** When something has to be saved about the post though nobody rates it; null for never. */
    dueAt: integer("due_at"),
    ratingCount: integer("rating_count")
      .notNull()
      .generatedAlwaysAs(sql`count_0 + count_1 + count_2 + count_3 + count_4 + count_5`, { mode: "virtual" }),
    rankScore: real("rank_score")
      .notNull()
      .generatedAlwaysAs(
        sql.raw(
          `(${(rankPrior.ratings * rankPrior.score).toFixed(1)} + (count_0 + count_1 + count_2 + count_3 + count_4 + count_5) * coalesce(settled_score, 0))` +
            ` / (${rankPrior.ratings} + count_0 + count_1 + count_2 + count_3 + count_4 + count_5)`,
        ),
        { mode: "virtual" },
      ),
  },
  (post) => [
    index("posts_by_author").on(post.authorId, post.id),
    index("posts_by_rank").on(post.rankScore, post.id),
    index("posts_by_rating_count").on(post.ratingCount, post.id),
    index("posts_by_due").on(post.dueAt).where(sql`due_at is not null`),
    check(
      "counts_not_negative",
      sql`min(${post.count0}, ${post.count1}, ${post.count2}, ${post.count3}, ${post.count4}, ${post.count5}) >= 0`,
    ),
  ],
);

/** The post that a row is about, and goes with. */
function ofPost() {
  return integer("post_id")
    .notNull()
    .references(() => posts.id, { onDelete: "cascade" });
}

/** The user that a row is about, and goes with. */
function ofUser() {
  return integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });
}

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
    postId: ofPost(),
    userId: ofUser(),
    score: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** The number of the post's flood window that it fell in. */
    window: integer(),
  },
  (rating) => [
    primaryKey({ columns: [rating.postId, rating.userId] }),
    index("ratings_by_user").on(rating.userId),
    index("ratings_in_no_window").on(rating.postId, rating.updatedAt).where(sql`window is null`),
    check("score_in_range", sql`${rating.score} in (0, 1, 2, 3, 4, 5)`),
  ],
);

/** Who withdrew a rating: given again it is no new one, and is back in the window that it fell in. */
export const formerRaters = sqliteTable(
  "former_raters",
  {
    postId: ofPost(),
    userId: ofUser(),
    window: integer(),
  },
  (rater) => [
    primaryKey({ columns: [rater.postId, rater.userId] }),
    index("former_raters_by_user").on(rater.userId),
  ],
);

/** All ratings of a post by the day on which they were first given, whether they count or not. */
export const ratingDays = sqliteTable(
  "rating_days",
  {
    postId: ofPost(),
    /** The number of the UTC day since 1970. */
    day: integer().notNull(),
    ...sixCounters(),
  },
  (ratingDay) => [primaryKey({ columns: [ratingDay.postId, ratingDay.day] })],
);

/** Spans in which a post was rated unusually fast; lib/ratings/flood-window.ts says what the columns mean. */
export const floodWindows = sqliteTable(
  "flood_windows",
  {
    postId: ofPost(),
    number: integer().notNull(),
    openedAt: integer("opened_at").notNull(),
    lastAt: integer("last_at").notNull(),
    closedAt: integer("closed_at"),
    usualGapMs: real("usual_gap_ms").notNull(),
    recentGapMs: real("recent_gap_ms").notNull(),
    ...sixCounters(),
    status: text({ enum: windowStatuses }).notNull(),
    decidedBy: text("decided_by", { enum: windowDeciders }),
    decisions: integer().notNull(),
    settledBefore: real("settled_before"),
  },
  (window) => [
    primaryKey({ columns: [window.postId, window.number] }),
    index("flood_windows_by_status").on(window.status, window.lastAt),
  ],
);

/** Every decision on a flood window: what, when, by whom and why. */
export const windowDecisions = sqliteTable(
  "window_decisions",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    postId: ofPost(),
    window: integer().notNull(),
    at: integer().notNull(),
    status: text({ enum: windowStatuses }).notNull(),
    decidedBy: text("decided_by", { enum: windowDeciders }).notNull(),
    /** The person; null where none decided, or when the account is gone. */
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    why: text(),
    /** How many ratings the window had. */
    ratings: integer().notNull(),
  },
  (decision) => [
    index("window_decisions_by_post").on(decision.postId, decision.window),
    index("window_decisions_by_user").on(decision.userId),
  ],
);

/** One try to rate, allowed or not, with what was decided and why. */
export const attempts = sqliteTable(
  "attempts",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    postId: ofPost(),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    at: integer().notNull(),
    verb: text({ enum: attemptVerbs }).notNull(),
    score: integer().notNull(),
    allowed: integer({ mode: "boolean" }).notNull(),
    /** Whether it fell in a flood window that did not count then. */
    held: integer({ mode: "boolean" }).notNull().default(false),
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

/** Tokens with which programs act in a user's name. */
export const apiTokens = sqliteTable(
  "api_tokens",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: ofUser(),
    name: text().notNull(),
    /** SHA-256 of the token, in hexadecimal: the token itself is kept nowhere. */
    tokenHash: text("token_hash").notNull().unique(),
    /** What it may do: words parted by spaces. */
    scopes: text().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    /** From when on it is no good; null for never. */
    expiresAt: integer("expires_at"),
  },
  (token) => [uniqueIndex("api_tokens_by_user").on(token.userId, token.name)],
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

/** Each process that serves the app, as it said when it was seen last; `SavedNode` of `../types.ts` has the columns. */
export const nodes = sqliteTable("nodes", {
  id: text().primaryKey(),
  name: text().notNull(),
  startedAt: integer("started_at").notNull(),
  seenAt: integer("seen_at").notNull(),
  round: integer().notNull(),
  report: text().notNull(),
});

/** How often each policy decided what, hour by hour. */
export const limitCounts = sqliteTable(
  "limit_counts",
  {
    /** A number of hours since 1970. */
    hour: integer().notNull(),
    policy: text().notNull(),
    allowed: integer().notNull(),
    refused: integer().notNull(),
    held: integer().notNull(),
    shadowWouldRefuse: integer("shadow_would_refuse").notNull(),
  },
  (counts) => [primaryKey({ columns: [counts.hour, counts.policy] })],
);
