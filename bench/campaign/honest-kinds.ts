/**
 * Honest traffic of the kinds that look like floods to a detector of speed alone.
 * Next to none of it may be held.
 */
import { type Scenario, sent, week } from "./scenario.ts";
import {
  type Arrival,
  aged,
  changed,
  day,
  hour,
  minute,
  newAge,
  organic,
  paced,
  published,
  type Random,
  ratingsOf,
  type Spread,
  type Traffic,
  usual,
  usualAge,
  within,
  zeros,
} from "./traffic.ts";

const grown = published + 2 * week;
const allowed = { heldDayLater: 0.01 };

export const honestKinds: readonly Scenario[] = [
  {
    name: "Day and night",
    title: "60 ratings an hour at noon, 3 at midnight",
    traffic: steady(60, (at) => (1.05 + 0.95 * Math.sin((2 * Math.PI * at) / day)) / 2),
    allowed,
  },
  {
    name: "Office hours",
    title: "60 ratings an hour on workdays from 9 to 17, else one",
    traffic: steady(60, (at) => (isOfficeHour(at) ? 1 : 1 / 60)),
    allowed,
  },
  {
    name: "Office hours, changed",
    title: "as Office hours, and opinion turns to 2.5",
    traffic: steady(60, (at) => (isOfficeHour(at) ? 1 : 1 / 60), changed),
    allowed,
  },
  {
    name: "Day and night, changed",
    title: "as Day and night, and opinion turns to 2.5",
    traffic: steady(60, (at) => (1.05 + 0.95 * Math.sin((2 * Math.PI * at) / day)) / 2, changed),
    allowed,
  },
  {
    name: "Newsletter",
    title: "5 ratings an hour, and 100 within 5 minutes at the same time of each day",
    traffic(random, size) {
      const end = grown + week;
      const letters = Array.from({ length: (end - published) / day }, (_, index) =>
        sent(random, size, published + index * day, { count: 100, shape: within(5 * minute), spread: usual }),
      );
      const people = organic(random, { from: published, until: end, perHour: 5 * size });
      return honestTraffic(random, [...people, ...letters.flat()], grown, end);
    },
    allowed,
  },
  {
    name: "Young and liked",
    title: "a new post with two ratings a second for an hour, then 30 an hour",
    traffic(random, size) {
      const end = published + week;
      const people = [
        ...organic(random, { from: published, until: published + hour, perHour: 7_200 * size }),
        ...organic(random, { from: published + hour, until: end, perHour: 30 * size }),
      ];
      return honestTraffic(random, people, published, end);
    },
    allowed,
  },
  {
    name: "Young and loved",
    title: "the same with seven fives in ten",
    traffic(random, size) {
      const spread = [0.1, 0, 0, 0.05, 0.15, 0.7] as const;
      const crowd = { from: published, until: published + hour, perHour: 7_200 * size, spread };
      return honestTraffic(random, organic(random, crowd), published, published + week);
    },
    allowed,
  },
  {
    name: "Doubling",
    title: "5 ratings an hour, then twice as many in every further ten minutes, up to 2,560 an hour",
    traffic(random, size) {
      const end = grown + week;
      const surge = paced(random, {
        from: grown,
        until: grown + 90 * minute,
        mostPerHour: 2_560 * size,
        shareAt: (at) => 2 ** ((at - grown) / (10 * minute) - 9),
      });
      const people = organic(random, { from: published, until: end, perHour: 5 * size });
      return honestTraffic(random, [...people, ...surge], grown, end);
    },
    allowed,
  },
  {
    name: "Surge with fakes",
    title:
      "5 ratings an hour, then 1,500 honest ones within 2 hours, and 375 zeros of new accounts among them",
    traffic(random, size) {
      const end = grown + week;
      const among = { shape: within(2 * hour) };
      const surge = sent(random, size, grown, { count: 1_500, spread: usual, ...among });
      const fakes = sent(random, size, grown, { count: 375, spread: zeros, ...among });
      const people = organic(random, { from: published, until: end, perHour: 5 * size });
      return honestTraffic(random, [...people, ...surge], grown, end, aged(random, fakes, newAge));
    },
    allowed: { heldDayLater: 0.1 },
  },
  {
    name: "Honest change",
    title: "5 ratings an hour for a day, then 15 an hour for a week, 2.5 on average",
    traffic(random, size) {
      const start = published + day;
      const end = start + week;
      const people = [
        ...organic(random, { from: published, until: start, perHour: 5 * size }),
        ...organic(random, { from: start, until: end, perHour: 15 * size, spread: changed }),
      ];
      return honestTraffic(random, people, start, end);
    },
    allowed,
  },
  {
    name: "Honest zeros",
    title: "5 ratings an hour for a day, then 10 zeros an hour beside them, of accounts as old as usual",
    traffic(random, size) {
      const start = published + day;
      const end = start + week;
      const people = [
        ...organic(random, { from: published, until: end, perHour: 5 * size }),
        ...organic(random, { from: start, until: end, perHour: 10 * size, spread: zeros }),
      ];
      return honestTraffic(random, people, start, end);
    },
    allowed,
  },
];

/**
 * Ratings at a varying rate, from two weeks before the start.
 * From the start on they have this spread.
 */
function steady(mostPerHour: number, shareAt: (at: number) => number, spread: Spread = usual) {
  return (random: Random, size: number): Traffic => {
    const end = grown + week;
    const rate = { mostPerHour: mostPerHour * size, shareAt };
    const people = [
      ...paced(random, { ...rate, from: published, until: grown }),
      ...paced(random, { ...rate, from: grown, until: end, spread }),
    ];
    return honestTraffic(random, people, grown, end);
  };
}

function honestTraffic(
  random: Random,
  people: readonly Arrival[],
  start: number,
  end: number,
  flood: readonly Arrival[] = [],
): Traffic {
  const inOrder = people.toSorted((a, b) => a.at - b.at);
  return { ratings: ratingsOf(aged(random, inOrder, usualAge), flood), start, end };
}

function isOfficeHour(at: number): boolean {
  const date = new Date(at);
  const [weekday, time] = [date.getUTCDay(), date.getUTCHours()];
  return weekday >= 1 && weekday <= 5 && time >= 9 && time < 17;
}
