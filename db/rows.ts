/** Rows as both databases give them, as what the app is given. */
import type { Reason } from "../lib/limiter/index.ts";
import { type CountColumns, takeCounts } from "./counts.ts";
import type { FloodWindow, SettledState } from "./types.ts";

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

export function toPost<Row extends CountColumns & SettledColumns>(row: Row) {
  const { counts, rest } = takeCounts(row);
  const { settled, rest: post } = takeSettled(rest);
  return { ...post, counts, settled };
}

export function toWindow(row: Omit<FloodWindow, "counts"> & CountColumns & { postId: number }): FloodWindow {
  const { counts, rest } = takeCounts(row);
  const { postId: _, ...window } = rest;
  return { ...window, counts };
}

/** A limiter's reason, as it was saved. */
export function reasonFrom(saved: string): Reason {
  return JSON.parse(saved);
}

/** The expiry of a limiter state that stays. */
export const forever = Number.MAX_SAFE_INTEGER;

/**
 * The limiter state in a saved pair of state and expiry.
 * Undefined when absent, expired, or of an earlier version.
 */
export function stateIn(saved: string | undefined, now: number): unknown {
  if (saved === undefined) return undefined;
  const pair: unknown = JSON.parse(saved);
  if (!Array.isArray(pair)) return undefined;
  const [state, expiresAt]: unknown[] = pair;
  return typeof expiresAt === "number" && expiresAt > now ? state : undefined;
}
