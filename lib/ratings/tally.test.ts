import fc from "fast-check";
import { expect, test } from "vitest";
import { type Counts, withRating } from "./score.ts";
import type { Score } from "./scores.ts";
import { settledScoreAt, unrated } from "./settled-score.ts";
import {
  broughtUpTo,
  dueAt,
  type PlacedRating,
  scoringDefaults,
  type Tally,
  withRatingGiven,
  withRatingWithdrawn,
  withWindowDecided,
} from "./tally.ts";

const minute = 60_000;
const day = 1_440 * minute;
const empty: Tally = {
  counts: [0, 0, 0, 0, 0, 0],
  settled: unrated,
  windowCount: 0,
  windows: [],
  decided: [],
};
const liked = [5, 4, 5, 3, 5, 4, 2, 5, 4, 5] as const;

/** A post whose ratings are all known. */
class Post {
  tally = empty;
  now = 0;
  readonly ratings = new Map<number, { at: number; score: Score | null; window: number | null }>();

  /** Somebody rates after some milliseconds; `usualGapMs` when that is over the limit. */
  rate(gapMs: number, score: Score, { user = this.ratings.size, usualGapMs = 0 } = {}) {
    this.now += gapMs;
    const before = this.ratings.get(user);
    const recent = [...this.ratings]
      .filter(([each, { score, window }]) => each !== user && score !== null && window === null)
      .map(([user, { at, score }]) => ({ user, at, score: score ?? 0 }))
      .toSorted((a, b) => b.at - a.at);
    const flood = usualGapMs > 0 ? { usualGapMs, recent } : undefined;
    const placed = withRatingGiven(this.tally, { now: this.now, score, before, flood }, scoringDefaults);
    this.tally = placed.tally;
    const { window } = placed;
    for (const { user, at, score } of recent.slice(0, placed.runUp))
      this.ratings.set(user, { at, score, window });
    const at = before && before.score !== null ? before.at : this.now;
    this.ratings.set(user, { at, score, window });
    return placed;
  }

  withdraw(user: number) {
    const rating = this.ratings.get(user);
    if (!rating || rating.score === null) return;
    const placed: PlacedRating = { score: rating.score, window: rating.window };
    this.tally = withRatingWithdrawn(this.tally, this.now, placed, scoringDefaults);
    this.ratings.set(user, { ...rating, score: null });
  }

  decide(number: number, status: "counted" | "excluded") {
    this.tally = withWindowDecided(this.tally, this.now, number, status, scoringDefaults);
  }

  pass(ms: number) {
    this.now += ms;
    this.tally = broughtUpTo(this.tally, this.now, scoringDefaults);
  }

  /** What a scan of all ratings says that the counters must be. */
  recount(which: (window: number | null) => boolean): Counts {
    return [...this.ratings.values()].reduce<Counts>(
      (counts, { score, window }) =>
        score !== null && which(window) ? withRating(counts, score, 1) : counts,
      [0, 0, 0, 0, 0, 0],
    );
  }

  expectExact() {
    const status = (number: number | null) =>
      this.tally.windows.find((window) => window.number === number)?.status ?? "counted";
    expect(this.tally.counts).toEqual(this.recount((window) => status(window) === "counted"));
    for (const { number, counts } of this.tally.windows)
      expect(counts, `window ${number}`).toEqual(this.recount((window) => window === number));
  }

  get window() {
    const window = this.tally.windows.find(({ number }) => number === this.tally.windowCount);
    if (!window) throw new Error("There is no window.");
    return window;
  }
}

/** A post with ratings ten minutes apart. */
function likedPost(count = 100): Post {
  const post = new Post();
  for (let index = 0; index < count; index += 1) post.rate(10 * minute, liked[index % liked.length] ?? 5);
  return post;
}

/** A flood of one score, 100 ms apart, ten minutes after what came before, of which the first few are within the limit. */
function flood(post: Post, count: number, score: Score, within = 4) {
  for (let index = 0; index < count; index += 1)
    post.rate(index === 0 ? 10 * minute : 100, score, { usualGapMs: index < within ? 0 : 10 * minute });
}

test("A flood is held with the run-up that tipped it, and the score is as if it had not come", () => {
  const post = likedPost();
  const before = settledScoreAt(post.tally.settled, post.now, post.tally.counts);
  flood(post, 50, 0);
  post.expectExact();
  expect(post.window).toMatchObject({ status: "held", closedAt: null, counts: [50, 0, 0, 0, 0, 0] });
  expect(post.tally.counts.reduce((sum, some) => sum + some)).toBe(100);
  const after = settledScoreAt(post.tally.settled, post.now, post.tally.counts);
  expect(Math.abs((after ?? 0) - (before ?? 9))).toBeLessThan(0.02);
});

test("A flood that looks like the past counts as soon as that is clear, and no longer once it does not", () => {
  const post = likedPost();
  for (let index = 0; index < 40; index += 1)
    post.rate(100, liked[(index * 3) % 10] ?? 5, { usualGapMs: index < 4 ? 0 : 10 * minute });
  expect(post.window).toMatchObject({ status: "counted", decidedBy: "shape" });
  expect(post.tally.decided).toEqual([
    expect.objectContaining({ window: 1, status: "counted", by: "shape" }),
  ]);
  post.expectExact();
  flood(post, 60, 0, 0);
  expect(post.window).toMatchObject({ number: 1, status: "held", decidedBy: "shape" });
  post.expectExact();
});

