import { expect, test } from "vitest";
import { roughRatingsText } from "./score";

test.each([
  [1, "1 rating"],
  [99, "99 ratings"],
  [100, "100+ ratings"],
  [1_572, "1,500+ ratings"],
  [1_000_000, "1,000,000+ ratings"],
  [9_999_999, "9,900,000+ ratings"],
])("%d ratings are roughly %j", (count, text) => {
  expect(roughRatingsText(count, "en")).toBe(text);
});
