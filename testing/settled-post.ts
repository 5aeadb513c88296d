/**
 * A post whose settled score goes through any acts that a test generates.
 * The file also has the bound of decision 33, written independently of the code, and arbitrary starting states for
 * fast-check.
 */
import fc from "fast-check";
import type { Score } from "../lib/ratings/score/score.ts";
import { type Counts, scoreFrom, withRating } from "../lib/ratings/score/score.ts";
import {
  type SettledState,
  type SettlingSettings,
  settledByChange,
  settledByNewRating,
  settledScoreAt,
  settlingDefaults,
  unrated,
} from "../lib/ratings/score/settled-score.ts";

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
export const year = 365 * day;
export const morning = Date.UTC(2026, 5, 1, 8);
export const none: Counts = [0, 0, 0, 0, 0, 0];
/**
 * The error of sums of floats.
 * The score itself moves further than this within a millisecond.
 */
export const rounding = 1e-12;

/**
 * The clock of a post in decision 33, in minutes: 2/3 ln(1 + age).
 * It is linear from 16 days (2/3 of the unit) on.
 */
export function clock(ageMs: number, { unitDays }: SettlingSettings): number {
  const age = ageMs / minute;
  const young = Math.min(age, (2 / 3) * unitDays * 1440);
  return (2 / 3) * (Math.log(1 + young) + (age - young) / (1 + young));
}

/** The values of the theorem at one instant. */
export interface Instant {
  /** The theorem speaks of instants of one stretch. */
  stretch: number;
  clock: number;
  score: number;
  velocity: number;
  raters: number;
}

/** The most that a score may have moved between two instants. */
export function bound(from: Omit<Instant, "stretch">, to: Omit<Instant, "stretch">): number {
  const time = to.clock - from.clock;
  const nudges = 2 * 0.75 * (1 / Math.sqrt(from.raters) - 1 / Math.sqrt(to.raters));
  return Math.max(Math.abs(from.velocity), 0.04) * time + 5 * (time ** 2 / 2 + 0.025 * time) + nudges;
}

/** By how much a bound was exceeded, and how much of one was used, over all pairs. */
export function worst(instants: readonly Instant[]): { excess: number; ratio: number; checks: number } {
  let [excess, ratio, checks] = [0, 0, 0];
  for (const [index, to] of instants.entries())
    for (let earlier = 0; earlier < index; earlier += 1) {
      const from = instants[earlier] as Instant;
      if (from.stretch !== to.stretch) continue;
      const [shift, most] = [Math.abs(to.score - from.score), bound(from, to)];
      checks += 1;
      excess = Math.max(excess, shift - most);
      if (most > 0.001) ratio = Math.max(ratio, shift / most);
    }
  return { excess, ratio, checks };
}

/**
 * A state read at its time.
 * Undefined where so few ratings count that the score is their average.
 */
export function instantOf(
  { score, velocity, raters, firstAt, at }: SettledState,
  counts: Counts,
  settings: SettlingSettings,
  stretch: number,
): Instant | undefined {
  if (score === null || raters === 0 || scoreFrom(counts).count <= settings.firstRaters) return undefined;
  return { stretch, clock: clock(at - firstAt, settings), score, velocity, raters };
}

interface Beginning {
  state?: SettledState;
  counts?: Counts;
  settings?: SettlingSettings;
}

/**
 * A post, and a clock that the test moves.
 * Its states are kept for the theorem.
 */
export class RatedPost {
  state: SettledState;
  counts: Counts;
  settings: SettlingSettings;
  now: number;
  readonly instants: Instant[] = [];
  #stretch = 0;

  constructor({ state = unrated, counts = none, settings = settlingDefaults }: Beginning = {}) {
    this.state = state;
    this.counts = counts;
    this.settings = settings;
    this.now = state === unrated ? morning : state.at;
  }

  get average(): number {
    return scoreFrom(this.counts).average ?? Number.NaN;
  }

  get score(): number | null {
    return settledScoreAt(this.state, this.now, this.counts, this.settings);
  }

  /** New raters, one after each gap; a gap that is negative sets the clock back. */
  rate(score: Score, times = 1, gapMs = 0): this {
    for (let time = 0; time < times; time += 1) {
      this.wait(gapMs).keepInstant();
      this.state = settledByNewRating(this.state, this.now, this.counts, score, this.settings);
      this.counts = withRating(this.counts, score, 1);
      this.keepInstant();
    }
    return this;
  }

  /** New raters whose scores move the settled score further in its direction. */
  rateFurther(times = 1, gapMs = 0): this {
    for (let time = 0; time < times; time += 1)
      this.rate(this.average > (this.state.score ?? 0) ? 5 : 0, 1, gapMs);
    return this;
  }

  /** Anything else that moves the counters. */
  change(after: Counts): this {
    this.keepInstant();
    this.state = settledByChange(this.state, this.now, this.counts, after, this.settings);
    this.counts = after;
    return this.keepInstant();
  }

  wait(ms: number): this {
    this.now += ms;
    return this;
  }

  /** Nothing happens for so long, and then the score is saved. */
  silence(ms: number): this {
    return this.wait(ms).change(this.counts);
  }

  keepInstant(): this {
    const { state, now, counts, settings } = this;
    const settled = settledByChange(state, now, counts, counts, settings);
    const instant = instantOf(settled, counts, settings, this.#stretch);
    if (instant) this.instants.push(instant);
    else this.#stretch += 1;
    return this;
  }
}

/**
 * A post that has been rated, at rest.
 * No velocity, and the score is the raw average.
 */
export function postAtRest({
  raters = 13_000,
  counts = [260, 260, 520, 1495, 3770, 6695],
}: {
  raters?: number;
  counts?: Counts;
} = {}) {
  const { average: score } = scoreFrom(counts);
  const state = {
    score,
    velocity: 0,
    raters,
    firstAt: morning - 18 * day,
    lastRaterAt: morning,
    at: morning,
  };
  return new RatedPost({ state, counts });
}

export const seeded = { seed: 1 };
export const anyScore = fc.constantFrom<Score[]>(0, 1, 2, 3, 4, 5);
const fewOrMany = fc.oneof(fc.constant(0), fc.nat({ max: 20 }), fc.nat({ max: 100_000 }));
export const anyCounts = fc.tuple(fewOrMany, fewOrMany, fewOrMany, fewOrMany, fewOrMany, fewOrMany);
export const someCounts = anyCounts.filter((counts) => scoreFrom(counts).count > 0);
export const anySettings = fc.record({
  firstRaters: fc.integer({ min: 1, max: 20 }),
  unitDays: fc.integer({ min: 1, max: 90 }),
});
export const span = fc.oneof(
  fc.constant(0),
  ...[second, minute, hour, day, year, 3 * year].map((max) => fc.nat({ max })),
);
/** Any state that a post whose first raters have come can be in, and more. */
export const anyState = fc
  .record({
    score: fc.double({ min: 0, max: 5, noNaN: true }),
    velocity: fc.oneof(fc.constant(0), fc.double({ min: -10, max: 10, noNaN: true })),
    raters: fc.oneof(fc.integer({ min: 20, max: 100 }), fc.integer({ min: 20, max: 1_000_000 })),
    spans: fc.tuple(span, span, span),
  })
  .map(({ spans: [ofRaters, sinceRater, sinceChange], ...state }): SettledState => {
    const lastRaterAt = morning - sinceChange;
    return { ...state, firstAt: lastRaterAt - ofRaters - sinceRater, lastRaterAt, at: morning };
  });
