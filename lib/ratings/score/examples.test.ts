import { expect, test } from "vitest";
import { changeExample, crowdExample, type ExamplePoint } from "./examples.ts";
import { settlingDefaults } from "./settled-score.ts";

function on(points: readonly ExamplePoint[], day: number): ExamplePoint {
  const point = points.find((each) => each.day === day);
  if (!point) throw new Error(`There is no point on day ${day}.`);
  return point;
}

test("a crowd of zeros lowers the average by a star, and the score by next to nothing", () => {
  const points = crowdExample(settlingDefaults);
  expect(on(points, 0).average - on(points, 1 / 24).average).toBeGreaterThan(1);
  for (const { score } of points) expect(Math.abs(score - on(points, 0).score)).toBeLessThan(0.05);
});

test("a lasting change of opinion is followed within a month", () => {
  const points = changeExample(settlingDefaults);
  expect(on(points, 1).average - on(points, 1).score).toBeLessThan(0);
  const { average, score } = on(points, 30);
  expect(average).toBeLessThan(3.3);
  expect(Math.abs(score - average)).toBeLessThan(0.05);
});
