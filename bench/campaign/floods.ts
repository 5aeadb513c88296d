/**
 * Floods of several shapes, by new accounts beside honest raters.
 * Each has the share of its ratings that may count.
 */
import { type Scenario, sent, week } from "./scenario.ts";
import {
  type Arrival,
  aged,
  day,
  doublingEvery,
  hour,
  minute,
  newAge,
  organic,
  published,
  type Random,
  ratingsOf,
  type Spread,
  type Traffic,
  usualAge,
  within,
  zeros,
} from "./traffic.ts";

const grown = published + 18 * day;
const second = 1_000;
const heldDayLater = 0.1;

export const floods: readonly Scenario[] = [
  flood("×100", "30 ratings an hour, and 3,000 zeros an hour for an hour", {
    perHour: 30,
    crowd: (random, size, start) =>
      sent(random, size, start, { count: 3_000, shape: within(hour), spread: zeros }),
    floodCounted: 0.05,
  }),
  flood("×100 for a day", "5 ratings an hour, and 500 an hour for a day, spread evenly over 0, 1 and 2", {
    perHour: 5,
    crowd: (random, size, start) =>
      sent(random, size, start, {
        count: 12_000,
        shape: within(day),
        spread: [1 / 3, 1 / 3, 1 / 3, 0, 0, 0],
      }),
    floodCounted: 0.05,
  }),
  flood("Fives ×100", "30 ratings an hour, and 3,000 fives an hour for an hour", {
    perHour: 30,
    crowd: (random, size, start) =>
      sent(random, size, start, { count: 3_000, shape: within(hour), spread: [0, 0, 0, 0, 0, 1] }),
    floodCounted: 0.05,
  }),
  flood("Pulses", "30 ratings an hour, and 600 zeros an hour in 30 seconds of each 5 minutes, for a day", {
    perHour: 30,
    crowd: (random, size, start) => pulses(random, start, day, 600 * size),
    floodCounted: 0.1,
  }),
  flood(
    "Pulses ×100",
    "30 ratings an hour, and 3,000 zeros an hour in 30 seconds of each 5 minutes, for a day",
    {
      perHour: 30,
      crowd: (random, size, start) => pulses(random, start, day, 3_000 * size),
      floodCounted: 0.1,
    },
  ),
  flood(
    "Ramp of a week",
    "30 ratings an hour, and 5,000 zeros over 7 days, twice as many in every half day",
    {
      perHour: 30,
      crowd: (random, size, start) =>
        sent(random, size, start, { count: 5_000, shape: doublingEvery(day / 2, week), spread: zeros }),
      floodCounted: 0.1,
    },
  ),
  flood("Ramp of two hours", "30 ratings an hour, and 3,000 zeros over 2 hours, doubling every ten minutes", {
    perHour: 30,
    crowd: (random, size, start) =>
      sent(random, size, start, {
        count: 3_000,
        shape: doublingEvery(10 * minute, 2 * hour),
        spread: zeros,
      }),
    floodCounted: 0.1,
  }),
  {
    ...flood("Jam of 50 an hour", "5 ratings an hour, and 50 zeros an hour for 14 days", {
      perHour: 5,
      span: 2 * week,
      crowd: (random, size, start) =>
        organic(random, { from: start, until: start + 2 * week, perHour: 50 * size, spread: zeros }),
      floodCounted: 0.1,
    }),
    longest: 14 * day,
  },
  flood("Jam of 100 an hour", "30 ratings an hour, and 100 zeros an hour for 7 days", {
    perHour: 30,
    crowd: (random, size, start) =>
      organic(random, { from: start, until: start + week, perHour: 100 * size, spread: zeros }),
    floodCounted: 0.1,
  }),
  {
    ...flood(
      "Critics",
      "5 ratings an hour, 100 honest zeros within 2 days, then 120 new accounts' zeros at once",
      {
        perHour: 5,
        critics: (random, size, start) =>
          sent(random, size, start, { count: 100, shape: within(2 * day), spread: zeros }),
        crowd: (random, size, start) =>
          sent(random, size, start + 2 * day, { count: 120, shape: within(minute), spread: zeros }),
      },
    ),
    allowed: { heldDayLater: 0.05 },
  },
  flood(
    "From birth, fast",
    "a new post with 5 ratings an hour, and 2,000 zeros within its first 20 minutes",
    {
      perHour: 5,
      history: 0,
      crowd: (random, size, start) =>
        sent(random, size, start, { count: 2_000, shape: within(20 * minute), spread: zeros }),
      floodCounted: 0.2,
    },
  ),
  flood("From birth, a day", "a new post with 5 ratings an hour, and 2,000 zeros over its first day", {
    perHour: 5,
    history: 0,
    crowd: (random, size, start) =>
      sent(random, size, start, { count: 2_000, shape: within(day), spread: zeros }),
    floodCounted: 0.2,
  }),
  {
    ...flood("Below the limit, new", "a post of a day with 5 ratings an hour, 10 zeros an hour for 7 days", {
      perHour: 5,
      history: day,
      crowd: (random, size, start) =>
        organic(random, { from: start, until: start + week, perHour: 10 * size, spread: zeros }),
    }),
    allowed: { shifts: [null, null, 0.6], heldDayLater },
  },
];

interface FloodPlan {
  perHour: number;
  /** The post's time before the flood. */
  history?: number;
  span?: number;
  /** Honest ratings besides the organic ones. */
  critics?: (random: Random, size: number, start: number) => Arrival[];
  crowd: (random: Random, size: number, start: number) => Arrival[];
  floodCounted?: number;
}

function flood(name: string, title: string, plan: FloodPlan): Scenario {
  const { perHour, history = grown - published, span = week, critics, crowd, floodCounted } = plan;
  const traffic = (random: Random, size: number): Traffic => {
    const start = published + history;
    const end = start + span;
    const usualPeople = organic(random, { from: published, until: end, perHour: perHour * size });
    const people = [...usualPeople, ...(critics?.(random, size, start) ?? [])].toSorted(
      (a, b) => a.at - b.at,
    );
    const sent = crowd(random, size, start);
    return {
      ratings: ratingsOf(aged(random, people, usualAge), aged(random, sent, newAge)),
      start,
      end,
    };
  };
  return {
    name,
    title,
    traffic,
    allowed: { heldDayLater, ...(floodCounted !== undefined && { floodCounted }) },
  };
}

/** For 30 seconds of each five minutes. */
function pulses(
  random: Random,
  start: number,
  span: number,
  perHour: number,
  spread: Spread = zeros,
): Arrival[] {
  return Array.from({ length: span / (5 * minute) }, (_, index) => {
    const from = start + index * 5 * minute;
    return organic(random, { from, until: from + 30 * second, perHour, spread });
  }).flat();
}
