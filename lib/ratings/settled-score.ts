/**
 * The settled score: what the public sees of a post's ratings. It follows their raw average with inertia, so that no
 * crowd of any size moves it faster than a bound that can be proved (docs/decisions/0017-settled-score.md).
 *
 * Each rating pulls the score towards itself for as long as the time since the rating before it: a thousand ratings in
 * ten minutes pull like ten minutes, not like a thousand ratings. A pull adds speed; the score moves towards the raw
 * average at that speed, and stops when it arrives. It never stands quite still before, so that in the end everything
 * counts.
 *
 * Everything here is pure and takes constant time. Times are milliseconds; a clock that runs back stands still.
 */
import { type Counts, scoreFrom, withRating } from "./score.ts";
import type { Score } from "./scores.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** What is kept of a post for its settled score, besides its six counters. */
export interface SettledState {
  /** The settled score at `at`; null while nothing was ever counted. */
  score: number | null;
  /** How fast it moves towards the raw average, in stars per unit of the post's clock; never negative. */
  speed: number;
  /** How many ratings were new when they were counted. Never falls. */
  raters: number;
  /** When the first of them came. */
  firstAt: number;
  /** When the last of them came. */
  lastRaterAt: number;
  /** When the score was last worked out. */
  at: number;
}

export interface SettlingSettings {
  /** How many of the first ratings the score follows at once. */
  firstRaters: number;
  /**
   * How many days of a post that is not young any more are one unit of its clock: about how long a change of opinion
   * must last until the score has followed most of it.
   */
  unitDays: number;
}

/** What a setting is when it is left out. */
export const settlingDefaults: SettlingSettings = { firstRaters: 10, unitDays: 24 };

/** How much of its unit a post's clock runs ahead by each time the post's age grows e-fold, while it is young. */
const youngPace = 2 / 3;
/** Below this age the clock of a young post no longer runs faster. */
const youngestMs = minuteMs;
/** The longest time that one rating pulls, in units of the clock. */
const pullMaximum = 0.025;
/** What one rating may move the score by at once is this many stars, divided by the number of raters to the power of 1.5. */
const nudge = 0.75;
/** The least speed, in stars per unit of the clock. */
const drift = 0.04;

export const unrated: SettledState = {
  score: null,
  speed: 0,
  raters: 0,
  firstAt: 0,
  lastRaterAt: 0,
  at: 0,
};

/**
 * The settled score at `now`, however long ago anything happened; `counts` are the counters as they are. Null while they
 * count nothing; where the score stood is kept for when they do again.
 */
export function settledScoreAt(
  state: SettledState,
  now: number,
  counts: Counts,
  settings = settlingDefaults,
): number | null {
  return scoreFrom(counts).average === null ? null : moved(state, now, counts, settings).score;
}

/** A new rating is counted: `before` are the counters without it. */
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
  const { score, speed } = turned(state, at, before, after, settings);
  if (score === null || raters <= settings.firstRaters) return { ...counted, score: target, speed: 0 };

  const gap = clock(at - firstAt, settings) - clock(state.lastRaterAt - firstAt, settings);
  const pull = Math.min(gap, pullMaximum) * (given - score) * Math.sign(target - score);
  return { ...counted, ...towards(target, score, Math.max(0, speed + pull), nudge / raters ** 1.5) };
}

/**
 * Ratings that changed, went, or came otherwise than by a new rater: updates, withdrawals, a flood window counted or taken
 * out. They pull nothing, or one account could rate and withdraw its way through. Only while raters are few the score
 * follows at once.
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
  return { ...state, ...turned(state, at, before, after, settings), at };
}

/**
 * A change that a person decided on and that takes back what the score has moved since it was `since`: where the raw
 * average lies that way, it moves towards it at once, by at most as much. This is outside the bound, and recorded.
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
  return { ...changed, ...towards(average, changed.score, changed.speed, Math.max(0, back)) };
}

/** The first instant at which the score will be `stars` from where it is in the state, if nothing else happens; null for never. */
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

/**
 * The most that the score may have moved a time after `at`, whatever arrives, once the first raters have come (the theorem
 * of decision 17).
 */
export function mostMoved(
  { speed, raters, firstAt, at }: SettledState,
  afterMs: number,
  settings = settlingDefaults,
): number {
  const time = clock(at + afterMs - firstAt, settings) - clock(at - firstAt, settings);
  const pulls = 5 * (time ** 2 / 2 + pullMaximum * time);
  return Math.max(speed, drift) * time + pulls + (2 * nudge) / Math.sqrt(raters);
}

/** The state as it is at `now`, by itself. */
function moved(state: SettledState, now: number, counts: Counts, settings: SettlingSettings) {
  const { score, speed, firstAt } = state;
  const { average } = scoreFrom(counts);
  if (score === null || average === null) return { score, speed };
  const at = Math.max(now, state.at);
  const reach =
    Math.max(speed, drift) * (clock(at - firstAt, settings) - clock(state.at - firstAt, settings));
  return towards(average, score, speed, reach);
}

/** The score and its speed once the counters have changed: a speed is gone when its direction is. */
function turned(
  state: SettledState,
  at: number,
  before: Counts,
  after: Counts,
  settings: SettlingSettings,
): { score: number | null; speed: number } {
  const { score, speed } = moved(state, at, before, settings);
  if (score === null) return { score, speed };
  const direction = (counts: Counts) => Math.sign((scoreFrom(counts).average ?? score) - score);
  return { score, speed: direction(after) === direction(before) ? speed : 0 };
}

/** Moves towards a target, never past it; there the speed is gone. */
function towards(target: number, score: number, speed: number, reach: number) {
  const way = target - score;
  return Math.abs(way) <= reach
    ? { score: target, speed: 0 }
    : { score: score + Math.sign(way) * reach, speed };
}

/**
 * A post's clock at an age in milliseconds: logarithmic while it is young, so that it lives fast, then steady, with the
 * pace that it has come to: one unit in `unitDays`.
 */
function clock(ageMs: number, settings: SettlingSettings): number {
  const grownMs = grownUpMs(settings);
  if (ageMs <= grownMs) return youngPace * Math.log1p(ageMs / youngestMs);
  return clock(grownMs, settings) + (youngPace * (ageMs - grownMs)) / (grownMs + youngestMs);
}

/** The age at which the clock stands so: the inverse of `clock`. */
function ageAt(time: number, settings: SettlingSettings): number {
  const grownMs = grownUpMs(settings);
  const grown = clock(grownMs, settings);
  if (time <= grown) return youngestMs * Math.expm1(time / youngPace);
  return grownMs + ((time - grown) * (grownMs + youngestMs)) / youngPace;
}

function grownUpMs({ unitDays }: SettlingSettings): number {
  return youngPace * unitDays * dayMs;
}
