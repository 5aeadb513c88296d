import { describe, expect, test } from "vitest";
import { seededRandom } from "../../lib/random/seeded-random.ts";
import { middleOf, playAll, trafficOf } from "./compare.ts";
import { plainMean, scoreAverage, weightedMean } from "./means.ts";
import { averageOfGaps, leakyBucket, originalAverage, originalLeakyBucket } from "./original-limiters.ts";
import type { ScoringMethod } from "./public-score.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { settledAlone } from "./settled-alone.ts";
import { organic } from "./traffic.ts";

const day = 1;
const week = 2;

test.each<[string, number, number]>([
  ["A", day, 1.13],
  ["B", day, 1.1],
  ["C", day, 0.2],
  ["C", week, 0.87],
  ["F", week, 0.15],
  ["N", week, 2.8],
])("In %s a plain mean moves by what is known (horizon %i: %d)", (name, horizon, known) => {
  expect(Math.abs(shift(plainMean, name, horizon) - known)).toBeLessThan(0.03);
});

test("a small crowd takes over a young post's plain mean", () => {
  // The mean of so few honest ratings varies: 200 zeros beside 24 ratings leave a ninth of it.
  expect(shift(plainMean, "D", week)).toBeGreaterThan(3.4);
  expect(shift(plainMean, "D2", week)).toBeGreaterThan(3.5);
});

test.each(["A", "B", "C", "F"])("in %s the original limiters do not help a plain mean", (name) => {
  const known = shift(plainMean, name, week);
  for (const method of [originalLeakyBucket, originalAverage])
    expect(shift(method, name, week)).toBeCloseTo(known, 2);
});

test("a crowd moves an average of the latest scores, and a prior does not protect a well-rated post", () => {
  expect(shift(scoreAverage, "A", day)).toBeGreaterThan(3.5);
  expect(shift(weightedMean, "A", day)).toBeCloseTo(shift(plainMean, "A", day), 2);
});

test.each(["A", "B", "C", "E", "F", "G", "N"])("in %s the settled score keeps its bounds alone", (name) => {
  const { distance, shifts } = outcome(settledAlone, name);
  const { allowed } = scenario(name);
  allowed?.shifts?.forEach((bound, index) => {
    expect(shifts[index]).toBeLessThanOrEqual(bound ?? 5);
  });
  expect(distance ?? 0).toBeLessThanOrEqual(allowed?.distance ?? 5);
});

test.each([plainMean, originalLeakyBucket, originalAverage, weightedMean, settledAlone])(
  "$name recognises earlier raters, and removes withdrawn ratings",
  (method) => {
    const post = method.make();
    post.rate(0, 1, 1);
    const once = post.score(0);
    post.rate(1_000, 4, 1);
    post.rate(2_000, 1, 1);
    expect(post.score(2_000)).toBe(once);
    post.withdraw?.(3_000, 1);
    expect(post.score(3_000)).toBeNull();
  },
);

describe("the original leaky bucket", () => {
  test("lets exactly 20 pass at one instant", () => {
    expect(passing(leakyBucket(), Array(100).fill(500))).toBe(20);
  });

  test("lets 30 pass within 10 ms around a second's end", () => {
    expect(passing(leakyBucket(), [...Array(50).fill(995), ...Array(50).fill(1_005)])).toBe(30);
  });
});

describe("the original EMA", () => {
  const everyFiveSeconds = Array.from({ length: 15 }, (_, index) => index * 5_000);

  test("refuses some of a quick handful after a steady past", () => {
    const limiter = averageOfGaps();
    expect(passing(limiter, everyFiveSeconds)).toBe(15);
    const quick = Array.from({ length: 6 }, (_, index) => 70_050 + index * 50);
    expect(passing(limiter, quick)).toBeLessThan(6);
  });

  test("refuses a gap that is a little shorter than all before", () => {
    const limiter = averageOfGaps();
    passing(limiter, [...everyFiveSeconds, 75_000]);
    expect(limiter(79_999)).toBe(false);
  });

  test("takes a flood for usual after three refusals", () => {
    const limiter = averageOfGaps();
    passing(limiter, everyFiveSeconds);
    const flood = Array.from({ length: 200 }, (_, index) => 70_050 + index * 50);
    expect(passing(limiter, flood)).toBe(197);
  });

  test("refuses no flood after people who came at random", () => {
    const limiter = averageOfGaps();
    const people = organic(seededRandom(1), { from: 0, until: 86_400_000, perHour: 30 });
    passing(
      limiter,
      people.map(({ at }) => at),
    );
    expect(passing(limiter, Array(5_000).fill(86_400_000))).toBe(5_000);
  });
});

function scenario(name: string): Scenario {
  return scenarios.find((each) => each.name === name) as Scenario;
}

function outcome(method: ScoringMethod, name: string) {
  const all = trafficOf(scenario(name));
  return middleOf(playAll(method, all.slice(0, 1), scenario(name)));
}

function shift(method: ScoringMethod, name: string, horizon: number): number {
  return outcome(method, name).shifts[horizon] ?? Number.NaN;
}

function passing(limiter: (at: number) => boolean, times: readonly number[]): number {
  return times.filter((at) => limiter(at)).length;
}
