import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { clustersOf, mostWithin } from "./rater-clusters.ts";

const hour = 3_600_000;
const day = 24 * hour;

test("counts the ratings from the largest network of each day", () => {
  const rater = (at: number, network: string | null) => ({ at, registeredAt: 0, network });
  const first = ["a", "a", "a", "b", null].map((network) => rater(5 * day, network));
  const next = ["c", "d", "d"].map((network) => rater(6 * day, network));
  expect(clustersOf([...first, ...next])).toMatchObject({ withNetwork: 7, inOneNetwork: 5, withAge: 0 });
});

test("counts the accounts registered within the day that has most of them", () => {
  const times = [1, 20, 24.9, 25, 26, 40, 60].map((hours) => hours * hour);
  const raters = [0, ...times].map((registeredAt) => ({ at: 9 * day, registeredAt, network: null }));
  expect(clustersOf(raters)).toEqual({
    withNetwork: 0,
    inOneNetwork: 0,
    withAge: 7,
    registeredWithinDay: 5,
  });
});

test("finds nothing in no ratings", () => {
  expect(clustersOf([])).toEqual({ withNetwork: 0, inOneNetwork: 0, withAge: 0, registeredWithinDay: 0 });
});

describe("mostWithin", () => {
  it("agrees with a search of every span", () => {
    const anyTimes = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 30 });
    fc.assert(
      fc.property(anyTimes, fc.integer({ min: 1, max: 20 }), (times, span) => {
        const within = (from: number) => times.filter((at) => at >= from && at < from + span).length;
        const everywhere = Array.from({ length: 100 }, (_, index) => within(index - 20));
        expect(mostWithin(times, span)).toBe(Math.max(...everywhere));
      }),
    );
  });

  it("leaves the span's end out", () => {
    expect(mostWithin([0, 999], 1_000)).toBe(2);
    expect(mostWithin([0, 1_000], 1_000)).toBe(1);
  });
});
