import { expect, test } from "vitest";
import { roughDuration } from "./rough-duration.ts";

const dayMs = 86_400_000;

test.each([
  [0, "1 second"],
  [19_500, "20 seconds"],
  [89_400, "89 seconds"],
  [90_000, "2 minutes"],
  [240_000, "4 minutes"],
  [5_400_000, "2 hours"],
  [1.5 * dayMs, "2 days"],
  [45 * dayMs, "1 month"],
  [90 * dayMs, "3 months"],
  [800 * dayMs, "2 years"],
])("%d ms are %s", (durationMs, text) => {
  expect(roughDuration(durationMs, "en")).toBe(text);
});

test("a duration in Persian has its digits", () => {
  expect(roughDuration(240_000, "fa")).toBe("۴ دقیقه");
});
