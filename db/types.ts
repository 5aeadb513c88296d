// Over 200 lines: a list, of the rows' types.

/** The database's constants and the types of its rows, without its queries. */
import type { Counts } from "./counts.ts";

/**
 * The prior of the Bayesian average by which "top" sorts.
 * A post is ranked as if it had, before its first rating, this many ratings of this score. Written once here; shown to
 * readers by the "How scores work" page.
 */
export const rankPrior = { ratings: 10, score: 2.5 } as const;

export const windowStatuses = ["held", "counted", "excluded"] as const;
/** The statuses that a decision can give. */
export const decidedStatuses = ["counted", "excluded"] as const;
export const windowDeciders = ["shape", "time", "person"] as const;
/** The right that makes a person the decider on a flood window. */
export const deciderRoles = ["author", "author-administrator", "moderator", "administrator"] as const;
export const attemptVerbs = ["create", "update"] as const;
export const sorts = ["newest", "top", "most-rated"] as const;

export type WindowStatus = (typeof windowStatuses)[number];
export type DecidedStatus = (typeof decidedStatuses)[number];
export type WindowDecider = (typeof windowDeciders)[number];
export const accountChangeKinds = [
  "disable",
  "enable",
  "make-administrator",
  "remove-administrator",
  "make-moderator",
  "remove-moderator",
  "make-writer",
  "remove-writer",
  "decline-writer",
  "approve",
  "reject",
  "delete",
  "make-invitation",
  "use-invitation",
  "withdraw-invitation",
  "end-sessions",
  "unpublish",
  "publish",
  "feature",
  "unfeature",
  "remove-image",
  "change-settings",
  "add-webhook",
  "change-webhook",
  "enable-webhook",
  "disable-webhook",
  "renew-webhook",
  "remove-webhook",
  "remove-subscriber",
  "export-subscribers",
  "export-site",
  "export-site-with-emails",
  "export-account",
  "import-posts",
] as const;
export type AccountChangeKind = (typeof accountChangeKinds)[number];
/**
 * The maker of an account's change.
 * An administrator, the operator's command, its owner, the server where it would have no administrator, or an upgrade.
 */
