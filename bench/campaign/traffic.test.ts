import { expect, test } from "vitest";
import { seededRandom } from "../../lib/random/seeded-random.ts";
import { attackers } from "./attackers.ts";
import { trafficOf } from "./compare.ts";
import { floods } from "./floods.ts";
import { honestKinds } from "./honest-kinds.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import {
  changed,
  crowd,
  day,
  doublingEvery,
  halvingEvery,
  hour,
  meanOf,
  minute,
  organic,
  published,
  type Rating,
  ratingsOf,
  type Traffic,
  usual,
  within,
  zeros,
} from "./traffic.ts";

const everything = [...scenarios, ...honestKinds, ...floods, ...attackers];

test("has usual scores of 4.18 on average, and changed ones of 2.5", () => {
  for (const spread of [usual, changed])
    expect(spread.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
  expect(meanOf(usual)).toBeCloseTo(4.18, 12);
  expect(meanOf(changed)).toBeCloseTo(2.5, 12);
});

test("has honest ratings at random times, 30 an hour, with the usual scores", () => {
  const people = organic(seededRandom(7), { from: 0, until: 180 * day, perHour: 30 });
  expect(people.length / (180 * 24)).toBeCloseTo(30, 0);
  const gaps = people.slice(1).map(({ at }, index) => at - (people[index]?.at ?? 0));
  // The gaps of a Poisson process deviate as much as they are long.
  const usualGap = mean(gaps);
  expect(usualGap / minute).toBeCloseTo(2, 1);
  expect(Math.sqrt(mean(gaps.map((gap) => (gap - usualGap) ** 2))) / minute).toBeCloseTo(2, 1);
  expect(mean(people.map(({ score }) => score ?? Number.NaN))).toBeCloseTo(4.18, 1);
  expect(shares(people.map(({ score }) => score === 0))).toBeCloseTo(usual[0], 2);
});

test("has all ratings of a crowd, in order, in its shape", () => {
  const times = (shape: (part: number) => number) =>
    crowd(seededRandom(7), { from: 0, count: 20_000, shape, spread: zeros }).map(({ at }) => at);
  const shareBefore = (some: number[], end: number) => shares(some.map((at) => at < end));

  const even = times(within(hour));
  expect(even).toHaveLength(20_000);
  expect(even).toEqual(even.toSorted((a, b) => a - b));
  expect(shareBefore(even, hour / 4)).toBeCloseTo(0.25, 1);

  const halving = times(halvingEvery(hour));
  expect(shareBefore(halving, hour)).toBeCloseTo(0.5, 1);
  expect(shareBefore(halving, 3 * hour)).toBeCloseTo(0.875, 1);

  const doubling = times(doublingEvery(hour, 5 * hour));
  expect(shareBefore(doubling, 5 * hour)).toBe(1);
  expect(shareBefore(doubling, 4 * hour)).toBeCloseTo(15 / 31, 1);
});

test("every rating has a new user, except from accounts that return", () => {
  const people = [
    { at: 0, score: 4 as const },
    { at: 20, score: 3 as const },
  ];
  const flood = [10, 30, 40].map((at, index) => ({ at, score: 0 as const, account: index % 2 }));
  expect(ratingsOf(people, flood).map(({ at, userId, honest }) => [at, userId, honest])).toEqual([
    [0, 1, true],
    [10, 3, false],
    [20, 2, true],
    [30, 4, false],
    [40, 3, false],
  ]);
});

test.each(everything)("$name is the same whenever it is played, in order, and whole", (scenario) => {
  const [first, second] = [0.1, 0.1].map((size) => trafficOf(scenario, size));
  expect(first).toEqual(second);
  for (const { ratings, start, end } of first ?? []) {
    expect(ratings.every(({ at }, index) => at >= (ratings[index - 1]?.at ?? 0))).toBe(true);
    expect(ratings.every(({ at }) => Number.isInteger(at) && at >= published && at < end)).toBe(true);
    expect(end - start).toBeGreaterThanOrEqual(7 * day);
  }
  expect(first?.[0]).not.toEqual(first?.[1]);
});

test("the campaigns have the numbers in their titles", () => {
  const a = only("A");
  expect(flood(a)).toHaveLength(5_000);
  expect(flood(a).at(-1)?.at).toBeLessThan(a.start + 20 * minute);
  expect(mean(flood(a).map(({ score }) => score ?? Number.NaN))).toBeCloseTo(0.1, 1);
  expect(before(a).length).toBeGreaterThan(12_500);
  expect(before(a).length).toBeLessThan(13_500);

  expect(before(only("D"))).toHaveLength(24);
  expect(flood(only("D"))).toHaveLength(200);
  expect(flood(only("D2"))).toHaveLength(2_000);
  expect(flood(only("F"))).toHaveLength(3_000);

  for (const name of ["E", "G", "I", "J"]) expect(flood(only(name))).toHaveLength(0);
  expect(
    only("J")
      .ratings.slice(0, 6)
      .filter(({ score }) => score === 0).length,
  ).toBeGreaterThanOrEqual(5);
  expect(only("I").ratings.filter(({ at }) => at < published + 6 * hour)).toHaveLength(1_000);

  const n = only("N");
  expect(before(n)).toHaveLength(250);
  expect(n.start - (before(n).at(-1)?.at ?? 0)).toBeGreaterThanOrEqual(365 * day);

  const again = attackers.find(({ name }) => name === "Change of mind") as Scenario;
  const minds = again.traffic(seededRandom(1), 1);
  expect(minds.ratings.filter(({ honest, at }) => !honest && at < minds.start)).toHaveLength(3_000);
  expect(new Set(minds.ratings.filter(({ honest }) => !honest).map(({ userId }) => userId)).size).toBe(3_000);
});

function only(name: string): Traffic {
  const scenario = scenarios.find((each) => each.name === name) as Scenario;
  return scenario.traffic(seededRandom(1), 1);
}

function flood({ ratings }: Traffic): Rating[] {
  return ratings.filter(({ honest }) => !honest);
}

function before({ ratings, start }: Traffic): Rating[] {
  return ratings.filter(({ at }) => at < start);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function shares(values: readonly boolean[]): number {
  return mean(values.map(Number));
}
