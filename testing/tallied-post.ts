/** A post on a tally that knows all its ratings, in place of the database. */
import { runUpMaximum } from "../lib/ratings/flood-window.ts";
import { type Counts, withRating } from "../lib/ratings/score.ts";
import type { Score } from "../lib/ratings/scores.ts";
import { settledScoreAt } from "../lib/ratings/settled-score.ts";
import { emptyTally, scoringDefaults, type TallySettings, windowOf } from "../lib/ratings/tally.ts";
import { withRatingGiven, withRatingWithdrawn } from "../lib/ratings/tally-ratings.ts";
import { advanceTo, withWindowDecided } from "../lib/ratings/tally-windows.ts";

interface KnownRating {
  /** When it was given or changed. */
  at: number;
  /** Null when it was withdrawn. */
  score: Score | null;
  window: number | null;
}

export class TalliedPost {
  tally = emptyTally;
  /** By user. */
  readonly ratings = new Map<number, KnownRating>();
  readonly #settings: TallySettings;

  constructor(settings = scoringDefaults) {
    this.#settings = settings;
  }

  /** A user rates, or changes a rating; over the limit when `usualGapMs` is given. */
  rate(now: number, user: number, score: Score, usualGapMs?: number): void {
    const flood =
      usualGapMs === undefined ? undefined : { usualGapMs, recent: () => this.#recentInNoWindow(user) };
    const before = this.ratings.get(user);
    const placed = withRatingGiven(this.tally, { now, score, before, flood }, this.#settings);
    this.tally = placed.tally;
    const { window, runUp } = placed;
    for (const { user, at, score } of runUp) this.ratings.set(user, { at, score, window });
    this.ratings.set(user, { at: now, score, window });
  }

  withdraw(now: number, user: number): void {
    const rating = this.ratings.get(user);
    if (!rating || rating.score === null) return;
    const { score, window } = rating;
    this.tally = withRatingWithdrawn(this.tally, now, { score, window }, this.#settings);
    this.ratings.set(user, { ...rating, score: null });
  }

  decide(now: number, number: number, status: "counted" | "excluded"): void {
    this.bringUpTo(now);
    this.tally = withWindowDecided(this.tally, now, number, status, this.#settings);
  }

  bringUpTo(now: number): void {
    this.tally = advanceTo(this.tally, now, this.#settings);
  }

  scoreAt(now: number): number | null {
    this.bringUpTo(now);
    return settledScoreAt(this.tally.settled, now, this.tally.counts, this.#settings.settling);
  }

  /** What has become of a user's rating. */
  statusOf(user: number): "counted" | "held" | "excluded" {
    return this.#statusIn(this.ratings.get(user)?.window ?? null);
  }

  /** The counters, of the post and of each window, that are not what a scan of all ratings finds; none when all is well. */
  disagreements(): string[] {
    const { counts, windows } = this.tally;
    const counted = this.#recount((window) => this.#statusIn(window) === "counted");
    return [
      ...(counts.join() === counted.join() ? [] : [`counts ${counts}, a recount finds ${counted}`]),
      ...windows.flatMap(({ number, counts }) => {
        const recount = this.#recount((window) => window === number);
        return counts.join() === recount.join()
          ? []
          : [`window ${number} counts ${counts}, a recount finds ${recount}`];
      }),
    ];
  }

  #recount(which: (window: number | null) => boolean): Counts {
    return [...this.ratings.values()].reduce<Counts>(
      (counts, { score, window }) =>
        score !== null && which(window) ? withRating(counts, score, 1) : counts,
      [0, 0, 0, 0, 0, 0],
    );
  }

  #statusIn(window: number | null) {
    return windowOf(this.tally, window)?.status ?? "counted";
  }

  #recentInNoWindow(besides: number) {
    return [...this.ratings]
      .flatMap(([user, { at, score, window }]) =>
        user !== besides && score !== null && window === null ? [{ user, at, score }] : [],
      )
      .toSorted((a, b) => b.at - a.at)
      .slice(0, runUpMaximum);
  }
}
