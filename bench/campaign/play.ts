/** Plays a post's ratings against a scoring method, and samples the public score. */
import { Ledger } from "./ledger.ts";
import type { RatingAnswer, ScoredPost, ScoringMethod } from "./public-score.ts";
import { day, minute, type Rating, type Traffic } from "./traffic.ts";

export interface PlayedOutcome {
  /**
   * The largest distance from the score before the start within each horizon.
   * Null when there was no score.
   */
  shifts: (number | null)[];
  /**
   * The largest distance from the raw average of the honest ratings.
   * Or that from the score before once a flood is excluded; null for none.
   */
  distance: number | null;
  /** Of all honest ratings that were tried since the post was published. */
  refused: Share;
  /** Honest ratings since the start that do not count after a day and after a week. */
  heldAfterDay: Share;
  heldAfterWeek: Share;
  /** Honest ratings since the start that do not count a day after they were given. */
  heldDayLater: Share;
  /** Of the crowd: whose ratings count after a week. */
  floodCounted: Share;
}

export interface Share {
  some: number;
  all: number;
}

/**
 * How often the score is sampled between ratings, as it may move by itself.
 * It is also sampled before and after each rating.
 */
const tickIntervalMs = 10 * minute;

export function play(method: ScoringMethod, traffic: Traffic, horizons: readonly number[]): PlayedOutcome {
  const {
    start,
    end,
    nearRawFrom = Number.POSITIVE_INFINITY,
    nearRawUntil = end,
    excludedAt,
    decisions = [],
  } = traffic;
  const post = method.make();
  const raw = new Ledger();
  const all = new Ledger();
  const people = new Map<number, CampaignRater>();
  const outcome: PlayedOutcome = {
    shifts: horizons.map(() => null),
    distance: null,
    refused: { some: 0, all: 0 },
    heldAfterDay: { some: 0, all: 0 },
    heldAfterWeek: { some: 0, all: 0 },
    floodCounted: { some: 0, all: 0 },
    heldDayLater: { some: 0, all: 0 },
  };
  /**
   * Honest raters since the start, in order.
   * `checked` of them have been checked a day later.
   */
  const honest: { userId: number; at: number }[] = [];
  let checked = 0;
  let before: number | null = null;

  const measure = (at: number) => {
    const score = post.score(at);
    if (score === null) return;
    if (before !== null) {
      const shift = Math.abs(score - before);
      horizons.forEach((horizon, index) => {
        if (at <= start + horizon) outcome.shifts[index] = Math.max(outcome.shifts[index] ?? 0, shift);
      });
    }
    if (at >= nearRawFrom && at <= nearRawUntil && raw.average !== null)
      outcome.distance = Math.max(outcome.distance ?? 0, Math.abs(score - raw.average));
  };
  /** The actions at the round times from the start on. */
  const tick = (at: number) => {
    if (at === start) before = post.score(at);
    if (at === excludedAt && post.exclude && before !== null) {
      post.exclude(at);
      outcome.distance = Math.abs((post.score(at) ?? Number.NaN) - before);
    }
    for (const { window, status } of decisions.filter((each) => each.at === at))
      post.decide?.(at, window, status);
    measure(at);
    for (let next = honest[checked]; next && next.at + day <= at; next = honest[checked]) {
      const answer = people.get(next.userId)?.answer;
      outcome.heldDayLater.all += 1;
      if (isUncounted(post.statusOf?.(at, next.userId) ?? answer)) outcome.heldDayLater.some += 1;
      checked += 1;
    }
    if (at === start + day) outcome.heldAfterDay = heldShare(post, at, people);
    if (at === start + 7 * day) {
      outcome.heldAfterWeek = heldShare(post, at, people);
      outcome.floodCounted = floodShare(post, at, people);
    }
  };

  let tickAt = start;
  for (const rating of traffic.ratings) {
    for (; tickAt <= rating.at; tickAt += tickIntervalMs) tick(tickAt);
    if (rating.at >= start) measure(rating.at);
    if (!isGiven(rating, post, all)) continue;
    const answer = give(post, rating);
    all.put(rating.userId, rating.score);
    if (rating.honest) raw.put(rating.userId, rating.score);
    if (rating.honest) {
      outcome.refused.all += 1;
      if (answer === "refused") outcome.refused.some += 1;
    }
    if (rating.at >= start) {
      people.set(rating.userId, { answer, honest: rating.honest });
      if (rating.honest) honest.push(rating);
      measure(rating.at);
    }
  }
  for (; tickAt <= end; tickAt += tickIntervalMs) tick(tickAt);
  return outcome;
}

/**
 * Whether a rating is given, by the score that its rater sees.
 * A rating that was not given cannot be taken back.
 */
export function isGiven({ at, userId, score, onlyIf }: Rating, post: ScoredPost, all: Ledger): boolean {
  if (score === null && !all.knows(userId)) return false;
  return onlyIf?.({ score: post.score(at), counts: all.counts }) ?? true;
}

/** A user who has rated since the start, and the answer they got. */
interface CampaignRater {
  answer: RatingAnswer;
  honest: boolean;
}

function give(post: ScoredPost, { at, score, userId, registeredAt }: Rating): RatingAnswer {
  if (score !== null) return post.rate(at, score, userId, { registeredAt });
  post.withdraw?.(at, userId);
  return "counted";
}

function heldShare(post: ScoredPost, at: number, people: Map<number, CampaignRater>): Share {
  const statuses = statusesOf(post, at, people, true);
  return {
    some: statuses.filter(isUncounted).length,
    all: statuses.length,
  };
}

function isUncounted(status: RatingAnswer | "excluded" | undefined): boolean {
  return status === "held" || status === "excluded";
}

function floodShare(post: ScoredPost, at: number, people: Map<number, CampaignRater>): Share {
  const statuses = statusesOf(post, at, people, false);
  return { some: statuses.filter((status) => status === "counted").length, all: statuses.length };
}

function statusesOf(post: ScoredPost, at: number, people: Map<number, CampaignRater>, honest: boolean) {
  return [...people]
    .filter(([, person]) => person.honest === honest)
    .map(([userId, { answer }]) => post.statusOf?.(at, userId) ?? answer);
}
