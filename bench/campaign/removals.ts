// Over 200 lines: a list, of campaigns.

/**
 * Campaigns that change, freeze or ratchet a score.
 * Their accounts leave, return or are decided about.
 */
import type { Seen } from "./public-score.ts";
import { type Scenario, sent, visited, week } from "./scenario.ts";
import {
  type Arrival,
  changed,
  day,
  fives,
  hour,
  minute,
  organic,
  polarised,
  published,
  type Random,
  ratingsOf,
  type Spread,
  type Traffic,
  turned,
  within,
  zeros,
} from "./traffic.ts";

export const removals: readonly Scenario[] = [
  {
    name: "Throwaway zeros",
    title: "ten accounts rate a new post 0 and leave; off raw: at the 12th honest five",
    traffic: (random, size) => throwaways(random, size, 12),
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.1 },
  },
  {
    name: "Throwaway zeros, later",
    title: "as Throwaway zeros; off raw: at the 50th honest five",
    traffic: (random, size) => throwaways(random, size, 50),
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.1 },
  },
  {
    name: "Frozen",
    title: "opinion turns to 1.75; the same 400 accounts give fives for a minute every 2 h; off raw: day 7",
    traffic: (random, size) => frozen(random, size, {}),
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.1 },
  },
  {
    name: "Frozen by new accounts",
    title: "as Frozen, with 400 new accounts each time",
    posts: 3,
    traffic: (random, size) => frozen(random, size, { areNew: true }),
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.1 },
  },
  {
    name: "Frozen from below",
    title: "as Frozen, but the mean is raised to a hair below the score, not beyond it",
    traffic: (random, size) => frozen(random, size, { staysBelow: true }),
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.1 },
  },
  {
    name: "Sleepers leave",
    title:
      "200 fives in a new post's first hour, 200 readers (2.5) in 10 days, the 200 leave; off raw: a day",
    traffic: sleepersLeave,
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.1 },
  },
  {
    name: "Sleepers turn",
    title: "200 fives beside 200 readers (4.18) turn to zeros in 10 minutes, one leaves; off raw: an hour",
    traffic: sleepersTurn,
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.2 },
  },
  {
    name: "Ratchet",
    title: "the author excludes, counts and excludes again floods of fives at birth and later",
    traffic: ratchet,
    allowed: { shifts: [0.4] },
  },
  {
    name: "A revived post",
    title: "250 ratings in 18 days, a quiet year, then 30 an hour at 2.5; off raw: from day 40 on",
    longest: 60 * day,
    traffic: revived,
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.1 },
  },
  {
    name: "Poisoned at birth",
    title: "a new post, the first 16 ratings are zeros, then 30 an hour; off raw: from the 216th on",
    traffic: poisoned,
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.15 },
  },
  {
    name: "Divided from birth",
    title: "a new post, half zeros and half fives, 30 an hour; off raw: from the 200th on",
    traffic: divided,
    distance: "off raw",
    alone: true,
    allowed: { distance: 0.3 },
  },
];

function throwaways(random: Random, size: number, count: number): Traffic {
  const end = published + week;
  const accounts = Array.from({ length: 10 }, (_, account) => [
    { at: published + account * 1_000, score: 0 as const, account },
    { at: published + minute + account * 1_000, score: null, account },
  ]).flat();
  const honest = organic(random, { from: published + hour, until: end, perHour: 30 * size, spread: fives });
  const measuredAt = honest[count - 1]?.at ?? end;
  return {
    ratings: ratingsOf(honest, accounts),
    start: published,
    end,
    nearRawFrom: measuredAt,
    nearRawUntil: measuredAt,
  };
}

/**
 * Readers turn away from a young post.
 * Meanwhile accounts hold the mean up for a minute now and then.
 */
function frozen(
  random: Random,
  size: number,
  { areNew = false, staysBelow = false }: { areNew?: boolean; staysBelow?: boolean },
): Traffic {
  const { ratings, start, end } = visited({ history: { span: day / 2 }, perHour: 5 })(random, size);
  const before = ratings.filter(({ at }) => at < start);
  const honest = [
    ...before,
    ...organic(random, { from: start, until: end, perHour: 5 * size, spread: turned }),
  ];
  const onlyIf = staysBelow ? isBelowScore : undefined;
  const count = Math.round(400 * size);
  const flips: Arrival[] = [];
  for (let at = start + hour, first = 0; at < end; at += 2 * hour, first += areNew ? count : 0)
    for (let index = 0; index < count; index += 1) {
      const [given, account] = [at + index * 25, first + index];
      flips.push({ at: given, score: 5, account, onlyIf }, { at: given + minute, score: null, account });
    }
  return { ratings: ratingsOf(honest, flips), start, end, nearRawFrom: end - minute };
}

