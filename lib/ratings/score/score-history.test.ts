import { expect, test } from "vitest";
import { countsFrom } from "../../../db/counts.ts";
import { dayMs } from "../../time/units.ts";
import type { Counts } from "./score.ts";
import { type RatedPast, scoreHistory } from "./score-history.ts";
import { settlingDefaults } from "./settled-score.ts";

const liked: Counts = [0, 0, 0, 0, 5, 5];
const flooded: Counts = [130, 0, 0, 0, 5, 5];
const floodAt = 18.5 * dayMs;
const zeros: Counts = [130, 0, 0, 0, 0, 0];
const flood = { openedAt: floodAt, lastAt: floodAt + 240_000, counts: zeros };

/** Ten ratings a day at 4.5, and in the middle of day 18 130 zeros in four minutes. */
const past = (status: "held" | "counted"): RatedPast => ({
  days: Array.from({ length: 30 }, (_, day) => ({ day, counts: day === 18 ? flooded : liked })),
  windows: [{ ...flood, status }],
  firstAt: 3_600_000,
  now: 30 * dayMs,
});

const at = (status: "held" | "counted", ...times: number[]) =>
  scoreHistory(past(status), times, settlingDefaults);

test("the average falls within the flood's minutes, and the score of a held flood stays", () => {
  const [before, after, end] = at("held", floodAt, floodAt + 240_000, 30 * dayMs);
  expect(before?.average).toBeCloseTo(4.5, 1);
  expect(after?.average).toBeCloseTo((185 * 4.5) / 315, 1);
  for (const point of [before, after, end]) expect(point?.score).toBeCloseTo(4.5, 1);
  expect(end?.average).toBeCloseTo((300 * 4.5) / 430, 2);
});

test("the score of a counted flood moves slowly towards the average", () => {
  const [before, after, end] = at("counted", floodAt, floodAt + 240_000, 30 * dayMs);
  expect(Number(before?.score) - Number(after?.score)).toBeLessThan(0.05);
  expect(Number(end?.score)).toBeLessThan(4.48);
  expect(Number(end?.score)).toBeGreaterThan(Number(end?.average) + 0.5);
});

test("has no average or score before the first rating", () => {
  expect(at("held", 0)).toEqual([{ at: 0, average: null, score: null }]);
});

test("of a hundred times as many ratings, the lines are the same", () => {
  const many = past("held");
  const times = [5, 18, 19, 30].map((day) => day * dayMs);
  const hundredfold = (counts: Counts) => countsFrom((score) => 100 * counts[score]);
  const points = scoreHistory(
    {
      ...many,
      days: many.days.map(({ day, counts }) => ({ day, counts: hundredfold(counts) })),
      windows: many.windows.map((window) => ({ ...window, counts: hundredfold(window.counts) })),
    },
    times,
    settlingDefaults,
  );
  for (const [index, point] of at("held", ...times).entries()) {
    expect(points[index]?.average).toBeCloseTo(Number(point.average), 1);
    expect(points[index]?.score).toBeCloseTo(Number(point.score), 1);
  }
});
