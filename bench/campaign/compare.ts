/** Plays a scenario on several posts, for several scoring methods. */
import { seededRandom } from "../../lib/random/seeded-random.ts";
import { medianOf } from "../measure.ts";
import { type PlayedOutcome, play, type Share } from "./play.ts";
import type { ScoringMethod } from "./public-score.ts";
import { type Scenario, week } from "./scenario.ts";
import { day, hour, type Traffic } from "./traffic.ts";

/** On how many posts a scenario is played that sets no number. */
const usualPosts = 5;

/**
 * The result of a scenario on some posts, in stars and in shares from 0 to 1.
 * Null where there is no figure.
 */
export interface Summary {
  shifts: (number | null)[];
  distance: number | null;
  refused: number | null;
  heldAfterDay: number | null;
  heldAfterWeek: number | null;
  heldDayLater: number | null;
  floodCounted: number | null;
}

/**
 * The traffic of each post of a scenario.
 * Posts differ by chance even without an attack, so there are several.
 */
export function trafficOf(scenario: Scenario, size = 1): Traffic[] {
  return Array.from({ length: scenario.posts ?? usualPosts }, (_, index) =>
    scenario.traffic(seededRandom(index + 1), size),
  );
}

/** The same posts with only their honest ratings. */
export function leftAlone(traffic: Traffic): Traffic {
  return { ...traffic, ratings: traffic.ratings.filter(({ honest }) => honest) };
}

export function playAll(
  method: ScoringMethod,
  posts: readonly Traffic[],
  { longest }: Scenario,
): PlayedOutcome[] {
  const horizons = [hour, day, week, ...(longest ? [longest] : [])];
  return posts.map((traffic) => play(method, traffic, horizons));
}

/** Stars on the middle one of the posts; shares of the ratings of all. */
export function middleOf(outcomes: readonly PlayedOutcome[]): Summary {
  return summary(outcomes, medianOf, (shares) => {
    const together = (of: (share: Share) => number) => shares.reduce((sum, share) => sum + of(share), 0);
    return { some: together(({ some }) => some), all: together(({ all }) => all) };
  });
}

/** Each figure on the post on which it is largest. */
export function worstOf(outcomes: readonly PlayedOutcome[]): Summary {
  return summary(
    outcomes,
    (values) => Math.max(...values),
    (shares) => shares.reduce((one, other) => (one.some * other.all >= other.some * one.all ? one : other)),
  );
}

function summary(
  outcomes: readonly PlayedOutcome[],
  starsOf: (values: number[]) => number,
  shareOf: (shares: Share[]) => Share,
): Summary {
  const stars = (of: (outcome: PlayedOutcome) => number | null | undefined) => {
    const values = outcomes.map(of).filter((value) => value !== null && value !== undefined);
    return values.length === 0 ? null : starsOf(values);
  };
  const share = (of: (outcome: PlayedOutcome) => Share) => {
    const shares = outcomes.map(of).filter(({ all }) => all > 0);
    if (shares.length === 0) return null;
    const { some, all } = shareOf(shares);
    return some / all;
  };
  return {
    shifts: outcomes[0]?.shifts.map((_, index) => stars(({ shifts }) => shifts[index])) ?? [],
    distance: stars(({ distance }) => distance),
    refused: share(({ refused }) => refused),
    heldAfterDay: share(({ heldAfterDay }) => heldAfterDay),
    heldAfterWeek: share(({ heldAfterWeek }) => heldAfterWeek),
    heldDayLater: share(({ heldDayLater }) => heldDayLater),
    floodCounted: share(({ floodCounted }) => floodCounted),
  };
}
