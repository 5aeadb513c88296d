import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../random/seeded-random.ts";
import type { Counts } from "../score/score.ts";
import {
  distance,
  endOf,
  looksLikePast,
  mayReopen,
  openWindow,
  runUpLength,
  withArrival,
} from "./flood-window.ts";

const minute = 60_000;
const past: Counts = [20, 30, 50, 100, 250, 550];

describe("the run-up", () => {
  test.each([
    ["takes the ratings since the gaps became short", [10, 20, 30, 40, 35_000, 90_000, 150_000], 4],
    ["is empty when the rating before is long ago", [60_000, 120_000], 0],
    ["bears one longer gap in between", [10, 20, 35_000, 35_010, 35_020, 35_030, 120_000], 6],
    ["is everything when nothing came before the flood", [1, 2, 3], 3],
    ["is nothing when nothing came at all", [], 0],
  ])("%s", (_, ages, length) => {
    const now = 10_000_000;
    const times = ages.map((age) => now - age);
    expect(runUpLength(now, times, minute)).toBe(length);
  });

  test("has at most a hundred ratings", () => {
    const times = Array.from({ length: 500 }, (_, index) => 10_000 - index);
    expect(runUpLength(10_000, times, minute)).toBe(100);
  });
});

describe("a window", () => {
  test("begins with its run-up and ends once gaps are near the usual one again", () => {
    const opened = openWindow(3, 1_000_000, minute, [999_990, 999_980]);
    expect(opened).toMatchObject({ number: 3, openedAt: 999_980, recentGapMs: 10, status: "held" });
    // One gap alone would have to be so long that a third of it makes up for the missing time.
    expect(endOf(opened)).toBe(1_000_000 + 10 + (45_000 - 10) * 3);
    let window = opened;
    let arrivals = 0;
    for (let now = 1_000_000 + minute; endOf(window) > now; now += minute) {
      window = withArrival(window, now);
      arrivals += 1;
    }
    expect(arrivals).toBe(3);
  });

  test("stays open while ratings keep coming twice as fast as usual", () => {
    let window = openWindow(1, 0, minute, []);
    for (let now = minute / 2; now < 1_000 * minute; now += minute / 2) {
      expect(endOf(window)).toBeGreaterThan(now);
      window = withArrival(window, now);
    }
  });

  test("ends when one more rating would bring the average gap to three quarters of the usual one", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 1e9 }),
        (usualGapMs, runUpMs, gapMs) => {
          const window = openWindow(1, runUpMs, usualGapMs, [0]);
          const { recentGapMs } = withArrival(window, runUpMs + gapMs);
          const isOver = endOf(window) <= runUpMs + gapMs;
          if (Math.abs(recentGapMs - 0.75 * usualGapMs) > 1 && recentGapMs < 0.75 * usualGapMs)
            expect(isOver).toBe(false);
          if (recentGapMs > 0.75 * usualGapMs + 1 && gapMs > runUpMs) expect(isOver).toBe(true);
        },
      ),
    );
  });

  test("reopens when the flood resumes within a day, unless a person or time has decided", () => {
    const day = 24 * 60 * minute;
    const closed = { ...openWindow(1, 0, minute, []), closedAt: 5_000 };
    expect(mayReopen(closed, day - 1)).toBe(true);
    expect(mayReopen(closed, day)).toBe(false);
    expect(mayReopen({ ...closed, closedAt: null }, 10)).toBe(false);
    expect(mayReopen({ ...closed, decidedBy: "shape" }, 10)).toBe(true);
    expect(mayReopen({ ...closed, decidedBy: "time" }, 10)).toBe(false);
    expect(mayReopen({ ...closed, decidedBy: "person" }, 10)).toBe(false);
  });
});

describe("a window's ratings look like the past", () => {
  const share = (of: Counts, count: number) => of.map((some) => Math.round((some * count) / 1_000));
  const counts = (some: readonly number[]): Counts => {
    const [n0 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0] = some;
    return [n0, n1, n2, n3, n4, n5];
  };

  test.each<[string, Counts, Counts, boolean]>([
    ["when they are spread the same, few or many", counts(share(past, 100)), past, true],
    ["when they are spread the same, by the thousand", counts(share(past, 50_000)), past, true],
    ["not when they are zeros", [50, 0, 0, 0, 0, 0], past, false],
    ["not when they are zeros and there are five", [5, 0, 0, 0, 0, 0], past, false],
    ["not when they are fives only", [0, 0, 0, 0, 0, 3_000], past, false],
    [
      "not when a quarter are zeros",
      counts([...share(past, 750)].map((n, i) => (i === 0 ? n + 250 : n))),
      past,
      false,
    ],
    ["not when there is hardly a past", [0, 0, 0, 0, 0, 9], [0, 0, 0, 0, 0, 9], false],
    ["not when there is nothing in it", [0, 0, 0, 0, 0, 0], past, false],
  ])("%s", (_, window, before, expected) => {
    expect(looksLikePast(window, before)).toBe(expected);
  });

  test("with hysteresis: a window that looked alike may differ twice as much", () => {
    const some = counts(share(past, 850).map((n, i) => (i === 0 ? n + 150 : n)));
    expect(looksLikePast(some, past)).toBe(false);
    expect(looksLikePast(some, past, { wasAlike: true })).toBe(true);
  });

  test("by total variation distance", () => {
    expect(distance([10, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 7])).toBe(1);
    expect(distance([1, 0, 0, 0, 0, 3], [0, 0, 0, 0, 0, 8])).toBe(0.25);
    expect(distance(past, past)).toBe(0);
  });

  test("for at least 95 % of 250 random samples of honest ratings", () => {
    const random = seededRandom(1);
    const draw = () => {
      let left = random() * 1_000;
      return past.findIndex((some) => {
        left -= some;
        return left < 0;
      });
    };
    for (const size of [3, 12, 40, 200]) {
      let refused = 0;
      for (let sample = 0; sample < 250; sample += 1) {
        const drawn = Array.from({ length: size }, draw);
        const window = counts([0, 1, 2, 3, 4, 5].map((s) => drawn.filter((each) => each === s).length));
        if (!looksLikePast(window, past)) refused += 1;
      }
      expect(refused, `${size} ratings`).toBeLessThanOrEqual(12);
    }
  });
});
