import { expect, test } from "vitest";
import { ratedPath, readRatingNotice } from "./rating-notice";

const now = Date.UTC(2026, 2, 1);

test("the page reads the notice of an action, also when the reader was logged out meanwhile", () => {
  for (const reader of [{ id: 7 }, { browser: "a cookie" }]) {
    const context = { slug: "alder", reader, now };
    const url = new URL(ratedPath("logged-out", context), "http://weir.invalid");
    expect([url.pathname, url.hash]).toEqual(["/posts/alder", "#your-rating"]);
    const value = url.searchParams.get("rating");
    expect(readRatingNotice(value, context)).toBe("logged-out");
    expect(readRatingNotice(value, { ...context, slug: "birch" })).toBeUndefined();
  }
});
