/**
 * The settled score: the public score of a post. It follows the raw average of its ratings with inertia, so that no
 * crowd of any size moves it faster than a proven bound (docs/decisions/0017-settled-score.md).
 *
 * Each rating pulls the score towards itself for as long as the time since the rating before it: a thousand ratings in
 * ten minutes pull like ten minutes, not like a thousand ratings. A pull adds speed; the score moves towards the raw
 * average at that speed and stops there. It has a minimum speed until then, so that every rating counts eventually.
 *
 * All functions are pure and take constant time. Times are milliseconds; a clock that runs backwards stands still.
 */
import type { SettledState } from "../../db/types.ts";
import { type Counts, scoreFrom, withRating } from "./score.ts";
import type { Score } from "./scores.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

export type { SettledState };

export interface SettlingSettings {
  /** How many of the first ratings the score follows at once. */
  firstRaters: number;
  /**
   * How many days of a post that is not young any more are one unit of its clock: about how long a change of opinion
   * must last until the score has followed most of it.
   */
  unitDays: number;
}

export const settlingDefaults: SettlingSettings = { firstRaters: 10, unitDays: 24 };

/** How much of its unit a post's clock runs ahead by each time the post's age grows e-fold, while it is young. */
const youngPace = 2 / 3;
/** Below this age the clock of a young post no longer runs faster. */
const youngestMs = minuteMs;
/** Longest time that one rating pulls, in units of the clock. */
const pullMaximum = 0.025;
/** One rating moves the score at once by at most `nudge / raters ** 1.5` stars. */
const nudge = 0.75;
/** Minimum speed, in stars per unit of the clock. */
const drift = 0.04;

export const unrated: SettledState = {
  score: null,
  speed: 0,
  raters: 0,
  firstAt: 0,
  lastRaterAt: 0,
  at: 0,
};

/** The settled score at `now`, with `counts` as they are; null while they are all zero. */
export function settledScoreAt(
  state: SettledState,
  now: number,
  counts: Counts,
  settings = settlingDefaults,
): number | null {
  return scoreFrom(counts).average === null ? null : advance(state, now, counts, settings).score;
}

/** Counts a new rating; `before` are the counters without it. */
export function settledByNewRating(
  state: SettledState,
  now: number,
  before: Counts,
  given: Score,
  settings = settlingDefaults,
): SettledState {
  const after = withRating(before, given, 1);
  const target = scoreFrom(after).average ?? given;
  const at = state.raters === 0 ? now : Math.max(now, state.at);
  const firstAt = state.raters === 0 ? at : state.firstAt;
  const raters = state.raters + 1;
  const counted = { raters, firstAt, lastRaterAt: at, at };
  const { score, speed } = withCountsChanged(state, at, before, after, settings);
  if (score === null || raters <= settings.firstRaters) return { ...counted, score: target, speed: 0 };

  const gap = clock(at - firstAt, settings) - clock(state.lastRaterAt - firstAt, settings);
  const pull = Math.min(gap, pullMaximum) * (given - score) * Math.sign(target - score);
  return { ...counted, ...moveTowards(target, score, Math.max(0, speed + pull), nudge / raters ** 1.5) };
}

/**
 * Applies a change of the counters without a new rater: an update, a withdrawal, a flood window counted or excluded.
 * It adds no pull, otherwise one account could move the score by rating and withdrawing. While raters are few, the
 * score follows at once.
 */
export function settledByChange(
  state: SettledState,
  now: number,
  before: Counts,
  after: Counts,
  settings = settlingDefaults,
): SettledState {
  const at = Math.max(now, state.at);
  const { average } = scoreFrom(after);
  if (state.raters < settings.firstRaters && average !== null)
    return { ...state, score: average, speed: 0, at };
  return { ...state, ...withCountsChanged(state, at, before, after, settings), at };
}

