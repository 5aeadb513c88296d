import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DecidedStatus } from "../floods/flood-window.ts";
import type { Score } from "../score/score.ts";
import { TalliedPost } from "./tallied-post.ts";
import { scoringDefaults } from "./tally.ts";
import { dueAt } from "./tally-windows.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const usualGap = 10 * minute;
const liked = [5, 4, 5, 3, 5, 4, 2, 5, 4, 5] as const;

/** A post with a clock; raters are numbered in order of arrival. */
class Post extends TalliedPost {
  now = 0;
  newest = -1;

  /** A new user rates after some milliseconds. */
  next(gapMs: number, score: Score, { isOver = false } = {}) {
    this.newest += 1;
    this.again(gapMs, this.newest, score, { isOver });
  }

  /** A rating by a user, who may have rated before. */
  again(gapMs: number, user: number, score: Score, { isOver = false } = {}) {
    this.now += gapMs;
    this.rate(this.now, user, score, isOver ? { limitedGapMs: usualGap } : {});
  }

  /** Ratings distributed like the earlier ones. */
  honest(count: number, gapMs: number, { isOver = false } = {}) {
    for (let index = 0; index < count; index += 1)
      this.next(gapMs, liked[this.newest % liked.length] ?? 5, { isOver });
  }

  /**
   * Zeros, a tenth of a second apart and ten minutes after the earlier ratings.
   * The first few are within the limit.
   */
  flood(count: number, within = 4) {
    for (let index = 0; index < count; index += 1)
      this.next(index === 0 ? usualGap : 100, 0, { isOver: index >= within });
  }

  pass(ms: number) {
    this.now += ms;
    this.advanceTo(this.now);
  }

  choose(number: number, status: DecidedStatus) {
    this.decide(this.now, number, status);
  }

  get score() {
    return this.scoreAt(this.now) ?? Number.NaN;
  }

  get window() {
    const window = this.tally.windows.find(({ number }) => number === this.tally.windowCount);
    if (!window) throw new Error("There is no window.");
    return window;
  }
}

/** A post with a hundred ratings ten minutes apart. */
function likedPost(): Post {
  const post = new Post();
  post.honest(100, usualGap);
  return post;
}

describe("a flood", () => {
  test("is held with its run-up and leaves the score unchanged", () => {
    const post = likedPost();
    const before = post.score;
    post.flood(50);
    expect(post.disagreements()).toEqual([]);
    expect(post.window).toMatchObject({ status: "held", closedAt: null, counts: [50, 0, 0, 0, 0, 0] });
    expect(post.tally.counts.reduce((sum, some) => sum + some)).toBe(100);
    expect(Math.abs(post.score - before)).toBeLessThan(0.02);
  });

  test("is counted while it looks like the past, and held again when it does not", () => {
    const post = likedPost();
    post.honest(4, 100);
    post.honest(36, 100, { isOver: true });
    expect(post.window).toMatchObject({ status: "counted", decidedBy: "shape" });
    expect(post.tally.decided).toMatchObject([{ window: 1, status: "counted", decidedBy: "shape" }]);
    for (let index = 0; index < 60; index += 1) post.next(100, 0, { isOver: true });
    expect(post.window).toMatchObject({ number: 1, status: "held", decidedBy: "shape" });
    expect(post.disagreements()).toEqual([]);
  });

  test("cannot flip its window back and forth with chosen ratings", () => {
    const post = likedPost();
    for (let index = 0; index < 2_000; index += 1) {
      const score = post.tally.windows[0]?.status === "counted" ? 0 : (liked[index % 10] ?? 5);
      post.next(100, score, { isOver: true });
    }
    expect(post.disagreements()).toEqual([]);
    expect(post.window.decisions).toBeGreaterThan(1);
    expect(post.window.decisions).toBeLessThan(60);
  });

  test("is held also when it consists of changed ratings that are in no window", () => {
    const post = likedPost();
    for (let user = 0; user < 40; user += 1)
      post.again(user === 0 ? usualGap : 100, user, 0, { isOver: user >= 3 });
    expect(post.disagreements()).toEqual([]);
    expect(post.window).toMatchObject({ status: "held", counts: [40, 0, 0, 0, 0, 0] });
  });
});

describe("a window", () => {
  test("is counted at its deadline, also when no rating arrives by then", () => {
    const post = likedPost();
    post.flood(50);
    expect(dueAt(post.tally, scoringDefaults)).toBeLessThan(post.now + day);
    post.pass(13 * day);
    expect(post.window).toMatchObject({ status: "held", decidedBy: null });
    expect(post.window.closedAt).toBeLessThan(post.now);
    post.pass(2 * day);
    expect(post.window).toMatchObject({ status: "counted", decidedBy: "time" });
    expect(post.tally.counts[0]).toBe(50);
    expect(post.tally.decided[0]?.at).toBe(post.window.openedAt + scoringDefaults.holdMs);
    expect(post.disagreements()).toEqual([]);
  });

  test("closes a day after it was counted, even if the post keeps its new rate", () => {
    const post = likedPost();
    for (let hours = 0; hours < 24 * 20; hours += 1) {
      post.honest(1, 30_000, { isOver: true });
      post.honest(60, minute - 500);
    }
    const inWindows = post.tally.windows.map(({ openedAt, closedAt }) => (closedAt ?? post.now) - openedAt);
    expect(Math.max(...inWindows)).toBeLessThanOrEqual(day);
    const zerosBefore = post.tally.counts[0];
    post.flood(300);
    expect(post.tally.counts[0]).toBe(zerosBefore);
    expect(post.disagreements()).toEqual([]);
  });

  test("is not prolonged by changes of ratings in it", () => {
    const post = likedPost();
    post.flood(20);
    for (let times = 0; times < 500; times += 1) post.again(minute, 110, times % 2 === 0 ? 1 : 0);
    post.advanceTo(post.now);
    expect(post.window.closedAt).toBeLessThan(post.now - 7 * hour);
    expect(post.disagreements()).toEqual([]);
  });
});

