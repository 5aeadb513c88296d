import { expect, test } from "vitest";
import type { FloodWindow } from "../floods/flood-window.ts";
import type { Counts } from "../score/score.ts";
import { suggestionFor, summaryOf, usualRate } from "./flood-summary.ts";

const minute = 60_000;

const window: FloodWindow = {
  number: 1,
  openedAt: 0,
  lastAt: 4 * minute,
  closedAt: null,
  usualGapMs: 61 * minute,
  recentGapMs: 1_000,
  counts: [130, 0, 0, 1, 4, 8],
  status: "held",
  decidedBy: null,
  decisions: 0,
};
const past: Counts = [0, 1, 2, 20, 50, 78];

test("reports a flood's length, the usual rate, and how its scores differ from the others", () => {
  expect(summaryOf(window, past)).toEqual({
    durationMs: 4 * minute,
    usual: { count: 1, per: "hour" },
    peak: { score: 0, count: 130, others: 0 },
    others: 151,
    averageWithout: 655 / 151,
    averageWith: 714 / 294,
  });
});

test("compares a counted flood with the ratings outside of it", () => {
  const all: Counts = [130, 1, 2, 21, 54, 86];
  const { peak, others } = summaryOf({ ...window, status: "counted" }, all);
  expect({ peak, others }).toEqual({ peak: { score: 0, count: 130, others: 0 }, others: 151 });
});

test("names the score whose share rose, even when another one is more frequent", () => {
  const fives = { ...window, counts: [0, 0, 0, 40, 0, 60] as const };
  expect(summaryOf(fives, [0, 0, 0, 0, 20, 80]).peak).toEqual({ score: 3, count: 40, others: 0 });
});

test("has no averages and no others for a flood without ratings", () => {
  const empty = { ...window, counts: [0, 0, 0, 0, 0, 0] as const };
  expect(summaryOf(empty, [0, 0, 0, 0, 0, 0])).toMatchObject({
    others: 0,
    averageWithout: null,
    averageWith: null,
  });
});

test.each([
  [100, { count: 600, per: "minute" }],
  [minute, { count: 1, per: "minute" }],
  [20 * minute, { count: 3, per: "hour" }],
  [61 * minute, { count: 1, per: "hour" }],
  [5 * 60 * minute, { count: 5, per: "day" }],
  [3 * 1_440 * minute, { count: 10, per: "month" }],
  [400 * 1_440 * minute, { count: 1, per: "month" }],
])("a gap of %d ms is a usual rate of %j", (gapMs, usual) => {
  expect(usualRate(gapMs)).toEqual(usual);
});

const apart = { withNetwork: 150, inOneNetwork: 4, withAge: 150, registeredWithinDay: 6 };

test("suggests to leave out a flood of one score, with the reasons that its accounts add", () => {
  expect(suggestionFor(window, past)).toEqual({ status: "excluded", reasons: ["oneScore"] });
  const own = { withNetwork: 143, inOneNetwork: 140, withAge: 143, registeredWithinDay: 130 };
  expect(suggestionFor(window, past, { own, others: apart })).toEqual({
    status: "excluded",
    reasons: ["oneScore", "newAccounts", "oneNetwork"],
  });
  expect(suggestionFor(window, past, { own: apart, others: apart }).reasons).toEqual(["oneScore"]);
});

test("suggests to count a flood that looks like the other ratings", () => {
  const alike = { ...window, counts: [0, 1, 2, 18, 52, 77] as const };
  expect(suggestionFor(alike, past)).toEqual({ status: "counted", reasons: ["likeOthers"] });
});

test("suggests nothing when scores are mixed, ratings few, or there is no past", () => {
  const unclear = { status: "unclear", reasons: [] };
  expect(suggestionFor({ ...window, counts: [30, 5, 5, 20, 20, 30] }, past)).toEqual(unclear);
  expect(suggestionFor({ ...window, counts: [4, 0, 0, 0, 0, 0] }, past)).toEqual(unclear);
  expect(suggestionFor(window, [0, 0, 0, 0, 0, 0])).toEqual(unclear);
});

test("does not call a post's usual score a reason", () => {
  const zeros: Counts = [140, 2, 2, 2, 2, 2];
  expect(suggestionFor({ ...window, counts: [143, 0, 0, 0, 0, 0] }, zeros).reasons).not.toContain("oneScore");
});
