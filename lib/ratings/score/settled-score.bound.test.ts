import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countsFrom } from "../../../db/counts.ts";
import {
  anyCounts,
  anyScore,
  anySettings,
  anyState,
  bound,
  clock,
  day,
  hour,
  minute,
  morning,
  postAtRest,
  RatedPost,
  second,
  seeded,
  span,
  worst,
  year,
} from "../../../testing/settled-post.ts";
import { withCounts, withRating } from "./score.ts";
import { mostMoved } from "./settled-score.ts";

describe("the bound on how fast the score moves", () => {
  const gap = fc.oneof({ weight: 9, arbitrary: span }, { weight: 1, arbitrary: span.map((ms) => -ms) });
  const step = fc.record({
    act: fc.constantFrom(
      ...(["rate", "rate", "rate further", "rate further", "rate in turn", "silence"] as const),
      ...(["update", "withdraw", "count a flood", "take a flood out", "replace all"] as const),
    ),
    gap,
    times: fc.integer({ min: 1, max: 12 }),
    score: anyScore,
    to: anyScore,
    flood: anyCounts,
  });
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  function take(post: RatedPost, { act, gap, times, score, to, flood }: Step): void {
    const { counts } = post;
    switch (act) {
      case "rate":
        return void post.rate(score, times, gap);
      case "rate further":
        return void post.rateFurther(times, gap);
      case "rate in turn":
        for (let time = 0; time < times; time += 1) post.rate(score, 1, gap).rate(to, 1, gap);
        return;
      case "silence":
        return void post.wait(gap).change(counts);
      case "update":
        if (counts[score] > 0) post.wait(gap).change(withRating(withRating(counts, score, -1), to, 1));
        return;
      case "withdraw":
        if (counts[score] > 0) post.wait(gap).change(withRating(counts, score, -1));
        return;
      case "count a flood":
        return void post.wait(gap).change(withCounts(counts, flood, 1));
      case "take a flood out":
        return void post.wait(gap).change(countsFrom((each) => Math.max(0, counts[each] - flood[each])));
      case "replace all":
        return void post.wait(gap).change(flood);
    }
  }

  const steps = fc.array(step, { minLength: 5, maxLength: 25, size: "max" });

  test.each([
    { which: "a new post", beginning: fc.record({ settings: anySettings }) },
    {
      which: "any post",
      beginning: fc.record({ state: anyState, counts: anyCounts, settings: anySettings }),
    },
  ])("holds on $which, for any attacker who chooses times, scores, changes and floods", ({ beginning }) => {
    fc.assert(
      fc.property(beginning, steps, (beginning, steps) => {
        const post = new RatedPost(beginning);
        for (const each of steps) take(post, each);
        expect(worst(post.instants).excess).toBeLessThan(1e-9);
      }),
      { ...seeded, numRuns: 600 },
    );
  });

  /** Strategies of an attacker who knows the formula. */
  const campaigns: Record<string, () => RatedPost> = {
    "a burst, then silence": () => {
      const post = postAtRest().rate(0, 700, second);
      for (let days = 0; days < 60; days += 1) post.silence(day);
      return post;
    },
    "a burst after a silent year": () =>
      postAtRest({ raters: 300, counts: [6, 6, 12, 35, 87, 154] })
        .wait(year)
        .rate(0, 700, second)
        .silence(day),
    "fives and zeros in turn": () => {
      const post = postAtRest({ raters: 10, counts: [1, 1, 2, 2, 2, 2] });
      for (let pair = 0; pair < 300; pair += 1) post.rate(5, 1, minute).rate(0, 1, 9 * minute);
      return post;
    },
    "a slow drip": () => postAtRest({ raters: 1000 }).rate(0, 700, 2 * hour),
    "ratings just as far apart as they pull": () => postAtRest({ raters: 1000 }).rate(0, 300, 0.6 * day),
    "ratings that push on, and silence where they would brake": () => {
      const post = postAtRest({ raters: 1000, counts: [200, 0, 0, 0, 0, 800] });
      for (let round = 0; round < 60; round += 1) post.rateFurther(10, hour).silence(day);
      return post;
    },
    "ratings of a post of a minute": () => new RatedPost().rate(5, 11, 5 * second).rate(0, 700, 10 * second),
    "ratings of a post of a day": () => new RatedPost().rate(5, 24, hour).rate(0, 700, minute),
    "floods counted and taken out, with ratings in between": () => {
      const post = postAtRest({ raters: 1000 });
      for (let round = 0; round < 150; round += 1)
        post.rateFurther(3, 20 * minute).change(round % 2 ? [0, 0, 0, 0, 0, 9000] : [9000, 0, 0, 0, 0, 0]);
      return post;
    },
    "a clock that is set back again and again": () => {
      const post = postAtRest({ raters: 1000 });
      for (let round = 0; round < 150; round += 1) post.rate(0, 1, day).rate(0, 1, -day).wait(hour);
      return post;
    },
  };

  test.each(Object.entries(campaigns))("holds under %s", (_name, campaign) => {
    expect(worst(campaign().instants).excess).toBeLessThan(1e-9);
  });

  test("is tight within 2 % for an attacker who may also replace the counters", () => {
    const post = postAtRest({ counts: [13_000, 0, 0, 0, 0, 0] }).change([0, 0, 0, 0, 0, 13_000]);
    post.rate(5, 3, day).wait(day).rate(5, 1000, minute);
    expect(worst(post.instants).ratio).toBeGreaterThan(0.98);
  });

  test("is hundredths of a star per day with many raters, and more with few", () => {
    const most = (raters: number, age: number, ms: number) =>
      mostMoved({ ...postAtRest({ raters }).state, firstAt: morning - age }, ms);
    expect(most(13_000, 18 * day, hour)).toBeCloseTo(0.013, 3);
    expect(most(13_000, 18 * day, day)).toBeCloseTo(0.024, 3);
    expect(most(13_000, 18 * day, 7 * day)).toBeCloseTo(0.274, 3);
    expect(most(1000, 18 * day, day)).toBeCloseTo(0.059, 3);
    expect(most(24, day, hour)).toBeCloseTo(0.313, 3);
    expect(most(24, day, day)).toBeCloseTo(0.916, 3);
  });

  test("holds for any time ahead and any number of ratings", () => {
    fc.assert(
      fc.property(anyState, span, anySettings, (state, ms, settings) => {
        const [from, to] = [state.at, state.at + ms].map((now) => clock(now - state.firstAt, settings));
        const { velocity, raters } = state;
        const now = { clock: from as number, score: 0, velocity, raters };
        const then = { ...now, clock: to as number, raters: Number.POSITIVE_INFINITY };
        expect(mostMoved(state, ms, settings)).toBeCloseTo(bound(now, then), 6);
      }),
      seeded,
    );
  });
});