describe("a decision", () => {
  test("is reversible and exact, and excluding a window undoes its movement of the score", () => {
    const post = likedPost();
    post.flood(50);
    const { counts } = post.tally;
    post.choose(1, "counted");
    expect(post.tally.counts[0]).toBe(50);
    const counted = post.score;
    // Honest raters who agree with the flood pull the score down, and then change their ratings back.
    for (let index = 0; index < 40; index += 1) post.next(6 * hour, 1);
    expect(post.score).toBeLessThan(counted - 0.05);
    for (let user = 150; user < 190; user += 1) post.withdraw(post.now, user);
    post.choose(1, "excluded");
    expect(post.tally.counts).toEqual(counts);
    // Not past the raw average, which lies a little lower.
    expect(Math.abs(post.score - counted)).toBeLessThan(0.02);
    post.choose(1, "counted");
    expect(post.tally.counts[0]).toBe(50);
    expect(post.disagreements()).toEqual([]);
  });

  test("covers only ratings before it: later ones fall in another window", () => {
    for (const status of ["excluded", "counted"] as const) {
      const post = likedPost();
      post.flood(20);
      post.choose(1, status);
      const decided = post.window.counts;
      for (let index = 0; index < 50; index += 1) post.next(100, 0, { isOver: true });
      expect(post.window).toMatchObject({ number: 2, status: "held", counts: [50, 0, 0, 0, 0, 0] });
      expect(post.tally.windows.find(({ number }) => number === 1)).toMatchObject({
        status,
        counts: decided,
      });
      post.pass(30 * day);
      expect(post.tally.windows.find(({ number }) => number === 1)).toMatchObject({ status, decisions: 1 });
      expect(post.disagreements()).toEqual([]);
    }
  });

  test("leaves later ratings unaffected", () => {
    const post = likedPost();
    post.flood(20);
    post.choose(1, "excluded");
    const { windowCount } = post.tally;
    post.honest(5_000, 2 * minute);
    expect(post.tally.windowCount).toBe(windowCount);
    expect(post.statusOf(post.newest)).toBe("counted");
  });
});

describe("a rating stays in the window that it fell in", () => {
  test("when it is changed, withdrawn, and given again", () => {
    const post = likedPost();
    post.flood(30);
    post.pass(2 * day);
    post.again(minute, 110, 5);
    expect(post.window.counts).toEqual([29, 0, 0, 0, 0, 1]);
    post.withdraw(post.now, 110);
    expect(post.window.counts).toEqual([29, 0, 0, 0, 0, 0]);
    post.again(minute, 110, 3);
    expect(post.window.counts).toEqual([29, 0, 0, 1, 0, 0]);
    expect(post.disagreements()).toEqual([]);
  });

  test("also when that window is counted and another is open, so that an exclusion reaches all of it", () => {
    const post = likedPost();
    post.flood(30);
    post.pass(20 * day);
    expect(post.window).toMatchObject({ status: "counted", decidedBy: "time" });
    post.flood(30);
    for (let user = 105; user < 115; user += 1) post.again(100, user, 4, { isOver: true });
    post.choose(1, "excluded");
    expect(post.statusOf(107)).toBe("excluded");
    expect(post.disagreements()).toEqual([]);
  });
});

test("does not count a user who withdraws and rates again as a new rater", () => {
  const post = likedPost();
  const { raters } = post.tally.settled;
  for (let round = 0; round < 10; round += 1) {
    post.withdraw(post.now, 3);
    post.again(minute, 3, 0);
  }
  expect(post.tally.settled.raters).toBe(raters - 1);
});

test("counters equal a recount by status after random steps, and nothing stays due", () => {
  const user = fc.nat({ max: 30 });
  const score = fc.constantFrom<Score[]>(0, 1, 2, 3, 4, 5);
  const gapMs = fc.oneof(fc.constant(0), fc.nat({ max: 1_000 }), fc.nat({ max: day }), fc.constant(-minute));
  const act = fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({ act: fc.constant("rate" as const), user, score, gapMs, isOver: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ act: fc.constant("withdraw" as const), user }) },
    {
      weight: 1,
      arbitrary: fc.record({
        act: fc.constant("decide" as const),
        number: fc.integer({ min: 1, max: 6 }),
        status: fc.constantFrom("counted" as const, "excluded" as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("pass" as const), days: fc.nat({ max: 20 }) }) },
  );
  fc.assert(
    fc.property(fc.array(act, { minLength: 50, maxLength: 300 }), (acts) => {
      const post = new Post();
      for (const each of acts) {
        if (each.act === "rate") post.again(each.gapMs, each.user, each.score, each);
        else if (each.act === "withdraw") post.withdraw(post.now, each.user);
        else if (each.act === "decide") post.choose(each.number, each.status);
        else {
          post.pass(each.days * day);
          expect(
            dueAt({ ...post.tally, settled: { ...post.tally.settled, at: post.now } }, scoringDefaults) ??
              post.now + 1,
          ).toBeGreaterThan(post.now);
        }
        expect(post.disagreements()).toEqual([]);
      }
    }),
    { numRuns: 100, seed: 7 },
  );
});
