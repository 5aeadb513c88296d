import { expect, test } from "vitest";
import { siteBaseline } from "./site-baseline.ts";

test("no score is usual for most ratings, with any posts", () => {
  const zeros = {
    counts: [10, 0, 0, 0, 0, 0] as const,
    raters: 10,
    firstAt: 0,
    lastRaterAt: 9,
    detector: null,
  };
  const { scores } = siteBaseline(Array.from({ length: 50 }, () => zeros));
  expect(scores[0]).toBeCloseTo(0.4);
  expect(scores.reduce((total, share) => total + share, 0)).toBeCloseTo(1);
});