/** Whether one more five leaves the mean below the score. */
function isBelowScore({ score, counts }: Seen): boolean {
  const [stars, count] = counts.reduce(
    ([stars, count], some, each) => [stars + some * each, count + some],
    [0, 0],
  );
  return score !== null && (stars + 5) / (count + 1) < score - 0.001;
}

function sleepersLeave(random: Random, size: number): Traffic {
  const start = published + 10 * day;
  const sleepers = sent(random, size, published, { count: 200, shape: within(hour), spread: fives });
  const honest = sent(random, size, published + hour, {
    count: 200,
    shape: within(10 * day - hour),
    spread: changed,
  });
  const flood = sleepers.flatMap(({ at, score }, account) => [
    { at, score, account },
    { at: start + account * 100, score: null, account },
  ]);
  const end = start + week;
  const from = start + minute;
  return { ratings: ratingsOf(honest, flood), start, end, nearRawFrom: from, nearRawUntil: from + day };
}

function sleepersTurn(random: Random, size: number): Traffic {
  const { ratings, start, end } = visited({ history: { span: 18 * day, count: 200 }, perHour: 0.5 })(
    random,
    size,
  );
  const accounts = sent(random, size, published, { count: 200, shape: within(18 * day), spread: fives });
  const turns = sent(random, size, start, { count: 200, shape: within(10 * minute), spread: zeros });
  const flood = [accounts, turns].flatMap((some) => some.map((each, account) => ({ ...each, account })));
  const last = { at: start + 20 * minute, score: null, account: 0 };
  return {
    ratings: ratingsOf(ratings, [...flood, last]),
    start,
    end,
    nearRawFrom: start + 30 * minute,
    nearRawUntil: start + 90 * minute,
  };
}

function ratchet(random: Random, size: number): Traffic {
  const end = published + 8 * day;
  const start = published + 7 * day;
  const honest = [
    ...organic(random, { from: published, until: published + hour, perHour: 12 * size, spread: fives }),
    ...organic(random, { from: published + 3 * hour, until: end, perHour: 5 * size, spread: turned }),
  ];
  const burst = sent(random, size, published + 2 * hour, { count: 60, shape: within(minute), spread: fives });
  const flood = sent(random, size, start - 2 * hour, { count: 6_000, shape: within(hour), spread: fives });
  return {
    ratings: ratingsOf(honest, [...burst, ...flood]),
    start,
    end,
    decisions: [
      { at: start, window: 2, status: "counted" },
      { at: start, window: 1, status: "excluded" },
      { at: start, window: 1, status: "counted" },
    ],
  };
}

function revived(random: Random, size: number): Traffic {
  const grown = published + 18 * day;
  const start = grown + 365 * day;
  const end = start + 60 * day;
  const honest = [
    ...organic(random, { from: published, until: grown, perHour: (250 / (18 * 24)) * size }),
    ...organic(random, { from: start, until: end, perHour: 30 * size, spread: changed }),
  ];
  return { ratings: ratingsOf(honest), start, end, nearRawFrom: start + 40 * day };
}

function poisoned(random: Random, size: number): Traffic {
  const end = published + week;
  const poison = sent(random, 1, published, { count: 16, shape: within(10 * minute), spread: zeros });
  const honest = organic(random, { from: published + 10 * minute, until: end, perHour: 30 * size });
  const all = [...poison, ...honest];
  return {
    ratings: ratingsOf(all),
    start: published,
    end,
    nearRawFrom: all[Math.round(216 * size) - 1]?.at ?? end,
  };
}

function divided(random: Random, size: number): Traffic {
  const end = published + week;
  const spread: Spread = polarised;
  const honest = organic(random, { from: published, until: end, perHour: 30 * size, spread });
  return {
    ratings: ratingsOf(honest),
    start: published,
    end,
    nearRawFrom: honest[Math.round(200 * size) - 1]?.at ?? end,
  };
}
