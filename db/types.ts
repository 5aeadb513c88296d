/**
 * The database's interface, the same for SQLite and PostgreSQL. `contract.ts` is the suite that both pass.
 *
 * Times are integer milliseconds since 1970, UTC. Every method rejects when the database cannot be used, with an error
 * that `isUnavailable` recognises.
 */
import type { Reason } from "../lib/limiter/index.ts";
import type { CountColumns, Counts } from "./counts.ts";

/**
 * The prior of the Bayesian average by which "top" sorts: a post is ranked as if it had, before its first
 * rating, this many ratings of this score. Written once here; shown to readers by the "How scores work" page.
 */
export const rankPrior = { ratings: 10, score: 2.5 } as const;

export const windowStatuses = ["held", "counted", "excluded"] as const;
export const windowDeciders = ["shape", "time", "person"] as const;
/** What makes a person the decider on a flood window. */
export const deciderRoles = ["author", "author-administrator", "moderator", "administrator"] as const;
export const attemptVerbs = ["create", "update"] as const;
export const sorts = ["newest", "top", "most-rated"] as const;

export type WindowStatus = (typeof windowStatuses)[number];
export type WindowDecider = (typeof windowDeciders)[number];
export const accountChangeKinds = ["disable", "enable"] as const;
export const removalKinds = ["post", "account"] as const;
export type DeciderRole = (typeof deciderRoles)[number];
export type Sort = (typeof sorts)[number];
export type Score = 0 | 1 | 2 | 3 | 4 | 5;

