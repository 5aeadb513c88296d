/** Conversion of the databases' rows to the app's values. */
import type { Reason } from "../lib/limiter/index.ts";
import { type CountColumns, takeCounts } from "./counts.ts";
import type {
  FloodWindow,
  LimiterStateToSave,
  SavedLimiterState,
  SettledState,
  ShownWindow,
} from "./types.ts";

interface SettledColumns {
  settledScore: number | null;
  settledVelocity: number;
  settledAt: number;
  raterCount: number;
  firstRatedAt: number;
  lastRaterAt: number;
}

/** The settled score's state of a row, apart from the rest of it. */
export function takeSettled<Row extends SettledColumns>(row: Row) {
  const { settledScore, settledVelocity, settledAt, raterCount, firstRatedAt, lastRaterAt, ...rest } = row;
  const settled: SettledState = {
    score: settledScore,
    velocity: settledVelocity,
    raters: raterCount,
    firstAt: firstRatedAt,
    lastRaterAt,
    at: settledAt,
  };
  return { settled, rest };
}

interface ChosenColumns {
  chosenLang: string | null;
  detectedLang: string | null;
  chosenExcerpt: string | null;
  excerpt: string | null;
}

/**
 * A post.
 * Its `lang` and `excerpt` are the author's choices, else those that were made of its text.
 */
export function toPost<Row extends CountColumns & SettledColumns & ChosenColumns>(row: Row) {
  const { counts, rest } = takeCounts(row);
  const { settled, rest: post } = takeSettled(rest);
  const lang = post.chosenLang ?? post.detectedLang;
  return Object.assign(post, { lang, excerpt: post.chosenExcerpt ?? post.excerpt, counts, settled });
}

export function toWindow(row: Omit<FloodWindow, "counts"> & CountColumns & { postId: number }): FloodWindow {
  const { counts, rest } = takeCounts(row);
  const { postId: _, ...window } = rest;
  return { ...window, counts };
}

/** A window with the number of all ratings that arrived in it. */
export function toShownWindow({
  withdrawn,
  ...row
}: Parameters<typeof toWindow>[0] & { withdrawn: number }): ShownWindow {
  const window = toWindow(row);
  return { ...window, withdrawn, arrived: window.counts.reduce((sum, some) => sum + some, withdrawn) };
}

/** A limiter's reason, as it was saved. */
export function reasonFrom(saved: string): Reason {
  return JSON.parse(saved);
}

/** The expiry of a limiter state that stays. */
export const forever = Number.MAX_SAFE_INTEGER;

export const rowSlackMaximumMs = 3_600_000;

/**
 * When a limiter state's row expires, in milliseconds: later than its state.
 * By a slack as long as the state lives, at most an hour, so that most updates leave the row's expiry unchanged:
 * a row may then outlive its state by two slacks.
 */
export function rowExpiry(expiresAt: number, now: number, slacks = 1): number {
  return Math.min(expiresAt + slacks * Math.min(expiresAt - now, rowSlackMaximumMs), forever);
}

/**
 * A limiter state's row: the state, its expiry and the time of its update.
 * Undefined when absent, or of an earlier version.
 */
export function limiterStateFrom(saved: string | undefined): SavedLimiterState | undefined {
  if (saved === undefined) return undefined;
  const row: unknown = JSON.parse(saved);
  if (!Array.isArray(row)) return undefined;
  const [state, expiresAt, writtenAt]: unknown[] = row;
  if (typeof expiresAt !== "number") return undefined;
  return { state, expiresAt, writtenAt: typeof writtenAt === "number" ? writtenAt : undefined };
}

/**
 * The limiter state in a row.
 * Undefined when absent, expired, or of an earlier version.
 */
export function stateIn(saved: string | undefined, now: number): unknown {
  const row = limiterStateFrom(saved);
  return row && row.expiresAt > now ? row.state : undefined;
}

/** A limiter state as its row holds it. */
export function limiterStateText(
  { state, writtenAt }: LimiterStateToSave,
  until: number,
  now: number,
): string {
  return JSON.stringify([state, until, writtenAt ?? now]);
}
