/**
 * Every table of the app, written once for both databases. Times are integer milliseconds since 1970, UTC.
 *
 * A post carries its score as six counters, one per star value, and the state of its settled score. They change in the
 * transaction that changes a rating, so reading a score never scans ratings. The database derives the lists' sort keys
 * from them (generated columns), so that these can be indexed and never disagree with the counters.
 *
 * The search index `posts_search` is not here: SQLite's is a virtual table, PostgreSQL's is in its dialect's schema.
 */
import { sql } from "drizzle-orm";
import type { postgresColumns } from "./dialects/postgres/columns.ts";
import {
  accountChangeActors,
  accountChangeKinds,
  attemptVerbs,
  deciderRoles,
  rankPrior,
  removalKinds,
  type Score,
  windowDeciders,
  windowStatuses,
} from "./types.ts";

/** Every table, typed as PostgreSQL's whichever dialect made it. */
export type Tables = ReturnType<typeof defineTables>;

/** Makes the tables with a dialect's builders. */
export function defineTables(dialect: typeof postgresColumns) {
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
    check,
    expressions,
    isPostgres,
  } = dialect;

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

  const users = table(
    "users",
    {
      id: id(),
      username: text().notNull(),
      /** The username as compared: NFKC and lower case. */
      usernameKey: key("username_key").notNull().unique(),
      /** What it looks like (lib/users/usernames.ts); null until that has been computed for an account from before. */
      usernameSkeleton: key("username_skeleton").unique(),
      /** Its skeleton in lower case; the two are computed together. */
      lowerCaseSkeleton: key("lower_case_skeleton").unique(),
      email: text().notNull(),
      emailKey: key("email_key").notNull().unique(),
      passwordHash: text("password_hash").notNull(),
      isAdministrator: boolean("is_administrator").notNull().default(false),
      /** Whether they decide on floods of other authors' posts, as administrators do. */
      isModerator: boolean("is_moderator").notNull().default(false),
      /** Unused; servers of the version before `sessions` read it during an upgrade. */
      sessionVersion: integer("session_version").notNull().default(1),
      disabledAt: bigint("disabled_at"),
      /** When the account was deleted; what is left of it is removed in the background. */
      deletedAt: bigint("deleted_at"),
      /** The change of `account_changes` for which their ratings are still to be taken out or restored. */
      changeId: bigint("change_id"),
      createdAt: bigint("created_at").notNull(),
      /** When the account began to wait for an administrator's approval; null when it does not wait. */
      pendingSince: bigint("pending_since"),
      /**
       * A keyed hash of the network that the account was registered from.
       * Only while it waits for approval (lib/users/approvals.ts).
       */
      pendingNetwork: key("pending_network"),
    },
    (user) => [
      index("users_by_pending").on(user.pendingSince).where(sql`pending_since is not null`),
      index("users_by_pending_network").on(user.pendingNetwork).where(sql`pending_network is not null`),
      index("users_to_change").on(user.changeId, user.id).where(sql`change_id is not null`),
    ],
  );

  const posts = table(
    "posts",
    {
      id: id(),
      slug: key().notNull().unique(),
      title: text().notNull(),
      authorId: bigint("author_id")
        .notNull()
        .references(() => users.id, { onDelete: "cascade" }),
      createdAt: bigint("created_at").notNull(),
      updatedAt: bigint("updated_at").notNull(),
      /** The ratings that count: those in no flood window, and in windows that are counted. */
      ...sixCounters(),
      /** The settled score as of `settled_at`; null before the first rating. What the rest means: lib/ratings/settled-score.ts. */
      settledScore: real("settled_score"),
      settledVelocity: real("settled_velocity").notNull().default(0),
      settledAt: bigint("settled_at").notNull().default(0),
      raterCount: integer("rater_count").notNull().default(0),
      firstRatedAt: bigint("first_rated_at").notNull().default(0),
      lastRaterAt: bigint("last_rater_at").notNull().default(0),
      /** How many flood windows there were. */
      windowCount: integer("window_count").notNull().default(0),
      /** What the flood detector remembers, as JSON; null before its first rating. */
      detector: text(),
      /** When the post is due for an update even without a rating; null for never. */
      dueAt: bigint("due_at"),
      /** Since when the post waits for its ratings to be replayed; null when it does not. */
      replayDueAt: bigint("replay_due_at"),
      /** When the post was deleted; its rows are removed in the background. */
      deletedAt: bigint("deleted_at"),
      ratingCount: integer("rating_count")
        .notNull()
        .generatedAlwaysAs(sql`count_0 + count_1 + count_2 + count_3 + count_4 + count_5`),
      rankScore: real("rank_score")
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
      index("posts_by_replay_due").on(post.replayDueAt).where(sql`replay_due_at is not null`),
      check("counts_not_negative", expressions.countsNotNegative),
    ],
  );

  /** The post that a row is about, and goes with. */
  function ofPost() {
    return bigint("post_id")
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" });
  }

  /** The user that a row is about, and goes with. */
  function ofUser() {
    return bigint("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" });
  }

  /** Apart from `posts`, so that moving a counter never rewrites a long text and listing never reads one. */
  const postContents = table(
    "post_contents",
    {
      postId: bigint("post_id")
        .primaryKey()
        .references(() => posts.id, { onDelete: "cascade" }),
      content: text().notNull(),
      /**
       * The content rendered and sanitised (lib/markdown).
       * Null when it could not be rendered, or has not been yet.
       */
      html: text(),
      /** The renderer version that made `html`, or failed to; 0 when none has tried. */
      renderer: integer().notNull().default(0),
      /**
       * When `html` was made.
       * A trigger clears `html` when a content changes and this does not: a node of an older version wrote it.
       */
      renderedAt: bigint("rendered_at"),
    },
    (content) => [index("post_contents_by_renderer").on(content.renderer, content.postId)],
  );

  const ratings = table(
    "ratings",
    {
      postId: ofPost(),
      userId: ofUser(),
      score: integer().notNull().$type<Score>(),
      createdAt: bigint("created_at").notNull(),
      updatedAt: bigint("updated_at").notNull(),
      /** The number of the post's flood window that it fell in. */
      window: integer(),
    },
    (rating) => [
      primaryKey({ columns: [rating.postId, rating.userId] }),
      index("ratings_by_user").on(rating.userId),
      index("ratings_in_no_window").on(rating.postId, rating.updatedAt).where(expressions.inNoWindow),
      index("ratings_in_window")
        .on(rating.postId, rating.window, rating.updatedAt)
        .where(expressions.inWindow),
      check("score_in_range", expressions.scoreInRange),
    ],
  );

  /** Ratings of disabled accounts: out of all counters until the account is enabled. The columns are those of `ratings`. */
  const disabledRatings = table(
    "disabled_ratings",
    {
      postId: ofPost(),
      userId: ofUser(),
      score: integer().notNull().$type<Score>(),
      createdAt: bigint("created_at").notNull(),
      updatedAt: bigint("updated_at").notNull(),
      window: integer(),
    },
    (rating) => [
      primaryKey({ columns: [rating.postId, rating.userId] }),
      index("disabled_ratings_by_user").on(rating.userId),
    ],
  );

  /**
   * Changes of accounts, with who made them, when and why.
   * Disabling, enabling, approving, rejecting, changes of roles, and invitations.
   */
  const accountChanges = table(
    "account_changes",
    {
      id: id(),
      kind: text({ enum: accountChangeKinds }).notNull(),
      at: bigint().notNull(),
      /** Null for a change that an earlier version recorded without it. */
      actor: text({ enum: accountChangeActors }),
      /** The administrator; null for another actor, or when the account is gone. */
      byUserId: bigint("by_user_id").references(() => users.id, { onDelete: "set null" }),
      why: text(),
      /** How many there were, also those that are gone by now. */
      accounts: integer().notNull().default(0),
      /** The sum of `accountChangeUsers.deciders`, also of accounts that are gone by now. */
      deciders: integer().notNull().default(0),
      /** The names of accounts that the change removed, a line each. */
      removedNames: text("removed_names"),
      /** How many ratings the accounts had when their ratings were moved. */
      ratings: integer().notNull().default(0),
      /** How many of them are taken out or restored. */
      ratingsMoved: integer("ratings_moved").notNull().default(0),
    },
    (change) => [
      index("account_changes_by_person").on(change.byUserId),
      index("account_changes_of_deciders").on(change.at).where(sql`deciders <> 0`),
    ],
  );

  const accountChangeUsers = table(
    "account_change_users",
    {
      changeId: bigint("change_id")
        .notNull()
        .references(() => accountChanges.id, { onDelete: "cascade" }),
      userId: ofUser(),
      /** 1 when the change gave the user the right to decide on floods, -1 when it took that away. */
      deciders: integer().notNull().default(0),
    },
    (change) => [
      primaryKey({ columns: [change.changeId, change.userId] }),
      index("account_changes_by_user").on(change.userId),
    ],
  );

  /** Ratings of new accounts, which do not count yet (lib/ratings/waiting-ratings.ts). */
  const waitingRatings = table(
    "waiting_ratings",
    {
      postId: ofPost(),
      userId: ofUser(),
      score: integer().notNull().$type<Score>(),
      createdAt: bigint("created_at").notNull(),
      countsFrom: bigint("counts_from").notNull(),
      /** As in `attempts`. */
      network: text(),
    },
    (rating) => [
      primaryKey({ columns: [rating.postId, rating.userId] }),
      index("waiting_ratings_by_user").on(rating.userId),
      index("waiting_ratings_by_time").on(rating.countsFrom),
      check("waiting_score_in_range", sql`score in (0, 1, 2, 3, 4, 5)`),
    ],
  );

  /** Users who withdrew a rating: given again it is not new, and returns to the window that it fell in. */
  const formerRaters = table(
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
  const ratingDays = table(
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
  const floodWindows = table(
    "flood_windows",
    {
      postId: ofPost(),
      number: integer().notNull(),
      openedAt: bigint("opened_at").notNull(),
      lastAt: bigint("last_at").notNull(),
      closedAt: bigint("closed_at"),
      usualGapMs: real("usual_gap_ms").notNull(),
      recentGapMs: real("recent_gap_ms").notNull(),
      ...sixCounters(),
      status: text({ enum: windowStatuses }).notNull(),
      decidedBy: text("decided_by", { enum: windowDeciders }),
      decisions: integer().notNull(),
    },
    (window) => [
      primaryKey({ columns: [window.postId, window.number] }),
      index("flood_windows_by_status").on(window.status, window.lastAt),
    ],
  );

  /** Every decision on a flood window: result, time, person and reason. */
  const windowDecisions = table(
    "window_decisions",
    {
      id: id(),
      postId: ofPost(),
      window: integer().notNull(),
      at: bigint().notNull(),
      status: text({ enum: windowStatuses }).notNull(),
      decidedBy: text("decided_by", { enum: windowDeciders }).notNull(),
      /** The person; null where none decided, or when the account is gone. */
      userId: bigint("user_id").references(() => users.id, { onDelete: "set null" }),
      /** What made the person a decider at the time; null where none decided. */
      role: text({ enum: deciderRoles }),
      why: text(),
      /** How many ratings the window had. */
      ratings: integer().notNull(),
    },
    (decision) => [
      index("window_decisions_by_post").on(decision.postId, decision.window),
      index("window_decisions_by_user").on(decision.userId),
    ],
  );

  /** Authors' requests to review a flood window of their post; at most one is open for each window. */
  const reviewRequests = table(
    "review_requests",
    {
      id: id(),
      postId: ofPost(),
      window: integer().notNull(),
      at: bigint().notNull(),
      why: text().notNull(),
      /** When a person decided on the window; null while the request is open. */
      answeredAt: bigint("answered_at"),
    },
    (request) => [
      uniqueIndex("open_review_requests").on(request.postId, request.window).where(sql`answered_at is null`),
      index("open_review_requests_by_time").on(request.at).where(sql`answered_at is null`),
      index("review_requests_by_post").on(request.postId),
    ],
  );

  /**
   * Attempts to rate: those of one account at one post within a minute that were decided alike are one row, with the last
   * of them and its reason. An account that tries without pause adds no row for each try.
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
      /** The policy that refused, or else the post's own; null when none was checked, or an access rule decided. */
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
      ...(isPostgres ? [index("attempts_by_time").on(attempt.at)] : []),
    ],
  );

  /** What a policy in shadow would have decided about an attempt. */
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

  /** The attempts at a post, counted by minute and by hour, so that a chart of any number of them takes few rows. */
  const attemptCounts = table(
    "attempt_counts",
    {
      ...ofInterval(),
      accepted: integer().notNull(),
      held: integer().notNull(),
      refused: integer().notNull(),
      /** Of what the post's own policy measured before it decided; null when it measured nothing. */
      lowest: real(),
      highest: real(),
    },
    (counts) => [
      primaryKey({ columns: [counts.postId, counts.intervalMs, counts.beginsAt] }),
      index("attempt_counts_by_time").on(counts.intervalMs, counts.beginsAt),
    ],
  );

  /** How often a policy in shadow disagreed with what was decided, counted by minute and by hour. */
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

  /** Tokens with which programs act in a user's name. */
  const apiTokens = table(
    "api_tokens",
    {
      id: id(),
      userId: ofUser(),
      name: key().notNull(),
      /** SHA-256 of the token, in hexadecimal: the token itself is kept nowhere. */
      tokenHash: key("token_hash").notNull().unique(),
      /** What it may do: words parted by spaces. */
      scopes: text().notNull(),
      createdAt: bigint("created_at").notNull(),
      lastUsedAt: bigint("last_used_at"),
      /** When it expires; null for never. */
      expiresAt: bigint("expires_at"),
    },
    (token) => [uniqueIndex("api_tokens_by_user").on(token.userId, token.name)],
  );

  /** Sessions of browsers and programs; a session ends when its row is removed. */
  const sessions = table(
    "sessions",
    {
      id: id(),
      userId: ofUser(),
      /** SHA-256 of the cookie's token, in hexadecimal; the token itself is not stored. */
      tokenHash: key("token_hash").notNull().unique(),
      /** The browser or program and its system, such as "Firefox on Linux". */
      device: text().notNull(),
      createdAt: bigint("created_at").notNull(),
      /** To a few minutes. */
      lastUsedAt: bigint("last_used_at").notNull(),
      /** When the session passed a second factor; null when it has not. */
      secondFactorAt: bigint("second_factor_at"),
    },
    (row) => [
      index("sessions_by_user").on(row.userId, row.lastUsedAt),
      index("sessions_by_last_use").on(row.lastUsedAt),
    ],
  );

  /** The secrets of one-time codes (TOTP), by which users log in with a second factor. */
  const totpSecrets = table("totp_secrets", {
    userId: bigint("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Encrypted (lib/second-factor/sealed.ts). */
    sealedSecret: text("sealed_secret").notNull(),
    createdAt: bigint("created_at").notNull(),
    /** When a first code was given; null while the second factor is off. */
    confirmedAt: bigint("confirmed_at"),
    /** The time step of the last code that was accepted. */
    lastStep: bigint("last_step").notNull().default(0),
  });

  /** Codes that replace a lost second factor, each once. */
  const recoveryCodes = table(
    "recovery_codes",
    {
      userId: ofUser(),
      /** SHA-256, in hexadecimal; the code itself is not stored. */
      codeHash: key("code_hash").notNull(),
    },
    (code) => [primaryKey({ columns: [code.userId, code.codeHash] })],
  );

  /** Links with which a person may register, once each. */
  const invitations = table(
    "invitations",
    {
      id: id(),
      /** SHA-256 of the link's token, in hexadecimal: the token itself is kept nowhere. */
      tokenHash: key("token_hash").notNull().unique(),
      /** What the administrator has noted, such as who it is for. */
      note: text().notNull(),
      createdBy: bigint("created_by").references(() => users.id, { onDelete: "set null" }),
      createdAt: bigint("created_at").notNull(),
      expiresAt: bigint("expires_at").notNull(),
      usedAt: bigint("used_at"),
      /** The account that it made; null while unused, or when the account is gone. */
      usedBy: bigint("used_by").references(() => users.id, { onDelete: "set null" }),
    },
    (invitation) => [
      index("invitations_by_creator").on(invitation.createdBy),
      index("invitations_by_user").on(invitation.usedBy),
    ],
  );

  /** One limiter state per key, as JSON; a row past `expiresAt` no longer counts and may be deleted. */
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

  /** How often each policy decided what, hour by hour. */
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

  /** The latest time that is trusted, in one row (lib/trusted-time.ts). */
  const trustedTime = table("trusted_time", {
    id: integer().primaryKey(),
    at: bigint().notNull(),
    /** A clock that is not trusted yet: its first and its last time, and how long servers ran with it. */
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

  return {
    users,
    posts,
    postContents,
    ratings,
    waitingRatings,
    formerRaters,
    ratingDays,
    floodWindows,
    windowDecisions,
    reviewRequests,
    attempts,
    shadowDecisions,
    attemptCounts,
    shadowCounts,
    apiTokens,
    sessions,
    totpSecrets,
    recoveryCodes,
    invitations,
    limiterStates,
    nodes,
    limitCounts,
    replayClaims,
    trustedTime,
    removals,
    disabledRatings,
    accountChanges,
    accountChangeUsers,
  };
}
