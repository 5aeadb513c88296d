/**
 * Every table of the app, as in `../sqlite/schema.ts`. Times are integer milliseconds since 1970, UTC.
 *
 * A post carries its score as six counters, one per star value, and the state of its settled score; they move in the
 * transaction that moves a rating, so reading a score never scans ratings. What the lists sort by is derived from them
 * by PostgreSQL itself (generated columns), so that it can be indexed and can never disagree with them.
 */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { attemptVerbs, rankPrior, windowDeciders, windowStatuses } from "../../types.ts";

/** Text by which rows are found: compared by its bytes, whatever the language the server was set up for. */
const key = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

function number() {
  return bigint({ mode: "number" });
}

function serial() {
  return number().primaryKey().generatedByDefaultAsIdentity();
}

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

export const users = pgTable("users", {
  id: serial(),
  username: text().notNull(),
  /** The username as compared: NFKC and lower case. */
  usernameKey: key("username_key").notNull().unique(),
  email: text().notNull(),
  emailKey: key("email_key").notNull().unique(),
  passwordHash: text("password_hash").notNull(),
  isAdministrator: boolean("is_administrator").notNull().default(false),
  /** Raised to end every session of the user at once. */
  sessionVersion: integer("session_version").notNull().default(1),
  disabledAt: bigint("disabled_at", { mode: "number" }),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
});

export const posts = pgTable(
  "posts",
  {
    id: serial(),
    slug: key().notNull().unique(),
    title: text().notNull(),
    authorId: bigint("author_id", { mode: "number" })
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    updatedAt: bigint("updated_at", { mode: "number" }).notNull(),
    /** The ratings that count: those in no flood window, and in windows that are counted. */
    ...sixCounters(),
    /** The settled score as of `settled_at`; null before the first rating. What the rest means: lib/ratings/settled-score.ts. */
    settledScore: doublePrecision("settled_score"),
    settledSpeed: doublePrecision("settled_speed").notNull().default(0),
    settledAt: bigint("settled_at", { mode: "number" }).notNull().default(0),
    raterCount: integer("rater_count").notNull().default(0),
    firstRatedAt: bigint("first_rated_at", { mode: "number" }).notNull().default(0),
    lastRaterAt: bigint("last_rater_at", { mode: "number" }).notNull().default(0),
    /** How many flood windows there were. */
    windowCount: integer("window_count").notNull().default(0),
    /** When something has to be saved about the post though nobody rates it; null for never. */
    dueAt: bigint("due_at", { mode: "number" }),
    ratingCount: integer("rating_count")
      .notNull()
      .generatedAlwaysAs(sql`count_0 + count_1 + count_2 + count_3 + count_4 + count_5`),
    rankScore: doublePrecision("rank_score")
      .notNull()
      .generatedAlwaysAs(
        sql.raw(
          `(${(rankPrior.ratings * rankPrior.score).toFixed(1)} + (count_0 + count_1 + count_2 + count_3 + count_4 + count_5) * coalesce(settled_score, 0))` +
            ` / (${rankPrior.ratings} + count_0 + count_1 + count_2 + count_3 + count_4 + count_5)`,
        ),
      ),
  },
  (post) => [
    index("posts_by_author").on(post.authorId, post.id),
    index("posts_by_rank").on(post.rankScore, post.id),
    index("posts_by_rating_count").on(post.ratingCount, post.id),
    index("posts_by_due").on(post.dueAt).where(sql`due_at is not null`),
    check("counts_not_negative", sql`least(count_0, count_1, count_2, count_3, count_4, count_5) >= 0`),
  ],
);

/** The post that a row is about, and goes with. */
function ofPost() {
  return bigint("post_id", { mode: "number" })
    .notNull()
    .references(() => posts.id, { onDelete: "cascade" });
}

/** The post that a row says more about, and goes with; at most one row a post. */
function ofOnePost() {
  return bigint("post_id", { mode: "number" })
    .primaryKey()
    .references(() => posts.id, { onDelete: "cascade" });
}

/** The user that a row is about, and goes with. */
function ofUser() {
  return bigint("user_id", { mode: "number" })
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });
}

/** Apart from `posts`, so that moving a counter never rewrites a long text and listing never reads one. */
export const postContents = pgTable("post_contents", {
  postId: ofOnePost(),
  content: text().notNull(),
});

/** What search finds posts by; what the columns hold: `search.ts`. */
export const postsSearch = pgTable(
  "posts_search",
  {
    postId: ofOnePost(),
    words: tsvector().notNull(),
    spelled: text().notNull(),
  },
  (search) => [index("posts_search_by_words").using("gin", search.words)],
);

export const ratings = pgTable(
  "ratings",
  {
    postId: ofPost(),
    userId: ofUser(),
    score: integer().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    updatedAt: bigint("updated_at", { mode: "number" }).notNull(),
    /** The number of the post's flood window that it fell in. */
    window: integer(),
  },
  (rating) => [
    primaryKey({ columns: [rating.postId, rating.userId] }),
    index("ratings_by_user").on(rating.userId),
    index("ratings_in_no_window").on(rating.postId, rating.updatedAt).where(sql`"window" is null`),
    check("score_in_range", sql`score in (0, 1, 2, 3, 4, 5)`),
  ],
);

