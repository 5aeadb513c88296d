import { isAmount } from "../settings.ts";
import type { MeterState } from "./metered.ts";

/**
 * The state of the gap detector (ema.ts) for a key.
 * Its usual gap between requests, how far gaps deviate from it, and how recent gaps compare.
 *
 * Three guards keep one event from spoiling the baseline. An observed gap counts as at most `LONGEST_GAP` usual ones,
 * so an idle day weighs no more than a slow minute. The mean may rise freely but shrinks only at a bounded pace, so a flood,
 * refused or not, cannot make itself usual before it has lasted. Deviations are learnt only while recent gaps look
 * usual, so a run of short gaps cannot buy tolerance for the rest of itself.
 */
export type EmaState = {
  /** When the last allowed request came. */
  allowedAt: number;
  /** How many were refused since: all that a refusal changes. */
  refused: number;
  /**
   * Number of requests, refused ones included, and the time they took.
   * The two sums decay at the same rate.
   */
  count: number;
  spanMs: number;
  /** The usual gap, μ: spanMs / count, held back where that shrinks too fast. */
  meanGapMs: number;
  /**
   * The squared deviation of gaps in units of μ², (σ/μ)².
   * 0 for a metronome, 1 for Poisson arrivals.
   */
  spread: number;
  /**
   * The fast average of gaps between allowed requests.
   * Never above μ, so that idling earns no credit.
   */
  recentGapMs: number;
  /** The level of the floor's bucket, where there is a floor. */
  floor?: MeterState;
};

export type BaselinePace = {
  /** Sums fall to 1/e in this time, */
  memoryMs: number;
  /** but where requests are rare this many are kept however long they took. */
  memoryGaps: number;
  /** The mean shrinks e-fold in this time at the fastest, */
  shrinkMs: number;
};

const LONGEST_GAP = 5;
// A flood may outweigh the past of a young key in about twice the key's age.
const OVERTURN_SPANS = 2;
const CLOCK_TICK_MS = 1;
// Traffic more irregular than this is judged as if it were this irregular: otherwise no flood could ever stand out.
const LARGEST_SPREAD = 2;
// The spread is learnt while recent gaps are at most this many deviations short.
const USUAL_Z = 1;

/**
 * The state after a key's first request.
 * One request has no gap yet, so the spread starts as Poisson's.
 *
 * @param prior the usual gap assumed, as if that number of gaps had been seen
 */
export function firstState(now: number, prior = { gapMs: 0, gaps: 0 }): EmaState {
  const { gapMs, gaps } = prior;
  return stateOf(now, gaps, gaps * gapMs, gapMs, 1, gapMs);
}

/**
 * The state updated by an allowed request and the refused ones before it.
 *
 * @param now when it came, milliseconds
 * @param cost how many requests it stands for: they shared the gap evenly
 * @param recentGapMs the fast average with this gap in it
 * @param z how many deviations short that average is
 */
export function learn(
  state: EmaState,
  now: number,
  cost: number,
  recentGapMs: number,
  z: number,
  pace: BaselinePace,
): EmaState {
  const gapMs = Math.max(0, now - state.allowedAt);
  const arrivals = state.refused + cost;
  if (state.count === 0) {
    const meanGapMs = gapMs / arrivals;
    return stateOf(now, arrivals, gapMs, meanGapMs, 1, meanGapMs);
  }
  const savedMeanMs = Math.max(CLOCK_TICK_MS, state.spanMs / state.count);
  const observedMs = Math.min(gapMs, LONGEST_GAP * savedMeanMs * arrivals);
  const kept =
    gapMs === 0 ? 1 : Math.max(Math.exp(-gapMs / pace.memoryMs), power(1 - 1 / pace.memoryGaps, arrivals));
  const count = state.count * kept + arrivals;
  const spanMs = state.spanMs * kept + observedMs;
  const summedMeanMs = spanMs / count;
  // The exponential is 1 at most, and takes longer than a comparison.
  const meanGapMs =
    summedMeanMs >= state.meanGapMs ? summedMeanMs : Math.max(summedMeanMs, shrunkMean(state, gapMs, pace));
  const spread = z > USUAL_Z ? state.spread : spreadAfter(state, gapMs / cost, cost);
  return stateOf(now, count, spanMs, meanGapMs, spread, Math.min(recentGapMs, meanGapMs));
}

/** The mean after a gap in which it shrank at the fastest. */
function shrunkMean({ meanGapMs, spanMs }: EmaState, gapMs: number, { shrinkMs }: BaselinePace): number {
  if (gapMs === 0) return meanGapMs;
  const paceMs = Math.max(CLOCK_TICK_MS, Math.min(shrinkMs, OVERTURN_SPANS * spanMs));
  return meanGapMs * Math.exp(-gapMs / paceMs);
}

/**
 * The state after a refusal, which is only counted.
 * When the clock ran back, it starts over.
 */
export function afterRefusal(state: EmaState, now: number, cost: number): EmaState {
  return {
    allowedAt: Math.min(state.allowedAt, now),
    refused: state.refused + cost,
    count: state.count,
    spanMs: state.spanMs,
    meanGapMs: state.meanGapMs,
    spread: state.spread,
    recentGapMs: state.recentGapMs,
  };
}

/** Makes states with one property order: the engine's fast paths need one shape. */
function stateOf(
  allowedAt: number,
  count: number,
  spanMs: number,
  meanGapMs: number,
  spread: number,
  recentGapMs: number,
): EmaState {
  return { allowedAt, refused: 0, count, spanMs, meanGapMs, spread, recentGapMs };
}

function spreadAfter(state: EmaState, gapMs: number, cost: number): number {
  if (state.meanGapMs === 0) return state.spread;
  const deviation = Math.min(gapMs / state.meanGapMs, LONGEST_GAP) - 1;
  const weight = cost / (state.count + cost);
  return Math.min(LARGEST_SPREAD, state.spread + (deviation * deviation - state.spread) * weight);
}

/** `base ** exponent`, quick for 1: the general power costs more than the decision. */
export function power(base: number, exponent: number): number {
  return exponent === 1 ? base : base ** exponent;
}

/** States come from stores that validate nothing. */
export function isEmaState(state: unknown): state is EmaState {
  if (typeof state !== "object" || state === null) return false;
  const read: { [Name in keyof EmaState]?: unknown } = state;
  return (
    Number.isFinite(read.allowedAt) &&
    isAmount(read.refused) &&
    isAmount(read.count) &&
    isAmount(read.spanMs) &&
    isAmount(read.meanGapMs) &&
    isAmount(read.spread) &&
    isAmount(read.recentGapMs)
  );
}