export const accountChangeActors = ["administrator", "operator", "owner", "server", "upgrade"] as const;
export type AccountChangeActor = (typeof accountChangeActors)[number];
export const removalKinds = ["post", "account"] as const;
/** The kinds of mail, each with limits of its own (lib/mail/kinds.ts). */
export const mailKinds = [
  "password-changed",
  "password-reset",
  "confirm-email",
  "confirm-registration",
  "confirm-new-email",
  "email-change",
  "email-changed",
  "flood",
  "decisions",
  "undecided-floods",
  "confirm-subscription",
  "new-posts",
  "test",
] as const;
/** The events that webhooks report. */
export const webhookEvents = ["post.published", "flood.opened", "flood.decided", "webhook.test"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** Why a webhook is off: by an administrator, after failures, or by a 410. */
export const webhookEndings = ["administrator", "failures", "gone"] as const;
/** The purpose of a link in an email to an account. */
export const mailLinkKinds = ["password-reset", "confirm-email", "restore-email"] as const;
export type MailLinkKind = (typeof mailLinkKinds)[number];
export type MailKind = (typeof mailKinds)[number];
export type DeciderRole = (typeof deciderRoles)[number];
export type Sort = (typeof sorts)[number];
export type Score = 0 | 1 | 2 | 3 | 4 | 5;

/** A place in a list by time: the time of a row, and the number of its post. */
export interface TimePlace {
  at: number;
  id: number;
}

/** The file in a folder of images with the id of the database that it belongs to. */
export const databaseIdFile = "database-id";

/** Before all rows of a list that begins with the latest. */
export const listStart: TimePlace = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/**
 * The state of a settled score, besides its counters.
 * See lib/ratings/score/settled-score.ts.
 */
export interface SettledState {
  /** The settled score at `at`; null before the first counted rating. */
  score: number | null;
  /**
   * How fast the ratings pull it up, or down when negative.
   * In stars per unit of the post's clock.
   */
  velocity: number;
  /** The number of new ratings counted since the first one, or by the last replay. */
  raters: number;
  /** When the first of them came. */
  firstAt: number;
  /** When the last of them came. */
  lastRaterAt: number;
  /** When the score was computed. */
  at: number;
}

/** A tag of posts. */
export interface Tag {
  /** Unique; made from the name. */
  slug: string;
  name: string;
}

/** A post's text, with the HTML that was made of it. */
export interface PostText {
  content: string;
  /** Sanitised; null when the content could not be rendered, or has not been yet. */
  html: string | null;
  /** The renderer version that made the HTML, or failed to; 0 when none has tried. */
  renderer: number;
}

/** The summary of a post's text in lists. */
export interface PostSummary {
  /** The language that the text was recognised as (BCP 47); null when it was not. */
  detectedLang: string | null;
  /** The text's beginning, without markup. */
  excerpt: string | null;
  readingMinutes: number | null;
}

/** Saving a post keeps those optional fields that are absent. */
export interface PostInput extends PostText, Partial<PostSummary> {
  title: string;
  /** The author's choice of a language; null for the detected one. */
  chosenLang?: string | null | undefined;
  /** The author's own excerpt; null for the text's beginning. */
  chosenExcerpt?: string | null | undefined;
  /** The two as search sees them. */
  searchTitle: string;
  searchContent: string;
}

/**
 * The flood detector's state of a post, as JSON.
 * See lib/ratings/floods/flood-detector.ts. Times are milliseconds.
 */
export interface DetectorState {
  /** The time of the latest rating. */
  at: number;
  site: SiteBaseline;
  /** How many ratings the memory of the rate holds, and of how much time; both fade. */
  ratings: number;
  spanMs: number;
  /** Weights of scores and age bands in the past. */
  scores: Counts;
  ages: readonly number[];
  /** The sums by score, then age band. */
  sums: readonly (readonly number[])[];
  /**
   * By score, then age band: the surplus of ratings over the usual rate.
   * The usual rate is that of all ratings from accounts of such an age.
   */
  rises: readonly (readonly number[])[];
  /** By score: how many more ratings pass; null for a score that is not flooded. */
  credits: readonly (number | null)[];
}

/** Usual ratings on the site, a prior for a new post. */
export interface SiteBaseline {
  perHour: number;
  /** The share of each score. */
  scores: Counts;
  /** The share of each age band. */
  ages: readonly number[];
}

/** A flood window (lib/ratings/floods/flood-window.ts). */
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
  /**
   * The maker of the last decision; null without one.
   * The ratings' shape, the time that has passed, or a person.
   */
  decidedBy: WindowDecider | null;
  /**
   * The number of decisions so far.
   * A new decision names the last one that its maker has seen.
   */
  decisions: number;
}

/** A flood window as people see it, which all pages count alike. */
export interface ShownWindow extends FloodWindow {
  /** How many of its ratings were withdrawn, and not given again. */
  withdrawn: number;
  /** All ratings that arrived in the flood: those in `counts` and the withdrawn ones. */
  arrived: number;
}

export interface LimiterStateToSave {
  key: string;
  /** JSON-serialisable. */
  state: unknown;
  /** When it expires; never when absent. */
  expiresAt?: number | undefined;
  /** The time of the update that made it; that of the save when absent. */
  writtenAt?: number | undefined;
}

/** A limiter state's row: also that of a state that has expired. */
export interface SavedLimiterState {
  state: unknown;
  expiresAt: number;
  /** The time of the update that made it; undefined when an earlier version saved it. */
  writtenAt: number | undefined;
}

export interface LimiterStateQueries {
  /**
   * Reads the rows under these keys, in their order, and the database clock's lead.
   * The lead over this node's clock is in milliseconds: several nodes count time by that one. Locks the states as
   * `load` does.
   */
  loadToUpdate(
    keys: readonly string[],
  ): Promise<{ saved: (SavedLimiterState | undefined)[]; aheadMs: number }>;
  /**
   * The states under these keys, in their order, each as it was saved.
   * Undefined when there is none or its time has passed. In a transaction, locks them until it ends: load all of them
   * in one call, or two transactions may wait for each other.
   */
  load(keys: readonly string[], now: number): Promise<unknown[]>;
  /** Saves states; one that has expired already is removed. */
  save(states: readonly LimiterStateToSave[], now: number): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /** Removes at most `limit` states whose time has passed; resolves to their number. */
  removeExpired(now: number, limit: number): Promise<number>;
}