/** Who withdrew a rating: given again it is no new one, and is back in the window that it fell in. */
export const formerRaters = pgTable(
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
export const ratingDays = pgTable(
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
export const floodWindows = pgTable(
  "flood_windows",
  {
    postId: ofPost(),
    number: integer().notNull(),
    openedAt: bigint("opened_at", { mode: "number" }).notNull(),
    lastAt: bigint("last_at", { mode: "number" }).notNull(),
    closedAt: bigint("closed_at", { mode: "number" }),
    usualGapMs: doublePrecision("usual_gap_ms").notNull(),
    recentGapMs: doublePrecision("recent_gap_ms").notNull(),
    ...sixCounters(),
    status: text({ enum: windowStatuses }).notNull(),
    decidedBy: text("decided_by", { enum: windowDeciders }),
    decisions: integer().notNull(),
    settledBefore: doublePrecision("settled_before"),
  },
  (window) => [
    primaryKey({ columns: [window.postId, window.number] }),
    index("flood_windows_by_status").on(window.status, window.lastAt),
  ],
);

/** Every decision on a flood window: what, when, by whom and why. */
export const windowDecisions = pgTable(
  "window_decisions",
  {
    id: serial(),
    postId: ofPost(),
    window: integer().notNull(),
    at: bigint({ mode: "number" }).notNull(),
    status: text({ enum: windowStatuses }).notNull(),
    decidedBy: text("decided_by", { enum: windowDeciders }).notNull(),
    /** The person; null where none decided, or when the account is gone. */
    userId: bigint("user_id", { mode: "number" }).references(() => users.id, { onDelete: "set null" }),
    why: text(),
    /** How many ratings the window had. */
    ratings: integer().notNull(),
  },
  (decision) => [
    index("window_decisions_by_post").on(decision.postId, decision.window),
    index("window_decisions_by_user").on(decision.userId),
  ],
);

/** One try to rate, allowed or not, with what was decided and why: `NewAttempt` of `../types.ts` has the columns. */
export const attempts = pgTable(
  "attempts",
  {
    id: serial(),
    postId: ofPost(),
    userId: bigint("user_id", { mode: "number" }).references(() => users.id, { onDelete: "set null" }),
    at: bigint({ mode: "number" }).notNull(),
    verb: text({ enum: attemptVerbs }).notNull(),
    score: integer().notNull(),
    allowed: boolean().notNull(),
    held: boolean().notNull().default(false),
    policy: text(),
    reason: text(),
    level: doublePrecision(),
  },
  (attempt) => [
    index("attempts_by_post").on(attempt.postId, attempt.at),
    index("attempts_by_time").on(attempt.at),
    index("attempts_by_user").on(attempt.userId),
  ],
);

/** What a policy in shadow would have decided about an attempt. */
export const shadowDecisions = pgTable(
  "shadow_decisions",
  {
    attemptId: bigint("attempt_id", { mode: "number" })
      .notNull()
      .references(() => attempts.id, { onDelete: "cascade" }),
    policy: key().notNull(),
    allowed: boolean().notNull(),
    /** The limiter's `Reason`, as JSON. */
    reason: text().notNull(),
  },
  (decision) => [primaryKey({ columns: [decision.attemptId, decision.policy] })],
);

/** Tokens with which programs act in a user's name: `ApiTokenRow` of `../types.ts` has the columns. */
export const apiTokens = pgTable(
  "api_tokens",
  {
    id: serial(),
    userId: ofUser(),
    name: key().notNull(),
    tokenHash: key("token_hash").notNull().unique(),
    scopes: text().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    lastUsedAt: bigint("last_used_at", { mode: "number" }),
    expiresAt: bigint("expires_at", { mode: "number" }),
  },
  (token) => [uniqueIndex("api_tokens_by_user").on(token.userId, token.name)],
);

/** One limiter state per key, as JSON with its expiry; a row past `expiresAt` says nothing any more and may go. */
export const limiterStates = pgTable(
  "limiter_states",
  {
    key: key().primaryKey(),
    state: text().notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
  },
  (state) => [index("limiter_states_by_expiry").on(state.expiresAt)],
);

/** Each process that serves the app, as it said when it was seen last; `SavedNode` of `../types.ts` has the columns. */
export const nodes = pgTable("nodes", {
  id: key().primaryKey(),
  name: key().notNull(),
  startedAt: bigint("started_at", { mode: "number" }).notNull(),
  seenAt: bigint("seen_at", { mode: "number" }).notNull(),
  round: integer().notNull(),
  report: text().notNull(),
});

/** How often each policy decided what, hour by hour. */
export const limitCounts = pgTable(
  "limit_counts",
  {
    /** A number of hours since 1970. */
    hour: integer().notNull(),
    policy: key().notNull(),
    allowed: bigint({ mode: "number" }).notNull(),
    refused: bigint({ mode: "number" }).notNull(),
    held: bigint({ mode: "number" }).notNull(),
    shadowWouldRefuse: bigint("shadow_would_refuse", { mode: "number" }).notNull(),
  },
  (counts) => [primaryKey({ columns: [counts.hour, counts.policy] })],
);
