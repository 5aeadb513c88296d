/** Generated traffic: the times of requests, always the same for the same seed. */

import { seededRandom } from "../random/seeded-random.ts";
import type { Score } from "../ratings/score/score.ts";
import { secondMs } from "../time/units.ts";
import type { TraceRequest } from "./simulate.ts";

/**
 * The start of generated traffic.
 * It is a midnight, so that the time since then reads like the time of day.
 */
export const traceStart = Date.UTC(2026, 0, 5);

/**
 * Independent people (a Poisson process).
 * Each arrives at random, on average `perSecond` a second at each moment, which is never more than `most`.
 */
export function independent({
  seed,
  fromMs = 0,
  untilMs,
  most,
  perSecond = () => most,
}: {
  seed: number;
  fromMs?: number;
  untilMs: number;
  most: number;
  perSecond?: (atMs: number) => number;
}): number[] {
  const random = seededRandom(seed);
  const times: number[] = [];
  for (let atMs = fromMs; ; ) {
    atMs -= (Math.log(1 - random()) * secondMs) / most;
    if (atMs >= untilMs) return times;
    if (random() * most < perSecond(atMs)) times.push(Math.floor(atMs));
  }
}

/**
 * Arrivals of a campaign whose rate decays exponentially.
 * It halves every `halfLifeMs`.
 */
export function decaying({
  seed,
  fromMs,
  untilMs,
  perSecond,
  halfLifeMs,
}: {
  seed: number;
  fromMs: number;
  untilMs: number;
  perSecond: number;
  halfLifeMs: number;
}): number[] {
  const left = (atMs: number) => 0.5 ** ((atMs - fromMs) / halfLifeMs);
  return independent({ seed, fromMs, untilMs, most: perSecond, perSecond: (atMs) => perSecond * left(atMs) });
}

/** So many requests, one every `gapMs`. */
export function regular(count: number, gapMs: number, fromMs = 0): number[] {
  return Array.from({ length: count }, (_, index) => fromMs + index * gapMs);
}

/** Honest readers' ratings, over and over: 4.4 on average. */
export const likedScores: readonly Score[] = [5, 4, 5, 4, 5, 3, 5, 4, 5, 5, 4, 4, 5, 5, 3, 5, 4, 5, 2, 5];

/**
 * Requests by the milliseconds since the trace began.
 * Those of a known kind are ratings: zeros of a flood, and honest readers' scores.
 */
export function requestsAt(times: readonly number[], kind?: "honest" | "flood"): TraceRequest[] {
  return times.map((atMs, index) => ({
    at: traceStart + atMs,
    ...(kind && { kind, score: kind === "flood" ? 0 : (likedScores[index % likedScores.length] ?? 5) }),
  }));
}

/** Several traffics as one, in order of time; at the same time in the order given. */
export function together(...traffics: readonly TraceRequest[][]): TraceRequest[] {
  return traffics.flat().toSorted((one, other) => one.at - other.at);
}
