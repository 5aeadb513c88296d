import { expect, test } from "vitest";
import { formatPeriod, formatRate, formatShortDuration } from "./text.ts";

test.each([
  [1_000, "second"],
  [800, "0.8 seconds"],
  [5_000, "5 seconds"],
  [60_000, "minute"],
  [90_000, "90 seconds"],
  [1_800_000, "30 minutes"],
  [86_400_000, "day"],
])("a duration of %i ms is per %s", (durationMs, text) => {
  expect(formatPeriod(durationMs)).toBe(text);
});

test.each([
  [0.25, "0.25 ms"],
  [75, "75 ms"],
  [300, "0.3 s"],
  [81_774, "81.8 s"],
  [188_575, "3.14 min"],
  [9_000_000, "2.5 h"],
])("a wait of %d ms is %s", (waitMs, text) => {
  expect(formatShortDuration(waitMs)).toBe(text);
});

test.each([
  [10, "10 a second"],
  [1, "1 a second"],
  [1 / 120, "one every 2 minutes"],
  [1 / 7, "one every 7 seconds"],
  [0.3, "one every 3.333 seconds"],
])("writes a rate of %d a second as %s", (perSecond, text) => {
  expect(formatRate(perSecond)).toBe(text);
});
