// Over 200 lines: one law, with its derivation.

/**
 * The settled score: the public score of a post.
 * It follows the raw average of its ratings with inertia, so that no crowd of any size moves it faster than a proven
 * bound (docs/decisions/0033-settled-score-second-law.md).
 *
 * Each rating pulls the score towards itself for as long as the time since the rating before it: a thousand ratings in
 * ten minutes pull like ten minutes, not like a thousand ratings. A pull adds velocity, which is signed: up or down. The
 * score moves towards the raw average at its velocity and stops there. It has a minimum speed until then, so that every
 * rating counts eventually. A velocity that leads away from the average is kept for later; at rest it decays.
 *
 * All functions are pure and take constant time. Times are milliseconds; a clock that runs backwards stands still.
 */
import type { SettledState } from "../../../db/types.ts";
import { dayMs, minuteMs } from "../../time/units.ts";
import type { Score } from "./score.ts";
import { type Counts, type RatingSum, scoreFrom, sumOf } from "./score.ts";

export type { SettledState };

export interface SettlingSettings {
  /** Up to this number of ratings, the score is their raw average. */
  firstRaters: number;
  /**
   * How many days of a post that is not young any more are one unit of its clock.
   * About how long a change of opinion must last until the score has followed most of it.
   */
  unitDays: number;
}

export const settlingDefaults: SettlingSettings = { firstRaters: 10, unitDays: 24 };

/**
 * How far a young post's clock runs ahead.
 * As a share of its unit, each time the post's age grows e-fold.
 */
const youngPace = 2 / 3;
/** Below this age the clock of a young post no longer runs faster. */
const youngestMs = minuteMs;
/** Longest time that one rating pulls, in units of the clock. */
const pullMaximum = 0.025;
/** One rating moves the score at once by at most `nudge / raters ** 1.5` stars. */
const nudge = 0.75;
/** Minimum speed, in stars per unit of the clock. */
const drift = 0.04;
/**
 * The time in which a resting score's velocity falls e-fold.
 * In units of the clock.
 */
const restUnits = 0.02;

export const unrated: SettledState = {
  score: null,
  velocity: 0,
  raters: 0,
  firstAt: 0,
  lastRaterAt: 0,
  at: 0,
};

/**
 * The settled score at `now`, with `counts` as they are.
 * Null while they are all zero.
 */
export function settledScoreAt(
  state: SettledState,
  now: number,
  counts: Counts,
  settings = settlingDefaults,
): number | null {
  const { average } = scoreFrom(counts);
  return average === null ? null : read(state, now, average, settings).score;
}

/** The state at `now`, with `counts` as they are. */
export function settledAt(
  state: SettledState,
  now: number,
  counts: Counts,
  settings = settlingDefaults,
): SettledState {
  return read(state, now, scoreFrom(counts).average, settings);
}

/** Counts a new rating; `before` are the counters without it. */
export function settledByNewRating(
  state: SettledState,
  now: number,
  before: Counts,
  given: Score,
  settings = settlingDefaults,
): SettledState {
  return settledByRater(state, now, sumOf(before), given, settings);
}

/** As `settledByNewRating`, from the sum of the ratings before. */
export function settledByRater(
  state: SettledState,
  now: number,
  before: RatingSum,
  given: Score,
  settings = settlingDefaults,
): SettledState {
  const { score, velocity, at } = read(state, now, averageOf(before), settings);
  const firstAt = state.raters === 0 ? at : state.firstAt;
  const raters = state.raters + 1;
  const counted = { raters, firstAt, lastRaterAt: at, at };
  const count = before.count + 1;
  const average = (before.stars + given) / count;
  if (score === null || count <= settings.firstRaters) return { ...counted, score: average, velocity: 0 };

  const lastRaterAt = state.raters === 0 ? at : state.lastRaterAt;
  const gap = clock(at - firstAt, settings) - clock(lastRaterAt - firstAt, settings);
  const pull = Math.min(gap, pullMaximum) * (given - score);
  const nudged = moveTowards(average, score, nudge / Math.max(raters, count) ** 1.5);
  return { ...counted, score: nudged, velocity: velocity + pull };
}

/**
 * Applies a change of the counters without a new rater.
 * An update, a withdrawal, a flood window counted or held. It adds no pull, otherwise one account could move the
 * score by rating and withdrawing. While ratings are few, the score is their average.
 */
export function settledByChange(
  state: SettledState,
  now: number,
  before: Counts,
  after: Counts,
  settings = settlingDefaults,
): SettledState {
  const settled = read(state, now, scoreFrom(before).average, settings);
  const { average, count } = scoreFrom(after);
  const follows = average !== null && (settled.score === null || count <= settings.firstRaters);
  return follows ? { ...settled, score: average, velocity: 0 } : settled;
}

/** When the score will have moved by `stars` if no rating comes; null for never. */
export function settledMovesAt(
  { score, velocity, firstAt, at }: SettledState,
  counts: Counts,
  stars: number,
  settings = settlingDefaults,
): number | null {
  const { average } = scoreFrom(counts);
  if (score === null || average === null || Math.abs(average - score) < stars) return null;
  const time = stars / speedTowards(average, score, velocity);
  return Math.ceil(firstAt + ageAt(clock(at - firstAt, settings) + time, settings));
}

/**
 * The bound on the score's movement within `afterMs` of `at`.
 * It holds after the first raters (theorem of decision 33).
 */
export function mostMoved(
  { velocity, raters, firstAt, at }: SettledState,
  afterMs: number,
  settings = settlingDefaults,
): number {
  const time = clock(at + afterMs - firstAt, settings) - clock(at - firstAt, settings);
  const pulls = 5 * (time ** 2 / 2 + pullMaximum * time);
  return Math.max(Math.abs(velocity), drift) * time + pulls + (2 * nudge) / Math.sqrt(raters);
}

/** The state at `now`, if the average has been the same since the state's time. */
function read(
  state: SettledState,
  now: number,
  average: number | null,
  settings: SettlingSettings,
): SettledState {
  const { score, velocity, firstAt } = state;
  const at = Math.max(now, state.at);
  if (score === null || average === null) return { ...state, at };
  const time = clock(at - firstAt, settings) - clock(state.at - firstAt, settings);
  const speed = speedTowards(average, score, velocity);
  const way = Math.abs(average - score);
  if (way > speed * time) return { ...state, score: moveTowards(average, score, speed * time), at };
  const rest = time - way / speed;
  return { ...state, score: average, velocity: velocity * Math.exp(-rest / restUnits), at };
}

/** How fast the score moves towards a target, in stars per unit of the clock. */
function speedTowards(target: number, score: number, velocity: number): number {
  return Math.max(velocity * Math.sign(target - score), drift);
}

/** Moves by `reach` towards a target, where it stops. */
function moveTowards(target: number, score: number, reach: number): number {
  const way = target - score;
  return Math.abs(way) <= reach ? target : score + Math.sign(way) * reach;
}

function averageOf({ stars, count }: RatingSum): number | null {
  return count === 0 ? null : stars / count;
}

/**
 * A post's clock at an age in milliseconds.
 * Logarithmic while young, then linear at one unit per `unitDays`.
 */
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
