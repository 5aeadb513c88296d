import { expect, test } from "vitest";
import { floodExample } from "./flood-example.ts";
import { scoringDefaults } from "./tally.ts";

test("the flood halves the average at once, is held, and leaves the score where it was", () => {
  const { flood, held, before, after, days } = floodExample(scoringDefaults);
  expect(flood).toMatchObject({ count: 143, zeros: 130 });
  expect(held).toBeGreaterThan(125);
  expect(before).toBeCloseTo(4.4, 1);
  expect(after.score).toBeCloseTo(before, 1);
  expect(after.average).toBeLessThan(2.6);
  expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(240 + 143);
});

test("counted, because the blog detects no floods, it moves the score by less than a tenth in a day", () => {
  const { held, before, after } = floodExample({ ...scoringDefaults, detectsFloods: false });
  expect(held).toBe(0);
  expect(before - after.score).toBeGreaterThan(0);
  expect(before - after.score).toBeLessThan(0.1);
});

test("is the same at each run", () => {
  expect(floodExample(scoringDefaults)).toEqual(floodExample(scoringDefaults));
});
