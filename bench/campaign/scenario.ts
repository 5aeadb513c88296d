/** A campaign as data, and the post that most campaigns are led against. */
import {
  type Arrival,
  crowd,
  day,
  organic,
  published,
  type Random,
  ratingsOf,
  type Shape,
  type Spread,
  type Traffic,
  usual,
  within,
} from "./traffic.ts";

export interface Scenario {
  name: string;
  title: string;
  /**
   * The same ratings for the same random numbers.
   * `size` 0.1 for a tenth of all ratings in the same time.
   */
  traffic(random: Random, size: number): Traffic;
  /** On how many posts it is played, by other chance each; the worst counts. */
  posts?: number;
  /**
   * A further time after the start at which the largest shift is measured.
   * Every scenario has an hour, a day and a week.
   */
  longest?: number;
  /** The distance to look for, for scenarios that have one. */
  distance?: string;
  /** Judges the settled score by itself: every rating counts, without flood windows. */
  alone?: boolean;
  /** The movement allowed to our own method; none for campaigns without a target. */
  allowed?: Bounds;
}

/**
 * Upper bounds, in stars and in shares of honest ratings.
 * Null or left out: no bound.
 */
export interface Bounds {
  /** Within an hour, a day and a week. */
  shifts?: readonly (number | null)[];
  distance?: number;
  heldAfterDay?: number;
  /** Of the honest ratings, those that do not count a day after each was given. */
  heldDayLater?: number;
  /** Of the campaign's ratings, those that count a week after the start. */
  floodCounted?: number;
}

export const week = 7 * day;

export interface Crowd {
  count: number;
  shape: Shape;
  spread: Spread;
}

export interface VisitedPlan {
  /**
   * The post's time before the campaign.
   * With the organic ratings, or with exactly this number.
   */
  history?: { span: number; count?: number };
  /** Then no ratings for this time. */
  silence?: number;
  /** The number of organic ratings. */
  perHour?: number;
  crowd?: Crowd;
  /** How long it is observed, from the start. */
  span?: number;
}

/**
 * A post that is visited by a crowd.
 * Before and after that, ratings are organic.
 */
export function visited(plan: VisitedPlan) {
  const { history = { span: 18 * day }, silence = 0, perHour = 30, span = week } = plan;
  return (random: Random, size: number): Traffic => {
    const grown = published + history.span;
    const start = grown + silence;
    const end = start + span;
    const people = (from: number, until: number) => organic(random, { from, until, perHour: perHour * size });
    const before =
      history.count === undefined
        ? people(published, grown)
        : sent(random, size, published, { count: history.count, shape: within(history.span), spread: usual });
    const honest = [...before, ...people(start, end)];
    return { ratings: ratingsOf(honest, plan.crowd && sent(random, size, start, plan.crowd)), start, end };
  };
}

/** A crowd's arrivals from a time on. */
export function sent(random: Random, size: number, from: number, { count, ...rest }: Crowd): Arrival[] {
  return crowd(random, { from, count: count * size, ...rest });
}
