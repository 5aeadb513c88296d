import { expect, test } from "vitest";
import { middleOf, playAll, worstOf } from "./compare.ts";
import { play } from "./play.ts";
import type { ScoredPost, ScoringMethod } from "./public-score.ts";
import { type Scenario, week } from "./scenario.ts";
import { missedIn, tableOf } from "./table.ts";
import { day, hour, minute, type Rating, type Traffic } from "./traffic.ts";

const horizons = [hour, day, week];
const start = 10 * day;
const rating = (at: number, userId: number, honest: boolean): Rating => ({ at, userId, honest, score: 4 });
const traffic = (...ratings: Rating[]): Traffic => ({ ratings, start, end: start + week });
const methodOf = (score: (at: number) => number | null, others: Partial<ScoredPost> = {}): ScoringMethod => ({
  name: "made up",
  make: () => ({ rate: () => "counted", score, ...others }),
});

test("measures the largest shift within its time from the score just before the start", () => {
  const jumps = methodOf((at) => {
    if (at < start) return 1;
    if (at > start + 20 * minute && at < start + 31 * minute) return 3.5;
    return at > start + 2 * day ? 5 : 3;
  });
  // It is 3 at the start itself, before anything has arrived.
  expect(play(jumps, traffic(), horizons).shifts).toEqual([0.5, 0.5, 2]);
});

test("reads the score just before a rating and just after it", () => {
  const at = start + 12_345;
  let rated = false;
  const rate = () => {
    rated = true;
    return "counted" as const;
  };
  const dips = (when: boolean) => methodOf((now) => (now === at && rated === when ? 2 : 4), { rate });
  for (const when of [false, true]) {
    rated = false;
    expect(play(dips(when), traffic(rating(at, 1, true)), horizons).shifts[0]).toBe(2);
  }
});

test("has no shift for a post without a score at the start", () => {
  const late = methodOf((at) => (at > start + hour ? 4 : null));
  expect(play(late, traffic(), horizons).shifts).toEqual([null, null, null]);
});

test("checks the held ratings once the day and the week have passed", () => {
  const held = methodOf(() => 4, {
    rate: () => "held",
    statusOf: (at, userId) => (userId === 2 && at > start + day ? "counted" : "held"),
  });
  const ratings = [
    rating(start - hour, 1, true),
    rating(start, 2, true),
    rating(start, 3, true),
    rating(start, 4, false),
    rating(start + 2 * day, 5, true),
  ];
  const { heldAfterDay, heldAfterWeek, heldDayLater, floodCounted, refused } = play(
    held,
    traffic(...ratings),
    horizons,
  );
  expect(heldAfterDay).toEqual({ some: 2, all: 2 });
  expect(heldDayLater).toEqual({ some: 3, all: 3 });
  expect(heldAfterWeek).toEqual({ some: 2, all: 3 });
  expect(floodCounted).toEqual({ some: 0, all: 1 });
  expect(refused).toEqual({ some: 0, all: 4 });
});

test("takes a rating's first answer as final when the score has no status", () => {
  const strict = methodOf(() => 4, { rate: (_at, _score, userId) => (userId === 1 ? "counted" : "refused") });
  const ratings = [1, 2, 3].map((userId) => rating(start + userId, userId, userId < 3));
  const outcome = play(strict, traffic(...ratings), horizons);
  expect(outcome.refused).toEqual({ some: 1, all: 2 });
  expect(outcome.floodCounted).toEqual({ some: 0, all: 1 });
});

test("measures the restored score right after an exclusion", () => {
  let score = 4;
  const excluding = methodOf(() => score, {
    rate() {
      score = 2;
      return "counted";
    },
    exclude() {
      score = 3.75;
    },
  });
  const flood = { ...traffic(rating(start + 1, 1, false)), excludedAt: start + day };
  expect(play(excluding, flood, horizons).distance).toBe(0.25);
  expect(
    play(
      methodOf(() => 4),
      flood,
      horizons,
    ).distance,
  ).toBeNull();
});

test("measures the distance from the raw average from its time on", () => {
  const three = methodOf(() => 3);
  const ratings = [rating(start, 1, true), { ...rating(start + 2 * day, 1, true), score: 5 as const }];
  expect(play(three, { ...traffic(...ratings), nearRawFrom: start + hour }, horizons).distance).toBe(2);
  const later = { ...traffic(...ratings), nearRawFrom: start, end: start + day };
  expect(play(three, { ...later, ratings: ratings.slice(0, 1) }, horizons).distance).toBe(1);
});

test("shows the bounds below our own figures, and marks a missed bound", () => {
  const scenario: Scenario = {
    name: "Z",
    title: "nothing much",
    traffic: () => traffic(),
    allowed: { shifts: [0.5, null, 0.5] },
  };
  const moves = (by: number) => methodOf((at) => (at > start + 2 * day ? 4 - by : 4));
  const outcomes = [0.25, 0.75, 1].flatMap((by) =>
    playAll(moves(by), [traffic(rating(start, 1, true))], scenario),
  );
  const ours = { name: "Weir", summary: middleOf(outcomes) };
  const notes = [{ name: "worst", summary: worstOf(outcomes) }];
  const table = tableOf(scenario, { ours, notes, others: [{ ...ours, name: "other" }] });
  expect(table.split("\n")).toEqual([
    "Z: nothing much",
    "                            1 h   24 h    7 d refused held 24 h held +1 d held 7 d flood in",
    "  Weir                    0.000  0.000  0.750     0 %       0 %       0 %      0 %        –",
    "    at most               0.500         0.500     0 %   MISSED: 7 d",
    "    worst                 0.000  0.000  1.000     0 %       0 %       0 %      0 %        –",
    "  other                   0.000  0.000  0.750     0 %       0 %       0 %      0 %        –",
  ]);
  expect(missedIn(scenario, ours)).toEqual(["7 d"]);
});
