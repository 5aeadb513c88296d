import { afterAll, expect, test } from "vitest";
import { createTextComparer } from "./compare-texts.ts";

const comparer = createTextComparer({ maximumMs: 600_000 });
afterAll(() => comparer.close());

/** Texts of 50,000 characters, each fifth word changed: slow to compare. */
const words = (changed: string) =>
  Array.from({ length: 8_000 }, (_, index) => (index % 5 === 0 ? changed : `word ${index % 7}`)).join(" ");
const long = { before: words("a"), after: words("b"), lang: "en" };
const short = { before: "one two", after: "one 2", lang: "en" };

test("compares long texts in another thread, meanwhile the event loop runs on", async () => {
  let isCompared = false;
  const compared = comparer.compare(1, long).finally(() => {
    isCompared = true;
  });
  for (let turns = 0; turns < 10; turns += 1) {
    await new Promise(setImmediate);
    expect(isCompared).toBe(false);
  }
  expect(await compared).not.toBe("busy");
});

test("a user's third comparison at once is refused, and another user's is not", async () => {
  const outcomes = await Promise.all([1, 1, 1, 2].map((user) => comparer.compare(user, short)));
  const parts = [
    { kind: "same", text: "one " },
    { kind: "removed", text: "two" },
    { kind: "added", text: "2" },
  ];
  expect(outcomes).toEqual([parts, parts, "busy", parts]);
  expect(await comparer.compare(1, short)).toEqual(parts);
});

test("refuses a comparison while twenty others run or wait", async () => {
  const outcomes = await Promise.all(Array.from({ length: 21 }, (_, user) => comparer.compare(user, short)));
  expect(outcomes.filter((outcome) => outcome === "busy")).toHaveLength(1);
});

test("ends a comparison that takes too long, and makes the next one", async () => {
  const hasty = createTextComparer({ maximumMs: 1 });
  expect(await hasty.compare(1, long)).toBe("too-different");
  await hasty.close();
  expect(await comparer.compare(1, short)).toHaveLength(3);
});