test("The number of times that a window is turned is small, however its ratings are chosen", () => {
  const post = likedPost();
  for (let index = 0; index < 2_000; index += 1) {
    const score = post.tally.windows[0]?.status === "counted" ? 0 : (liked[index % 10] ?? 5);
    post.rate(100, score, { usualGapMs: 10 * minute });
  }
  post.expectExact();
  expect(post.window.decisions).toBeGreaterThan(1);
  expect(post.window.decisions).toBeLessThan(60);
});

test("A window that nobody decides on counts when its time has passed, without anything in between", () => {
  const post = likedPost();
  flood(post, 50, 0);
  const due = dueAt(post.tally, scoringDefaults);
  expect(due).toBeLessThan(post.now + day);
  post.pass(13 * day);
  expect(post.window).toMatchObject({ status: "held", decidedBy: null });
  expect(post.window.closedAt).toBeLessThan(post.now);
  post.pass(2 * day);
  expect(post.window).toMatchObject({ status: "counted", decidedBy: "time" });
  post.expectExact();
  expect(post.tally.counts[0]).toBe(50);
  const at = post.tally.decided[0]?.at ?? 0;
  expect(at).toBe(post.window.openedAt + scoringDefaults.holdMs);
});

test("A decision is reversible and exact, and taking a window out takes back what it has moved", () => {
  const post = likedPost();
  flood(post, 50, 0);
  const before = post.tally;
  post.decide(1, "counted");
  expect(post.tally.counts[0]).toBe(50);
  const score = () => settledScoreAt(post.tally.settled, post.now, post.tally.counts) ?? 0;
  const counted = score();
  for (let index = 0; index < 40; index += 1) post.rate(6 * 60 * minute, 1);
  expect(score()).toBeLessThan(counted - 0.05);
  for (let user = 150; user < 190; user += 1) post.withdraw(user);
  post.decide(1, "excluded");
  post.expectExact();
  expect(post.tally.counts).toEqual(before.counts);
  expect(Math.abs(score() - (counted ?? 0))).toBeLessThan(0.01);
  post.decide(1, "counted");
  expect(post.tally.counts[0]).toBe(50);
  post.expectExact();
});

test("A person's decision stands, whatever falls in the window later", () => {
  const post = likedPost();
  flood(post, 20, 0);
  post.decide(1, "excluded");
  for (let index = 0; index < 200; index += 1)
    post.rate(100, liked[index % 10] ?? 5, { usualGapMs: 10 * minute });
  expect(post.window).toMatchObject({ number: 1, status: "excluded", decidedBy: "person", decisions: 1 });
  post.pass(30 * day);
  expect(post.window).toMatchObject({ status: "excluded" });
  expect(post.window.closedAt).not.toBeNull();
  post.expectExact();
});

test("A rating that does not count stays in its window: changed, withdrawn, and given again", () => {
  const post = likedPost();
  flood(post, 30, 0);
  const held = 110;
  post.pass(2 * day);
  expect(post.rate(minute, 5, { user: held })).toMatchObject({ window: 1 });
  post.expectExact();
  expect(post.window.counts).toEqual([29, 0, 0, 0, 0, 1]);
  post.withdraw(held);
  expect(post.window.counts).toEqual([29, 0, 0, 0, 0, 0]);
  expect(post.rate(minute, 3, { user: held })).toMatchObject({ window: 1 });
  expect(post.window.counts).toEqual([29, 0, 0, 1, 0, 0]);
  post.expectExact();
});

test("A rating that counts and is changed in a flood is held with it", () => {
  const post = likedPost();
  for (let user = 0; user < 40; user += 1)
    post.rate(100, 0, { user, usualGapMs: user < 3 ? 0 : 10 * minute });
  post.expectExact();
  expect(post.window.status).toBe("held");
  expect(post.window.counts[0]).toBeGreaterThanOrEqual(37);
  expect(post.tally.counts[0]).toBeLessThanOrEqual(3);
});

test("Whoever withdraws and rates again is no new rater", () => {
  const post = likedPost(20);
  const { raters } = post.tally.settled;
  for (let round = 0; round < 10; round += 1) {
    post.withdraw(3);
    post.rate(minute, 0, { user: 3 });
  }
  expect(post.tally.settled.raters).toBe(raters);
});

test("After anything at all the counters are what a recount by status finds", () => {
  const user = fc.nat({ max: 30 });
  const score = fc.constantFrom<Score[]>(0, 1, 2, 3, 4, 5);
  const gapMs = fc.oneof(fc.constant(0), fc.nat({ max: 1_000 }), fc.nat({ max: day }), fc.constant(-minute));
  const usualGapMs = fc.oneof(fc.constant(0), fc.constantFrom(minute, 60 * minute));
  const act = fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({ act: fc.constant("rate" as const), user, score, gapMs, usualGapMs }),
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
        if (each.act === "rate") {
          const { user, usualGapMs } = each;
          post.rate(each.gapMs, each.score, { user, usualGapMs });
        } else if (each.act === "withdraw") post.withdraw(each.user);
        else if (each.act === "decide") post.decide(each.number, each.status);
        else post.pass(each.days * day);
        post.expectExact();
      }
    }),
    { numRuns: 100, seed: 7 },
  );
});