/**
 * Applies a person's decision that undoes the score's movement since it was `since`: the score moves towards the raw
 * average at once, by at most that distance. This is outside the bound, and recorded.
 */
export function settledByTakingBack(
  state: SettledState,
  now: number,
  before: Counts,
  after: Counts,
  since: number,
  settings = settlingDefaults,
): SettledState {
  const changed = settledByChange(state, now, before, after, settings);
  const { average } = scoreFrom(after);
  if (changed.score === null || average === null) return changed;
  const back = (since - changed.score) * Math.sign(average - changed.score);
  return { ...changed, ...moveTowards(average, changed.score, changed.speed, Math.max(0, back)) };
}

/** When the score will have moved by `stars` if no rating comes; null for never. */
export function settledMovesAt(
  { score, speed, firstAt, at }: SettledState,
  counts: Counts,
  stars: number,
  settings = settlingDefaults,
): number | null {
  const { average } = scoreFrom(counts);
  if (score === null || average === null || Math.abs(average - score) < stars) return null;
  return Math.ceil(firstAt + ageAt(clock(at - firstAt, settings) + stars / Math.max(speed, drift), settings));
}

/** The bound on the score's movement within `afterMs` of `at`, after the first raters (theorem of decision 17). */
export function mostMoved(
  { speed, raters, firstAt, at }: SettledState,
  afterMs: number,
  settings = settlingDefaults,
): number {
  const time = clock(at + afterMs - firstAt, settings) - clock(at - firstAt, settings);
  const pulls = 5 * (time ** 2 / 2 + pullMaximum * time);
  return Math.max(speed, drift) * time + pulls + (2 * nudge) / Math.sqrt(raters);
}

/** Score and speed at `now`, if no rating came since the state's time. */
function advance(state: SettledState, now: number, counts: Counts, settings: SettlingSettings) {
  const { score, speed, firstAt } = state;
  const { average } = scoreFrom(counts);
  if (score === null || average === null) return { score, speed };
  const at = Math.max(now, state.at);
  const reach =
    Math.max(speed, drift) * (clock(at - firstAt, settings) - clock(state.at - firstAt, settings));
  return moveTowards(average, score, speed, reach);
}

/** Score and speed after the counters changed: the speed drops to 0 when its direction changes. */
function withCountsChanged(
  state: SettledState,
  at: number,
  before: Counts,
  after: Counts,
  settings: SettlingSettings,
): { score: number | null; speed: number } {
  const { score, speed } = advance(state, at, before, settings);
  if (score === null) return { score, speed };
  const direction = (counts: Counts) => Math.sign((scoreFrom(counts).average ?? score) - score);
  return { score, speed: direction(after) === direction(before) ? speed : 0 };
}

/** Moves by `reach` towards a target, where it stops. */
function moveTowards(target: number, score: number, speed: number, reach: number) {
  const way = target - score;
  return Math.abs(way) <= reach
    ? { score: target, speed: 0 }
    : { score: score + Math.sign(way) * reach, speed };
}

/** A post's clock at an age in milliseconds: logarithmic while young, then linear at one unit per `unitDays`. */
function clock(ageMs: number, settings: SettlingSettings): number {
  const grownMs = grownUpMs(settings);
  if (ageMs <= grownMs) return youngPace * Math.log1p(ageMs / youngestMs);
  return clock(grownMs, settings) + (youngPace * (ageMs - grownMs)) / (grownMs + youngestMs);
}

/** The age in milliseconds at a clock reading: the inverse of `clock`. */
function ageAt(time: number, settings: SettlingSettings): number {
  const grownMs = grownUpMs(settings);
  const grown = clock(grownMs, settings);
  if (time <= grown) return youngestMs * Math.expm1(time / youngPace);
  return grownMs + ((time - grown) * (grownMs + youngestMs)) / youngPace;
}

function grownUpMs({ unitDays }: SettlingSettings): number {
  return youngPace * unitDays * dayMs;
}
