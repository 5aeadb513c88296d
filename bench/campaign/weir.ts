/**
 * This project's way, with its defaults where floods are held: the limiter of a post, its tally and its settled score, put
 * together from the app's own pure functions as `lib/ratings` does it with the database. `weir-database.ts` plays the
 * same through the database.
 */
import { parseSettings } from "../../lib/env.ts";
import { limitsFrom } from "../../lib/limits.ts";
import { runUpMaximum } from "../../lib/ratings/flood-window.ts";
import type { Score } from "../../lib/ratings/scores.ts";
import { settledScoreAt, unrated } from "../../lib/ratings/settled-score.ts";
import {
  broughtUpTo,
  type PlacedRating,
  type Tally,
  usualGapMs,
  withRatingGiven,
  withRatingWithdrawn,
  withWindowDecided,
} from "../../lib/ratings/tally.ts";
import { scoringFrom } from "../../lib/scoring.ts";
import type { PublicScore, Way } from "./public-score.ts";

const settings = parseSettings({ RATING_OVERFLOW: "hold" });
const policies = limitsFrom(settings)["rating.post"];
const scoring = scoringFrom(settings);

const weir: Way = { name: "Weir", make };
export default weir;

interface KnownRating {
  at: number;
  /** Null when it was withdrawn. */
  score: Score | null;
  window: number | null;
}

function make(): PublicScore {
  let tally: Tally = {
    counts: [0, 0, 0, 0, 0, 0],
    settled: unrated,
    windowCount: 0,
    windows: [],
    decided: [],
  };
  const states = new Map<string, { next: unknown; expiresAt: number | undefined }>();
  const ratings = new Map<number, KnownRating>();
  /** Who gave a first rating, in order. */
  const order: number[] = [];

  /** Whether the rating is over a limit, and what that limit said. */
  function decide(at: number) {
    const steps = policies.map(({ name, algorithm }) => {
      const { next: state, expiresAt = Number.POSITIVE_INFINITY } = states.get(name) ?? {};
      const step = algorithm.step(expiresAt > at ? state : undefined, at, 1);
      if (step.next !== undefined) states.set(name, { next: step.next, expiresAt: step.expiresAt });
      return step.decision;
    });
    return steps.find(({ allowed }) => !allowed);
  }

  function recentInNoWindow(besides: number) {
    const recent: { userId: number; at: number; score: Score }[] = [];
    for (let index = order.length - 1; index >= 0 && recent.length < runUpMaximum; index -= 1) {
      const userId = order[index] ?? 0;
      const { at, score, window } = ratings.get(userId) ?? {};
      if (userId === besides || at === undefined || score === undefined || score === null) continue;
      if (window === null) recent.push({ userId, at, score });
    }
    return recent;
  }

  return {
    rate(at, given, userId) {
      const score = scoreFrom(given);
      const overBy = decide(at);
      const recent = overBy ? recentInNoWindow(userId) : [];
      const flood = overBy && { usualGapMs: usualGapMs(overBy.reason, tally.settled, at), recent };
      const before = ratings.get(userId);
      const placed = withRatingGiven(tally, { now: at, score, before, flood }, scoring);
      tally = placed.tally;
      const { window } = placed;
      for (const each of recent.slice(0, placed.runUp))
        ratings.set(each.userId, { at: each.at, score: each.score, window });
      const givenAt = before && before.score !== null ? before.at : at;
      if (givenAt === at) order.push(userId);
      ratings.set(userId, { at: givenAt, score, window });
      return statusIn(tally, window) === "counted" ? "counted" : "held";
    },
    withdraw(at, userId) {
      const rating = ratings.get(userId);
      if (!rating || rating.score === null) return;
      const placed: PlacedRating = { score: rating.score, window: rating.window };
      tally = withRatingWithdrawn(tally, at, placed, scoring);
      ratings.set(userId, { ...rating, score: null });
    },
    score(at) {
      tally = broughtUpTo(tally, at, scoring);
      return settledScoreAt(tally.settled, at, tally.counts, scoring.settling);
    },
    statusOf(at, userId) {
      tally = broughtUpTo(tally, at, scoring);
      return statusIn(tally, ratings.get(userId)?.window ?? null);
    },
    exclude(at) {
      tally = broughtUpTo(tally, at, scoring);
      for (const { number, status } of tally.windows)
        if (status === "held") tally = withWindowDecided(tally, at, number, "excluded", scoring);
    },
  };
}

function statusIn({ windows }: Tally, window: number | null) {
  return windows.find(({ number }) => number === window)?.status ?? "counted";
}

function scoreFrom(given: number): Score {
  switch (given) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
      return given;
    default:
      throw new RangeError(`A score is a whole number from 0 to 5, but is ${given}`);
  }
}
