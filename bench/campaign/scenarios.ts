/**
 * Campaigns that the score must withstand, and changes that it must follow.
 * Each has its bounds.
 */
import { type Scenario, sent, visited, week } from "./scenario.ts";
import {
  changed,
  day,
  fives,
  halvingEvery,
  hour,
  minute,
  organic,
  published,
  type Random,
  ratingsOf,
  type Spread,
  type Traffic,
  usual,
  within,
  zeros,
  zerosAndSomeOnes,
} from "./traffic.ts";

const raid = { count: 5_000, shape: within(20 * minute), spread: zerosAndSomeOnes };

export const scenarios: readonly Scenario[] = [
  {
    name: "A",
    title: "5,000 zeros (one in ten a 1) within 20 minutes",
    traffic: visited({ crowd: raid }),
    allowed: { shifts: [0.01, 0.02, 0.03] },
  },
  {
    name: "B",
    title: "the same with a half-life of an hour",
    traffic: visited({ crowd: { ...raid, shape: halvingEvery(hour) } }),
    allowed: { shifts: [0.01, 0.02, 0.04] },
  },
  {
    name: "C",
    title: "the same spread over 7 days",
    traffic: visited({ crowd: { ...raid, shape: within(week) } }),
    allowed: { shifts: [0.01, 0.02, 0.12] },
  },
  {
    name: "D",
    title: "a post with 24 ratings in its first day, 200 zeros within 10 minutes",
    traffic: visited({
      history: { span: day, count: 24 },
      perHour: 1,
      crowd: { count: 200, shape: within(10 * minute), spread: zeros },
    }),
    allowed: { shifts: [0.3, 0.4, 0.4] },
  },
  {
    name: "D2",
    title: "a post of a day with 5 ratings an hour, 2,000 zeros over 24 hours",
    traffic: visited({
      history: { span: day },
      perHour: 5,
      crowd: { count: 2_000, shape: within(day), spread: zeros },
    }),
    allowed: { shifts: [null, 0.4, 0.4] },
  },
  {
    name: "E",
    title: "an honest surge: 5,000 more people within 6 hours",
    traffic: honestSurge,
    allowed: { shifts: [0.01, 0.01, 0.02], heldAfterDay: 0 },
  },
  {
    name: "F",
    title: "3,000 fives within 10 minutes",
    traffic: visited({ crowd: { count: 3_000, shape: within(10 * minute), spread: fives } }),
    allowed: { shifts: [0.01, 0.01, 0.02] },
  },
  {
    name: "G",
    title: "opinion changes for good, 2.5 on average at the usual rate; off raw: from the 30th day on",
    traffic: opinionChanges,
    longest: 60 * day,
    distance: "off raw",
    allowed: { distance: 0.1 },
  },
  {
    name: "H",
    title: "as A, and a day later the author excludes the flood; after: then, at once (–: impossible)",
    traffic(random, size) {
      const traffic = visited({ crowd: raid })(random, size);
      return { ...traffic, excludedAt: traffic.start + day };
    },
    distance: "after",
    allowed: { distance: 0.01 },
  },
  {
    name: "I",
    title: "a new post, 1,000 honest ratings in its first 6 hours; off raw: from the 200th on",
    traffic: (random, size) => fresh(random, size, { early: { count: 1_000, span: 6 * hour } }),
    distance: "off raw",
    allowed: { distance: 0.15 },
  },
  {
    name: "J",
    title: "a new post, the first five ratings are zeros, then honest ones; off raw: from the 200th on",
    traffic: (random, size) => fresh(random, size, { zeros: 5 }),
    distance: "off raw",
    allowed: { distance: 0.15 },
  },
  {
    name: "N",
    title: "250 ratings in 18 days, then quiet for a year, then 500 zeros in an hour",
    traffic: visited({
      history: { span: 18 * day, count: 250 },
      silence: 365 * day,
      perHour: 0,
      crowd: { count: 500, shape: within(hour), spread: zeros },
    }),
    allowed: { shifts: [0.06, 0.06, 0.1] },
  },
];

function honestSurge(random: Random, size: number): Traffic {
  const start = published + 18 * day;
  const end = start + week;
  const always = organic(random, { from: published, until: end, perHour: 30 * size });
  const surge = sent(random, size, start, { count: 5_000, shape: within(6 * hour), spread: usual });
  return { ratings: ratingsOf([...always, ...surge].sort((a, b) => a.at - b.at)), start, end };
}

function opinionChanges(random: Random, size: number): Traffic {
  const start = published + 18 * day;
  const end = start + 60 * day;
  const part = (from: number, until: number, spread: Spread) =>
    organic(random, { from, until, perHour: 30 * size, spread });
  const honest = [...part(published, start, usual), ...part(start, end, changed)];
  return { ratings: ratingsOf(honest), start, end, nearRawFrom: start + 30 * day };
}

interface Beginning {
  /** How many people rate in how much time at first, before the usual rate. */
  early?: { count: number; span: number };
  /** How many of the first ratings are zeros. */
  zeros?: number;
}

function fresh(random: Random, size: number, { early, zeros: low = 0 }: Beginning): Traffic {
  const end = published + week;
  const arrivals = [
    ...(early
      ? sent(random, size, published, { count: early.count, shape: within(early.span), spread: usual })
      : []),
    ...organic(random, { from: published + (early?.span ?? 0), until: end, perHour: 30 * size }),
  ];
  const honest = arrivals.map(({ at, score }, index) => ({ at, score: index < low ? (0 as const) : score }));
  const nearRawFrom = honest[Math.round(200 * size) - 1]?.at ?? end;
  return { ratings: ratingsOf(honest), start: published, end, nearRawFrom };
}
