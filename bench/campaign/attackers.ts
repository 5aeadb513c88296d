// Over 200 lines: a list, of campaigns.

/**
 * Campaigns by people who know how the score works.
 * Nothing is promised about them: they are played to be known.
 */
import { countsFrom } from "../../db/counts.ts";
import { type Scenario, sent, visited, week } from "./scenario.ts";
import {
  day,
  doublingEvery,
  fives,
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

export const attackers: readonly Scenario[] = [
  {
    name: "Several scores",
    title: "5,000 within a day, spread evenly over 0, 1, 2 and 3",
    traffic: visited({ crowd: { count: 5_000, shape: within(day), spread: [0.25, 0.25, 0.25, 0.25, 0, 0] } }),
  },
  {
    name: "Slow start",
    title: "5,000 zeros over 7 days, twice as many in every half day",
    traffic: visited({ crowd: { count: 5_000, shape: doublingEvery(day / 2, week), spread: zeros } }),
  },
  {
    name: "Noise first",
    title: "1,000 fives and zeros by turns over 6 hours, then 4,000 zeros within 20 minutes",
    traffic: noiseFirst,
  },
  {
    name: "Change of mind",
    title: "3,000 accounts gave fives over two weeks; all change to 0 within 20 minutes",
    traffic: changeOfMind,
  },
  {
    name: "One account",
    title: "one account rates a post of 24 ratings 0, withdraws, rates it 5, withdraws, all week",
    traffic: oneAccount,
  },
  {
    name: "Many young posts",
    title: "20 posts of 24 ratings, 12 hours to 5 days old, get 200 zeros in 10 minutes each",
    posts: 20,
    traffic: youngPost,
  },
  {
    name: "Mimicry",
    title: "5,000 within 6 hours, a fifth of them zeros, the rest spread as usual",
    traffic: visited({ crowd: { count: 5_000, shape: within(6 * hour), spread: mixed(0.2) } }),
  },
  {
    name: "Siege",
    title: "5,000 zeros (one in ten a 1) in 20 minutes, then 15 an hour, a third of all, for 30 days",
    longest: 30 * day,
    traffic: siege,
  },
  {
    name: "Below the limit",
    title: "a post of a day with 5 ratings an hour, 10 zeros an hour for 7 days",
    traffic: visited({
      history: { span: day },
      perHour: 5,
      crowd: { count: 10 * 24 * 7, shape: within(week), spread: zeros },
    }),
  },
  {
    name: "Jam",
    title: "5 ratings an hour for 18 days, then 50 zeros an hour for 14 days beside them",
    longest: 14 * day,
    traffic: visited({
      perHour: 5,
      crowd: { count: 50 * 24 * 14, shape: within(2 * week), spread: zeros },
      span: 2 * week,
    }),
  },
  {
    name: "Growth",
    title: "5 ratings an hour for 18 days and 30 ever since, 16 days later 3,000 zeros in 20 minutes",
    traffic: growth,
  },
  {
    name: "Cover",
    title: "25 good ratings in seconds, one of them changed every 6 minutes, 10 days later 3,000 zeros",
    traffic: cover,
  },
  {
    name: "No decision",
    title: "as A, watched for 60 days",
    posts: 3,
    longest: 60 * day,
    traffic: visited({
      crowd: { count: 5_000, shape: within(20 * minute), spread: zerosAndSomeOnes },
      span: 60 * day,
    }),
  },
  {
    name: "No decision on a young post",
    title: "as D, watched for 60 days",
    posts: 3,
    longest: 60 * day,
    traffic: visited({
      history: { span: day, count: 24 },
      perHour: 1,
      crowd: { count: 200, shape: within(10 * minute), spread: zeros },
      span: 60 * day,
    }),
  },
];

/** Zeros among the usual scores. */
function mixed(shareOfZeros: number): Spread {
  return countsFrom((score) => usual[score] * (1 - shareOfZeros) + (score === 0 ? shareOfZeros : 0));
}

function noiseFirst(random: Random, size: number): Traffic {
  const { ratings, start, end } = visited({})(random, size);
  const noise = sent(random, size, start, { count: 1_000, shape: within(6 * hour), spread: fives });
  const blow = { count: 4_000, shape: within(20 * minute), spread: zeros };
  const flood = [
    ...noise.map(({ at }, index) => ({ at, score: index % 2 === 0 ? (5 as const) : (0 as const) })),
    ...sent(random, size, start + 6 * hour, blow),
  ];
  return { ratings: ratingsOf(ratings, flood), start, end };
}

function changeOfMind(random: Random, size: number): Traffic {
  const { ratings, start, end } = visited({})(random, size);
  const accounts = { count: 3_000, spread: fives };
  const before = sent(random, size, start - 2 * week, { ...accounts, shape: within(2 * week) });
  const after = sent(random, size, start, { ...accounts, shape: within(20 * minute), spread: zeros });
  const numbered = [before, after].flatMap((some) => some.map((each, account) => ({ ...each, account })));
  return { ratings: ratingsOf(ratings, numbered), start, end };
}

/**
 * A post that has found more readers.
 * Is the rise taken for a flood, and does it hide another one?
 */
function growth(random: Random, size: number): Traffic {
  const turn = published + 18 * day;
  const start = turn + 16 * day;
  const end = start + week;
  const few = organic(random, { from: published, until: turn, perHour: 5 * size });
  const many = organic(random, { from: turn, until: end, perHour: 30 * size });
  const flood = sent(random, size, start, { count: 3_000, shape: within(20 * minute), spread: zeros });
  return { ratings: ratingsOf([...few, ...many], flood), start, end };
}

/** A window that looks honest is opened and kept open, for a flood to come in. */
function cover(random: Random, size: number): Traffic {
  const { ratings, start, end } = visited({ perHour: 5 })(random, size);
  const opened = start - 10 * day;
  const mimics = Array.from({ length: 25 }, (_, account) => ({
    at: opened + account * 1_000,
    // Four fives and a four are spread nearly as usual.
    score: account % 5 === 0 ? (4 as const) : (5 as const),
    account,
  }));
  const changes = Array.from({ length: (10 * day) / (6 * minute) }, (_, index) => ({
    at: opened + minute + index * 6 * minute,
    score: index % 2 === 0 ? (4 as const) : (5 as const),
    account: 0,
  }));
  const flood = sent(random, size, start, { count: 3_000, shape: within(20 * minute), spread: zeros });
  const numbered = flood.map((each, index) => ({ ...each, account: 25 + index }));
  return { ratings: ratingsOf(ratings, [...mimics, ...changes, ...numbered]), start, end };
}

function oneAccount(random: Random, size: number): Traffic {
  const history = { span: day, count: 24 };
  const { ratings, start, end } = visited({ history, perHour: 1 })(random, size);
  const turns = [0, null, 5, null] as const;
  const flood = Array.from({ length: (end - start) / minute }, (_, index) => ({
    at: start + index * minute,
    score: turns[index % turns.length] ?? null,
    account: 0,
  }));
  return { ratings: ratingsOf(ratings, flood), start, end };
}

function youngPost(random: Random, size: number): Traffic {
  const age = Math.round(12 + random() * 108) * hour;
  return visited({
    history: { span: age, count: 24 },
    perHour: 24 / (age / hour),
    crowd: { count: 200, shape: within(10 * minute), spread: zeros },
  })(random, size);
}

function siege(random: Random, size: number): Traffic {
  const span = 30 * day;
  const raid = { count: 5_000, shape: within(20 * minute), spread: zerosAndSomeOnes };
  const { ratings, start, end } = visited({ span })(random, size);
  const rest = organic(random, {
    from: start + 20 * minute,
    until: end,
    perHour: 15 * size,
    spread: zerosAndSomeOnes,
  });
  return { ratings: ratingsOf(ratings, [...sent(random, size, start, raid), ...rest]), start, end };
}
