/**
 * Types of ratings.
 * They have a file of their own, which the modules for old and for new accounts share.
 */
import type { Database } from "../../db/index.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard, Refused } from "../limits/types.ts";
import type { EmailVerification } from "../site/schema.ts";
import type { User } from "../users/types.ts";
import type { Invalid } from "../validation.ts";
import type { NetworkHasher } from "./networks.ts";
import type { Score } from "./score/score.ts";
import type { TallySettings } from "./tally/tally.ts";

/** The database, and the settings that bring a score up to date. */
export interface ScoringContext {
  database: Database;
  /** How scores settle and how long floods are held. */
  scoring: TallySettings;
}

/** The dependencies and settings of a rating. */
export interface RatingContext extends ScoringContext {
  limits: Limits;
  guard: Guard;
  /**
   * How long a rating over a limit may wait before it is refused, in milliseconds.
   * 0 by default.
   */
  ratingMaxWaitMs?: number;
  /**
   * How long an account's ratings do not count after its registration.
   * In milliseconds; 0 by default.
   */
  newAccountMs?: number;
  /** Whether raters must have confirmed their addresses; `off` by default. */
  emailVerification?: EmailVerification;
  /**
   * Hashes raters' networks, as evidence beside their ratings.
   * Left out: networks are unknown.
   */
  hashNetwork?: NetworkHasher;
}

export interface RatingRequest {
  slug: string;
  user: Pick<User, "id" | "username" | "isPending" | "mustConfirmEmail">;
  /** The client's address, as limits count it. */
  address: string;
  /** Unvalidated: `{ score }`. */
  input: unknown;
  /** Milliseconds. */
  now: number;
}

export type RatingOutcome =
  | { kind: "saved"; score: Score }
  /** Saved, but in a flood window that is not counted. */
  | { kind: "held"; score: Score }
  /** Saved, and counted from then on: the account is new. */
  | { kind: "waiting"; score: Score; countsFrom: number }
  | Refused
  | Invalid
  /** The account was deleted or disabled meanwhile. */
  | { kind: "not-logged-in" }
  | { kind: "no-such-post" }
  | { kind: "already-rated" }
  | { kind: "not-rated" };
