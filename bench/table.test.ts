import { expect, test } from "vitest";
import { type Figure, isMet, type Target, tableOf } from "./table.ts";

test.each<[number, Target, boolean]>([
  [0.6, { atLeast: 0.6 }, true],
  [0.59, { atLeast: 0.6 }, false],
  [0.5, { below: 0.5 }, false],
  [1.2, { within: 1.2 }, true],
  [1.21, { within: 1.2 }, false],
  [0.84, { within: 1.2 }, true],
  [0.8, { within: 1.2 }, false],
  [Number.NaN, { atLeast: 0 }, false],
  [Number.NaN, { within: 2 }, false],
])("%d meets %o: %s", (value, target, met) => {
  expect(isMet({ name: "figure", value, target })).toBe(met);
});

test("a table has the targets beside the figures, and a missed one is plain to see", () => {
  const figures: Figure[] = [
    { name: "met", value: { median: 0.8, low: 0.75, high: 0.9 }, target: { atLeast: 0.6 } },
    { name: "missed by far", value: 0.7, unit: "µs", target: { below: 0.5 } },
    { name: "without a target", value: 1 },
  ];
  expect(tableOf("Speed", figures).split("\n")).toEqual([
    "Speed",
    "  met                0.80      [0.75 to 0.90]   (at least 0.6)   ok",
    "  missed by far      0.70 µs                    (below 0.5)      MISSED",
    "  without a target   1.00",
  ]);
});
