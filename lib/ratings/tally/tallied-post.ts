/** A post whose ratings are in memory: for simulations, comparisons and tests. */
import type { DecidedStatus, WindowStatus } from "../floods/flood-window.ts";
import { replayOrder } from "../score/replay.ts";
import type { Score } from "../score/score.ts";
import { type Counts, sumOf, withRating } from "../score/score.ts";
import { settledScoreAt } from "../score/settled-score.ts";
import {
  emptyTally,
  openWindowOf,
  scoringDefaults,
  type TallySettings,
  windowOf,
  withReplay,
} from "./tally.ts";
import { judge, withWithdrawalSeen } from "./tally-floods.ts";
import { withRatingGiven, withRatingWithdrawn } from "./tally-ratings.ts";
import { advanceTo, decisionReplays, withWindowDecided } from "./tally-windows.ts";

interface KnownRating {
  /** When it was given or changed. */
  at: number;
  /** Null when it was withdrawn. */
  score: Score | null;
  window: number | null;
  registeredAt: number | null;
}

export class TalliedPost {
  tally = emptyTally;
  /** By user. */
  readonly ratings = new Map<number, KnownRating>();
  /** How many times its ratings were replayed. */
  replays = 0;
  readonly #settings: TallySettings;

  constructor(settings = scoringDefaults) {
    this.#settings = settings;
  }

  /** A post with the same past, which continues by itself. */
  copy(): TalliedPost {
    const copy = new TalliedPost(this.#settings);
    copy.tally = this.tally;
    for (const [user, rating] of this.ratings) copy.ratings.set(user, rating);
    return copy;
  }

  /**
   * A user rates, or changes a rating.
   * With `limitedGapMs` the rating is over the limit of a limiter that holds.
   */
  rate(
    now: number,
    user: number,
    score: Score,
    {
      limitedGapMs,
      registeredAt = null,
    }: { limitedGapMs?: number | undefined; registeredAt?: number | null } = {},
  ): void {
    const before = this.ratings.get(user);
    const arriving = { now, score, before, registeredAt, limitedGapMs };
    const { tally, recentNeeded, floodOf } = judge(this.tally, arriving, undefined, this.#settings);
    const flood = floodOf(recentNeeded === 0 ? [] : this.#recentInNoWindow(user, recentNeeded));
    const placed = withRatingGiven(tally, { now, score, before, flood }, this.#settings);
    this.tally = placed.tally;
    for (const { user, ...rating } of flood?.runUp ?? [])
      this.ratings.set(user, { ...rating, window: openWindowOf(placed.tally)?.number ?? null });
    this.ratings.set(user, { at: now, score, window: placed.window, registeredAt });
  }

  withdraw(now: number, user: number): void {
    const rating = this.ratings.get(user);
    if (!rating || rating.score === null) return;
    const { at, score, window, registeredAt } = rating;
    const seen = withWithdrawalSeen(this.tally, { at, score }, registeredAt);
    const { tally, replays } = withRatingWithdrawn(seen, now, { score, window }, this.#settings);
    this.tally = tally;
    this.ratings.set(user, { ...rating, score: null });
    if (replays) this.replay(now);
  }

  decide(now: number, number: number, status: DecidedStatus): void {
    this.advanceTo(now);
    const window = windowOf(this.tally, number);
    this.tally = withWindowDecided(this.tally, now, number, status, this.#settings);
    if (window && decisionReplays(window, status)) this.replay(now);
  }

  /** Puts the state in place that a replay of the counted ratings gives. */
  replay(now: number): void {
    this.replays += 1;
    const counted = [...this.ratings]
      .flatMap(([userId, { at, score, window }]) =>
        score !== null && this.#statusIn(window) === "counted" ? [{ userId, at, score }] : [],
      )
      .toSorted(replayOrder);
    this.tally = withReplay(this.tally, now, counted, this.#settings);
  }

  advanceTo(now: number): void {
    this.tally = advanceTo(this.tally, now, this.#settings);
  }

  scoreAt(now: number): number | null {
    this.advanceTo(now);
    return settledScoreAt(this.tally.settled, now, this.tally.counts, this.#settings.settling);
  }

  /** How many ratings are in windows of this status. */
  countOf(status: WindowStatus): number {
    return this.tally.windows
      .filter((window) => window.status === status)
      .reduce((sum, { counts }) => sum + sumOf(counts).count, 0);
  }

  /** The present place of a user's rating. */
  statusOf(user: number): WindowStatus {
    return this.#statusIn(this.ratings.get(user)?.window ?? null);
  }

  /**
   * The counters of the post and its windows that differ from a scan of all ratings.
   * None when all is well.
   */
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

  #recentInNoWindow(exceptUserId: number, limit: number) {
    return [...this.ratings]
      .flatMap(([user, { at, score, window, registeredAt }]) =>
        user !== exceptUserId && score !== null && window === null ? [{ user, at, score, registeredAt }] : [],
      )
      .toSorted((a, b) => b.at - a.at)
      .slice(0, limit);
  }
}