export interface Database {
  users: UserQueries;
  posts: PostQueries;
  ratings: RatingQueries;
  waitingRatings: WaitingRatingQueries;
  tallies: TallyQueries;
  floodWindows: FloodWindowQueries;
  reviewRequests: ReviewRequestQueries;
  attempts: AttemptQueries;
  limiterStates: LimiterStateQueries;
  apiTokens: ApiTokenQueries;
  invitations: InvitationQueries;
  operations: OperationQueries;
  removals: RemovalQueries;
  accountChanges: AccountChangeQueries;
  /**
   * Runs `work` in a transaction and resolves to what it resolves to; rejects with what it rejects with, and nothing
   * is saved. Every query that `work` makes is part of the transaction. A transaction within another is part of that one,
   * and rolls back alone when it fails; nested ones run one after the other.
   *
   * A query that fails fails the whole transaction, caught or not: only a transaction within it may fail alone.
   * `work` awaits nothing but the database, and may run more than once: one of two conflicting transactions runs again.
   */
  transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** As `transaction`, without waiting for other writers: then it rejects with an error that `isUnavailable` recognises. */
  transactionNow<T>(work: () => Promise<T>): Promise<T>;
  /** How busy the connections are, where there is more than one. */
  poolFigures?(): PoolFigures;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface TransactionOptions {
  /** Names what the transaction will lock: those with the same key wait for each other before they enter the database. */
  lockKey?: string | undefined;
}

/** How many connections there are, how many of them are in use, and how many callers wait for one. */
export interface PoolFigures {
  size: number;
  busy: number;
  waiting: number;
}

export interface UserRow {
  id: number;
  username: string;
  /** The username as compared: NFKC and lower case. */
  usernameKey: string;
  /** What the username looks like; null until that has been computed for an account from before. */
  usernameSkeleton: string | null;
  email: string;
  emailKey: string;
  passwordHash: string;
  isAdministrator: boolean;
  isModerator: boolean;
  /** Raised to end every session of the user at once. */
  sessionVersion: number;
  disabledAt: number | null;
  /** The change of accounts for which their ratings are still to be moved; null for none. */
  changeId: number | null;
  /** Always null in what is found. */
  deletedAt: number | null;
  /** When the account began to wait for an administrator's approval; null when it does not wait. */
  pendingSince: number | null;
  createdAt: number;
}

export type NewUser = Omit<
  UserRow,
  | "id"
  | "usernameSkeleton"
  | "isModerator"
  | "sessionVersion"
  | "disabledAt"
  | "changeId"
  | "deletedAt"
  | "pendingSince"
> & {
  usernameSkeleton?: string;
  pendingSince?: number;
};

/** Users who are deleted are found by none of these. */
export interface UserQueries {
  byId(id: number): Promise<UserRow | undefined>;
  /** As `byId`; in a transaction, locks the user, and rows that refer to the user, until it ends. */
  lock(id: number): Promise<UserRow | undefined>;
  /** A user who may act; in a transaction, they are not deleted or disabled before it ends. */
  active(id: number): Promise<{ registeredAt: number } | undefined>;
  byUsernameKey(key: string): Promise<UserRow | undefined>;
  emailTaken(key: string): Promise<boolean>;
  /** Whether there is a user whose username looks like this. */
  skeletonTaken(skeleton: string): Promise<boolean>;
  /** Users whose skeleton has not been computed, the oldest first. */
  withoutSkeleton(limit: number): Promise<{ id: number; username: string }[]>;
  /** Sets a skeleton that is missing; one that is there stays. Rejects when another user has this skeleton. */
  setSkeleton(id: number, skeleton: string): Promise<void>;
  /** Whether there is no user yet. In a transaction, no other registers first, or removes the last administrator, before it ends. */
  isFirst(): Promise<boolean>;
  /** Rejects when the username or the email is taken. Resolves to the new user's id. */
  insert(user: NewUser): Promise<number>;
  setPasswordAndEndSessions(id: number, passwordHash: string): Promise<void>;
  endSessions(id: number): Promise<void>;
  setDisabledAt(id: number, disabledAt: number | null): Promise<void>;
  /** Makes an administrator, whose account then waits for no approval, or no longer. */
  setAdministrator(id: number, isAdministrator: boolean): Promise<void>;
  /** The users who wait for approval, those who have waited longest first. */
  pending(limit: number): Promise<UserRow[]>;
  approve(id: number): Promise<void>;
  setModerator(id: number, isModerator: boolean): Promise<void>;
  /** All moderators, in the order in which they registered. */
  moderators(): Promise<{ username: string }[]>;
  /** Whether any other user is an administrator or moderator, and not disabled. */
  hasDeciderBesides(id: number): Promise<boolean>;
  /** When a user registered; undefined when there is no such user. */
  registeredAt(id: number): Promise<number | undefined>;
  /**
   * Whether another user is an administrator and not disabled. In a transaction, they stay one until that
   * ends.
   */
  hasAdministratorBesides(id: number): Promise<boolean>;
  /** The number of the account made last, which is about how many there are; 0 when there is none. */
  newestId(): Promise<number>;
  /** All users, in the order in which they registered. */
  all(): Promise<UserRow[]>;
  /** Makes the oldest account that is not disabled an administrator's when there is no administrator who can log in. */
  keepAnAdministrator(): Promise<void>;
  /**
   * Deletes a user at once for all readers and erases their name and address; their rows are for `removals`. In a
   * transaction, after `lock`.
   */
  markDeleted(id: number, now: number): Promise<void>;
  /** Removes the row of a user whose posts and ratings are removed. */
  remove(id: number): Promise<void>;
}

/** The state of a post's settled score, besides its six counters (lib/ratings/settled-score.ts). */
export interface SettledState {
  /** The settled score at `at`; null before the first counted rating. */
  score: number | null;
  /** How fast the ratings pull it up, or down when negative, in stars per unit of the post's clock. */
  velocity: number;
  /** How many new ratings have been counted since the first one, or by the last replay. */
  raters: number;
  /** When the first of them came. */
  firstAt: number;
  /** When the last of them came. */
  lastRaterAt: number;
  /** When the score was computed. */
  at: number;
}

/** A post as every page shows it, without its content. */
export interface Post {
  id: number;
  slug: string;
  title: string;
  authorId: number;
  author: string;
  createdAt: number;
  updatedAt: number;
  counts: Counts;
  /** The input of the settled score. */
  settled: SettledState;
  /** How many flood windows there were. */
  windowCount: number;
  rankScore: number;
}

/** A post in a list, with the viewer's own score; null when they have none. */
export interface ListedPost extends Post {
  myScore: number | null;
}

export interface ListRequest {
  sort: Sort;
  limit: number;
  /** The last post of the page before, with its sort value. */
  after?: { key: number; id: number } | undefined;
  /** Words folded for search: a post has all of them, the last one at least as a beginning. */
  search?: readonly string[] | undefined;
  authorId?: number | undefined;
  viewerId?: number | undefined;
}

/** A post's text, with the HTML that was made of it. */
export interface PostText {
  content: string;
  /** Sanitised; null when the content could not be rendered, or has not been yet. */
  html: string | null;
  /** The version of the renderer that made the HTML, or could not; 0 when none has tried. */
  renderer: number;
}

export interface PostInput extends PostText {
  title: string;
  /** The two as search sees them. */
  searchTitle: string;
  searchContent: string;
}

/** Posts that are deleted, or whose author is, are found by none of these. */
export interface PostQueries {
  bySlug(slug: string): Promise<Post | undefined>;
  idOf(slug: string): Promise<PostKey | undefined>;
  /** As `idOf`; in a transaction, locks the post and its ratings until it ends. */
  lock(slug: string): Promise<PostKey | undefined>;
  textOf(id: number): Promise<PostText | undefined>;
  /** Texts that no renderer of this version or a later one has tried, at most `limit` of them: of new posts first. */
  textsToRender(renderer: number, limit: number): Promise<{ postId: number; content: string }[]>;
  /** Saves what a renderer made of a content, unless the post has another one by now. */
  saveHtml(id: number, text: PostText, now: number): Promise<void>;
  /** The slugs of the newest posts with the times of their last change, newest first. */
  recent(limit: number): Promise<{ slug: string; updatedAt: number }[]>;
  list(request: ListRequest): Promise<ListedPost[]>;
  /** Resolves to the new post's id; call it in a transaction. */
  insert(post: PostInput & { slug: string; authorId: number; createdAt: number }): Promise<number>;
  /** Replaces a post's title and content; call it in a transaction. */
  update(id: number, post: PostInput, now: number): Promise<void>;
  /** Deletes a post at once for all readers and frees its slug; its rows are for `removals`. Call it after `lock`. */
  markDeleted(id: number, now: number): Promise<void>;
  /** Marks posts of a deleted user in the same way, at most `limit` of them; resolves to how many there were. */
  markDeletedOf(authorId: number, now: number, limit: number): Promise<number>;
  /** Whether any post of a user is left, deleted or not. */
  anyOf(authorId: number): Promise<boolean>;
  /** Removes the row of a post whose other rows are removed. */
  remove(id: number): Promise<void>;
}

export interface PostKey {
  id: number;
  authorId: number;
}

/** A rating as it is saved. The post's counters are kept apart, by `tallies`: call these in one transaction with that. */
export interface RatingToSave {
  postId: number;
  userId: number;
  score: Score;
  window: number | null;
  now: number;
}

/** A saved rating, with what a withdrawal needs. */
export interface SavedRating {
  score: Score;
  createdAt: number;
  window: number | null;
}

/** A rating of an account that is disabled or enabled. */
export interface MovableRating extends SavedRating {
  userId: number;
  updatedAt: number;
  /** The change because of which it is moved. */
  changeId: number;
}

export interface RatingQueries {
  find(postId: number, userId: number): Promise<(SavedRating & { updatedAt: number }) | undefined>;
  /** The window to which a rating that was withdrawn returns when it is given again; undefined when none was. */
  findFormer(postId: number, userId: number): Promise<{ window: number | null } | undefined>;
  /** Saves a new rating. Rejects when there is one already. */
  insert(rating: RatingToSave): Promise<void>;
  /** Replaces a rating, `from` being the old one. */
  update(rating: RatingToSave, from: SavedRating): Promise<void>;
  /** Withdraws a rating, and remembers that there was one. */
  remove(postId: number, userId: number, from: SavedRating): Promise<void>;
  /** Removes a rating without a trace. */
  erase(postId: number, userId: number, from: SavedRating): Promise<void>;
  /** Moves ratings from `ratings` to where they count nowhere. */
  setAside(postId: number, ratings: readonly MovableRating[]): Promise<void>;
  /** Moves them back, but those of users who rated or withdrew since; resolves to the ones that are back. */
  restore(postId: number, ratings: readonly MovableRating[]): Promise<MovableRating[]>;
  /** A post that a user has rated; undefined when there is none. */
  anyRatedBy(userId: number): Promise<number | undefined>;
  /** Puts a rating in a window. */
  setWindow(postId: number, userId: number, window: number): Promise<void>;
  /** The ratings of a post that were given or changed last and are in no window, newest first, without this user's. */
  recentInNoWindow(
    postId: number,
    besides: number,
    limit: number,
  ): Promise<{ userId: number; at: number; score: Score; registeredAt: number }[]>;
  /**
   * The ratings of a post in a window, or in none (null), in the order of their last change and then of their users, from
   * after this place on.
   */
  inOrder(
    postId: number,
    window: number | null,
    after: { at: number; userId: number },
    limit: number,
  ): Promise<{ userId: number; at: number; score: Score }[]>;
  /** When the latest ratings of a window, or of none (null), were given, and their raters registered. */
  registrations(
    postId: number,
    window: number | null,
    limit: number,
  ): Promise<{ at: number; registeredAt: number }[]>;
  /** How many ratings of each score were given on each day that had any; a day is a number of UTC days since 1970. */
  days(postId: number): Promise<{ day: number; counts: Counts }[]>;
  /** The counters as a scan of the ratings finds them: what the post's own must equal. */
  recount(postId: number): Promise<Counts>;
  /** A window's counters as a scan of the ratings finds them. */
  recountWindow(postId: number, window: number): Promise<Counts>;
}

/** A new account's rating, which does not count yet. */
export interface WaitingRating {
  score: Score;
  createdAt: number;
  /** When it begins to count. */
  countsFrom: number;
}

export interface WaitingRatingQueries {
  find(postId: number, userId: number): Promise<WaitingRating | undefined>;
  /** Saves a rating; one that is there keeps its times. */
  save(rating: WaitingRating & { postId: number; userId: number }): Promise<void>;
  /** Resolves to whether there was one. */
  remove(postId: number, userId: number): Promise<boolean>;
  postpone(postId: number, userId: number, countsFrom: number): Promise<void>;
  /** Ratings that begin to count by `now`, those that have waited longest first, without those of disabled users. */
  due(
    now: number,
    limit: number,
  ): Promise<{ postId: number; slug: string; userId: number; username: string }[]>;
}

/** What the flood detector (lib/ratings/flood-detector.ts) remembers of a post, as JSON. Times are milliseconds. */
export interface DetectorState {
  /** The time of the latest rating. */
  at: number;
  site: UsualRatings;
  /** How many ratings the memory of the rate holds, and of how much time; both fade. */
  ratings: number;
  spanMs: number;
  /** Weights of scores and age bands in the past. */
  scores: Counts;
  ages: readonly number[];
  /** The sums by score, then age band. */
  sums: readonly (readonly number[])[];
  /** By score: how many ratings came since the sums began to rise, above what is usual for the time. */
  rises: Counts;
  /** By score: how many more ratings pass; null for a score that is not flooded. */
  credits: readonly (number | null)[];
}

/** Usual ratings on the site, a prior for a new post. */
export interface UsualRatings {
  perHour: number;
  /** The share of each score. */
  scores: Counts;
  /** The share of each age band. */
  ages: readonly number[];
}

export interface SavedTally {
  counts: Counts;
  settled: SettledState;
  windowCount: number;
  /** Null before the detector has seen a rating. */
  detector: DetectorState | null;
  /** When the post is due for an update even without a rating; null for never. */
  dueAt: number | null;
}

/** A post as an example of what is usual. */
export interface RatedPost {
  counts: Counts;
  raters: number;
  firstAt: number;
  lastRaterAt: number;
  detector: DetectorState | null;
}

export interface ReplayRequest {
  postId: number;
  /** About when it was made; each request of a post has another time. */
  at: number;
}

export interface TallyQueries {
  /** Rejects when there is no such post. In a transaction, locks the tally until it ends. */
  find(postId: number): Promise<SavedTally>;
  /** Saves all of a tally but its windows. Call it in a transaction, with what was found in it. */
  save(postId: number, tally: SavedTally): Promise<void>;
  /** Makes every post with a held window due: its result under other settings may be wrong. */
  makeHeldDue(): Promise<void>;
  /**
   * The newest post of each author, of those with at least `fewest` ratings, newest first: what is usual on the site.
   */
  examples(wanted: { fewest: number; createdBefore: number; limit: number }): Promise<RatedPost[]>;
  /** The posts due for an update by `now`, those that have waited longest first. */
  due(now: number, limit: number): Promise<number[]>;
  /** Makes a post wait for its ratings to be replayed. */
  requestReplay(postId: number, at: number): Promise<void>;
  /** Ends a post's request unless there was another one since. */
  endReplayRequest(request: ReplayRequest): Promise<void>;
  /** The posts that wait for a replay, those whose request is oldest first. */
  replaysRequested(limit: number): Promise<ReplayRequest[]>;
}

/** A flood window (lib/ratings/flood-window.ts). */
export interface FloodWindow {
  /** The post's first window is 1. */
  number: number;
  /** When its first rating came, the run-up included. */
  openedAt: number;
  /** When its last rating came. */
  lastAt: number;
  /** When the flood was over; null while the window is open. */
  closedAt: number | null;
  /** The mean gap between the post's ratings before. */
  usualGapMs: number;
  /** The moving average of the gaps in the window. */
  recentGapMs: number;
  /** Its ratings, as they are now. */
  counts: Counts;
  status: WindowStatus;
  /** Who or what decided last: the shape of its ratings, the time passed, a person; null without a decision. */
  decidedBy: WindowDecider | null;
  /** The number of decisions so far: a new decision names the last one that its maker has seen. */
  decisions: number;
}

export interface NewWindowDecision {
  window: number;
  at: number;
  status: WindowStatus;
  decidedBy: WindowDecider;
  /** The person; absent where none decided. */
  userId?: number | undefined;
  role?: DeciderRole | undefined;
  why?: string | undefined;
  /** How many ratings the window had. */
  ratings: number;
}

export interface SavedWindowDecision {
  id: number;
  window: number;
  at: number;
  status: WindowStatus;
  decidedBy: WindowDecider;
  /** What made the person a decider at the time; null where none decided. */
  role: DeciderRole | null;
  why: string | null;
  ratings: number;
  /** Null where no person decided, or when the account is gone. */
  username: string | null;
}

export interface WindowOfPost {
  slug: string;
  title: string;
  author: string;
  window: FloodWindow;
}

export interface FloodWindowQueries {
  /** A post's flood windows, the newest first. */
  all(postId: number): Promise<FloodWindow[]>;
  /** The windows of a post that are open or held, and those with these numbers. */
  inPlay(postId: number, last: number, also: number | null): Promise<FloodWindow[]>;
  save(postId: number, window: FloodWindow): Promise<void>;
  recordDecision(postId: number, decision: NewWindowDecision): Promise<void>;
  /** The decisions on a post's windows, the newest first. */
  decisionsOf(postId: number, limit: number): Promise<SavedWindowDecision[]>;
  /** The last decision on a window. */
  lastDecisionOn(postId: number, window: number): Promise<{ role: DeciderRole | null } | undefined>;
  /** Windows of all posts with this status, those rated last first. */
  byStatus(status: WindowStatus, limit: number): Promise<WindowOfPost[]>;
  /** How many windows of all posts have this status. */
  countByStatus(status: WindowStatus): Promise<number>;
}

/** An author's request to review a flood window of their post. */
export interface ReviewRequest {
  window: number;
  at: number;
  why: string;
}

export interface ReviewRequestQueries {
  /** Saves an open request. Rejects when there is one for the window. */
  insert(postId: number, request: ReviewRequest): Promise<void>;
  /** The open requests for a post's windows, the newest first. */
  openOf(postId: number): Promise<ReviewRequest[]>;
  /** The open requests of all posts, the newest first. */
  open(limit: number): Promise<(WindowOfPost & { request: ReviewRequest })[]>;
  /** Closes the request for a window, if there is one. */
  answer(postId: number, window: number, at: number): Promise<void>;
}

/** One try to rate, allowed or not, with what was decided and why. */
export interface NewAttempt {
  postId: number;
  userId: number | null;
  at: number;
  verb: (typeof attemptVerbs)[number];
  score: number;
  allowed: boolean;
  /** Whether it fell in a flood window that did not count then. */
  held: boolean;
  /** The policy that refused, or else the post's own; null when none was checked, or an access rule decided. */
  policy: string | null;
  /** The limiter's `Reason`, as JSON; null when no policy was checked. */
  reason: string | null;
  /**
   * What the post's own policy measured before it decided, for the chart: a bucket's level, the tokens left, what was
   * used of a window or a log, what was used today, or the EMA's Z. Null when it measured nothing.
   */
  level: number | null;
}

/** What a policy in shadow would have decided about an attempt. */
export interface NewShadowDecision {
  policy: string;
  allowed: boolean;
  /** The limiter's `Reason`, as JSON. */
  reason: string;
}

/** Attempts of one user within a minute that were decided alike: how many, and the last of them. */
export interface SavedAttempt extends Omit<NewAttempt, "postId" | "userId" | "level" | "reason"> {
  id: number;
  count: number;
  /** The time from the first of them to the last. */
  lastedMs: number;
  reason: Reason | null;
  username: string | null;
  shadows: { attemptId: number; policy: string; allowed: boolean; reason: Reason }[];
}

export interface AttemptQueries {
  /** Records an attempt, and what policies in shadow would have decided. Call it in a transaction. */
  insert(attempt: NewAttempt, shadows?: readonly NewShadowDecision[]): Promise<void>;
  /** The newest attempts at a post, newest first, each with the limiter's reason and the decisions of shadow policies. */
  latest(postId: number, limit: number): Promise<SavedAttempt[]>;
  /**
   * When a post's newest attempts were, oldest of them first. Of more than two of one user within a minute, those between
   * the first and the last are spread evenly.
   */
  times(postId: number, limit: number): Promise<number[]>;
  /** The times of a post's first and last attempt; null when there was none. */
  span(postId: number): Promise<{ first: number | null; last: number | null }>;
  /**
   * Accepted, held and refused, and the lowest and the highest level in each interval that had an attempt, by the
   * interval's number. An interval is a number of minutes, and of hours when `from` is longer ago than minutes are kept.
   */
  perInterval(
    postId: number,
    from: number,
    intervalMs: number,
  ): Promise<
    {
      interval: number;
      accepted: number;
      held: number;
      refused: number;
      lowest: number | null;
      highest: number | null;
    }[]
  >;
  /** How often each policy in shadow disagreed with what was decided, by intervals as in `perInterval`. */
  disagreements(
    postId: number,
    from: number,
    intervalMs: number,
  ): Promise<
    { policy: string; interval: number; wouldRefuse: number; wouldAccept: number; agreed: number }[]
  >;
  /** Removes attempts from before `at`, at most `limit` rows; resolves to how many there were. */
  removeBefore(at: number, limit: number): Promise<number>;
  /** Removes the counts of minutes, or of hours, from before `at`, at most `limit` rows of each kind. */
  removeCountsBefore(interval: "minute" | "hour", at: number, limit: number): Promise<number>;
}

export interface LimiterStateToSave {
  key: string;
  /** JSON-serialisable. */
  state: unknown;
  /** When it expires; never when absent. */
  expiresAt?: number | undefined;
}

export interface LimiterStateQueries {
  /**
   * The states under these keys, in their order, each as it was saved, or undefined when there is none or its time has
   * passed. In a transaction, locks them until it ends: load all of them in one call, or two
   * transactions may wait for each other.
   */
  load(keys: readonly string[], now: number): Promise<unknown[]>;
  /** Saves states; one that has expired already is removed. */
  save(states: readonly LimiterStateToSave[], now: number): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /** Removes states whose time has passed, at most `limit` of them; resolves to how many there were. */
  removeExpired(now: number, limit: number): Promise<number>;
}

/** An invitation as administrators see it. */
export interface SavedInvitation {
  id: number;
  note: string;
  createdAt: number;
  expiresAt: number;
  usedAt: number | null;
  /** Null while unused, or when the account is gone. */
  usedBy: string | null;
}

export interface InvitationQueries {
  insert(invitation: {
    tokenHash: string;
    note: string;
    createdBy: number;
    createdAt: number;
    expiresAt: number;
  }): Promise<void>;
  /** Whether there is an unused invitation that expires later than `now`. */
  isOpen(tokenHash: string, now: number): Promise<boolean>;
  /** Uses an open invitation up; resolves to its number, undefined when it is not open. Of two at once, one gets it. */
  use(tokenHash: string, now: number): Promise<number | undefined>;
  /** Notes the account that a used invitation has made. */
  setUser(id: number, userId: number): Promise<void>;
  /** The newest invitations, newest first. */
  latest(limit: number): Promise<SavedInvitation[]>;
  /** Removes an invitation that has not been used. */
  removeUnused(id: number): Promise<void>;
}

/** A token with which a program acts in a user's name. */
export interface ApiTokenRow {
  id: number;
  userId: number;
  name: string;
  /** SHA-256 of the token, in hexadecimal: the token itself is kept nowhere. */
  tokenHash: string;
  /** What it may do: words parted by spaces. */
  scopes: string;
  createdAt: number;
  /** About when it was used last; null when it never was. */
  lastUsedAt: number | null;
  /** When it expires; null for never. */
  expiresAt: number | null;
}

export type NewApiToken = Omit<ApiTokenRow, "id" | "lastUsedAt">;

export interface ApiTokenQueries {
  byHash(tokenHash: string): Promise<ApiTokenRow | undefined>;
  /** A user's tokens, the newest first. */
  ofUser(userId: number): Promise<ApiTokenRow[]>;
  /** Saves a token; false when its user has one of this name already. Rejects when there is one of this hash. */
  insert(token: NewApiToken): Promise<boolean>;
  setLastUsedAt(id: number, lastUsedAt: number): Promise<void>;
  /** Removes a token when it is this user's. */
  remove(id: number, userId: number): Promise<void>;
}

/** A node's report on itself. */
export interface SavedNode {
  /** Another one each time that a process starts. */
  id: string;
  name: string;
  startedAt: number;
  seenAt: number;
  /** How many times it has added to the counts of limits. */
  round: number;
  /** JSON-serialisable. */
  report: unknown;
}

/** What a policy decided within an hour, on all nodes. */
export interface LimitCounts {
  policy: string;
  /** A number of hours since 1970. */
  hour: number;
  allowed: number;
  refused: number;
  held: number;
  shadowWouldRefuse: number;
}

/** Nodes and limits, for operators. */
export interface OperationQueries {
  /** Saves a node's report in place of the one before. */
  saveNode(node: SavedNode): Promise<void>;
  removeNode(id: string): Promise<void>;
  /** Every node, by name. */
  nodes(): Promise<SavedNode[]>;
  /** The round of a node; undefined when there is no such node. */
  roundOf(id: string): Promise<number | undefined>;
  removeNodesNotSeenSince(at: number): Promise<void>;
  /** Adds to the counts of each policy and hour; each pair occurs at most once in a call. */
  addLimitCounts(counts: readonly LimitCounts[]): Promise<void>;
  /** The counts from an hour on, by hour and then policy. */
  limitCountsFrom(hour: number): Promise<LimitCounts[]>;
  removeLimitCountsBefore(hour: number): Promise<void>;
}

/** A deleted post or account whose rows are being removed. */
export interface Removal {
  id: number;
  kind: (typeof removalKinds)[number];
  /** The post's or the user's number. */
  subjectId: number;
  startedAt: number;
  /** How many ratings there were. */
  ratings: number;
  ratingsRemoved: number;
}

export interface RemovalQueries {
  /** All removals, the oldest first. */
  all(): Promise<Removal[]>;
  /**
   * A removal that no other transaction works at, posts before accounts; undefined when there is none. Locks it until the
   * transaction ends.
   */
  claim(besides?: readonly number[]): Promise<Removal | undefined>;
  addRemovedRatings(id: number, ratings: number): Promise<void>;
  end(id: number): Promise<void>;
  /** Removes rows of one table that go with a post, about `limit`; resolves to how many, and how many were ratings. */
  removeOfPost(postId: number, limit: number): Promise<{ rows: number; ratings: number }>;
  /** The same for a user, but their posts and ratings: what others wrote about stays, without them. */
  removeOfUser(userId: number, limit: number): Promise<number>;
}

export interface NewAccountChange {
  kind: (typeof accountChangeKinds)[number];
  at: number;
  byUserId: number | null;
  why: string | null;
}

/** Accounts that were disabled or enabled together. */
export interface AccountChange extends Omit<NewAccountChange, "byUserId"> {
  id: number;
  /** The administrator's name; null for the operator's command, or when the account is gone. */
  by: string | null;
  accounts: number;
  ratings: number;
  ratingsMoved: number;
  /** How many of the accounts have ratings that are still to be moved. */
  waiting: number;
}

export interface AccountChangeQueries {
  insert(change: NewAccountChange): Promise<number>;
  /** Adds a user, whose ratings are to be moved from now on. */
  addUser(changeId: number, userId: number): Promise<void>;
  /** The latest changes, newest first. */
  latest(limit: number): Promise<AccountChange[]>;
  /** Some names of a change's accounts, in the order of registration. */
  usernames(changeId: number, limit: number): Promise<string[]>;
  /** How many ratings these users have of how many posts, set aside or not. */
  countRatings(
    userIds: readonly number[],
    where: "counted" | "set aside",
  ): Promise<{ ratings: number; postIds: number[] }>;
  isWaiting(): Promise<boolean>;
  /** A user whose ratings are to be moved, and whom no other transaction has locked; locks them until the transaction ends. */
  claim(): Promise<{ userId: number; changeId: number; isDisabled: boolean } | undefined>;
  /** A post with a rating of the user's to move. */
  postToChange(userId: number, isDisabled: boolean): Promise<number | undefined>;
  /** All ratings of a post that are to be moved the same way; their users stay as they are until the transaction ends. */
  ratingsToMove(postId: number, isDisabled: boolean): Promise<(MovableRating & { registeredAt: number })[]>;
  addMoved(changeId: number, ratings: number): Promise<void>;
  /** Ends the wait of a user whose ratings are moved, unless it is for another change by now. */
  end(userId: number, changeId: number): Promise<void>;
}

export type { CountColumns, Counts };
