import fc from "fast-check";
import { expect, test } from "vitest";
import { scoreFrom } from "./score.ts";

test("has a null average without ratings", () => {
  expect(scoreFrom([0, 0, 0, 0, 0, 0])).toEqual({ average: null, count: 0, histogram: [0, 0, 0, 0, 0, 0] });
  expect(scoreFrom([3, 0, 0, 0, 0, 0])).toMatchObject({ average: 0, count: 3 });
});

test("averages the ratings of the six counters", () => {
  const few = fc.nat({ max: 50 });
  fc.assert(
    fc.property(fc.tuple(few, few, few, few, few, few), (counts) => {
      const ratings = counts.flatMap((count, score) => Array<number>(count).fill(score));
      const { average, count } = scoreFrom(counts);
      expect(count).toBe(ratings.length);
      if (ratings.length > 0)
        expect(average).toBeCloseTo(ratings.reduce((sum, score) => sum + score, 0) / ratings.length, 12);
    }),
    { seed: 1 },
  );
});
