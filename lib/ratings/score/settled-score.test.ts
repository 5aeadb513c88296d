import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countsFrom } from "../../../db/counts.ts";
import {
  anyCounts,
  anyScore,
  anySettings,
  anyState,
  clock,
  day,
  hour,
  minute,
  morning,
  none,
  postAtRest,
  RatedPost,
  rounding,
  second,
  seeded,
  someCounts,
  span,
  year,
} from "../../../testing/settled-post.ts";
import type { Score } from "./score.ts";
import { type Counts, scoreFrom, withRating } from "./score.ts";
import {
  type SettledState,
  settledByChange,
  settledByNewRating,
  settledMovesAt,
  settledScoreAt,
  settlingDefaults,
  unrated,
} from "./settled-score.ts";

test("moves less than 0.005 stars in a day when 5,000 zeros arrive in twenty minutes on 13,000 ratings", () => {
  const post = postAtRest();
  const [average, score] = [post.average, post.score as number];
  post.rate(0, 5000, 240);
  expect(average - post.average).toBeGreaterThan(1);
  for (const ms of [hour, day]) expect(score - (post.wait(ms).score as number)).toBeLessThan(0.005);
});

test("follows a lasting change of opinion to within 0.1 stars of the raw average in 30 days", () => {
  const post = postAtRest();
  for (let ratings = 0; ratings < 30 * 720; ratings += 1) post.rate((ratings % 6) as Score, 1, 2 * minute);
  expect(post.average).toBeLessThan(3.2);
  expect(Math.abs((post.score as number) - post.average)).toBeLessThan(0.1);
});

describe("a reading of the score", () => {
  test("is the same after any silence, with or without reads in between", () => {
    fc.assert(
      fc.property(
        anyState,
        someCounts.filter((counts) => scoreFrom(counts).count > 20),
        fc.array(span, { maxLength: 8 }),
        anySettings,
        (state, counts, spans, settings) => {
          const post = new RatedPost({ state, counts, settings });
          for (const ms of spans) post.silence(ms);
          expect(post.score).toBeCloseTo(settledScoreAt(state, post.now, counts, settings) as number, 9);
          expect(settledByChange(post.state, post.now, counts, counts, settings)).toEqual(post.state);
        },
      ),
      seeded,
    );
  });

  test("approaches the raw average, reaches it and never overshoots", () => {
    fc.assert(
      fc.property(anyState, someCounts, span, span, (state, counts, first, second) => {
        const average = scoreFrom(counts).average as number;
        const [before, then, later] = [0, first, first + second].map((ms) => {
          return average - (settledScoreAt(state, state.at + ms, counts) as number);
        }) as [number, number, number];
        expect(Math.sign(before) * then).toBeGreaterThanOrEqual(-rounding);
        expect(Math.abs(then)).toBeLessThanOrEqual(Math.abs(before) + rounding);
        expect(Math.sign(before) * later).toBeGreaterThanOrEqual(-rounding);
        expect(Math.abs(later)).toBeLessThanOrEqual(Math.abs(then) + rounding);
        const end = state.at + (5 / 0.04) * 25 * day;
        expect(settledByChange(state, end, counts, counts).score).toBe(average);
      }),
      seeded,
    );
  });

  test("is null while no rating counts", () => {
    expect(settledScoreAt(unrated, morning, none)).toBeNull();
    const post = postAtRest({ counts: [0, 0, 0, 0, 20, 0], raters: 20 })
      .wait(day)
      .change(none);
    expect(post.score).toBeNull();
    expect(post.wait(year).score).toBeNull();
    expect(post.change([19, 0, 0, 0, 0, 0]).score).toBe(4);
  });

  test("rests on the raw average, while its velocity decays in half a day on a grown post", () => {
    const { state, counts } = postAtRest();
    const moving = { ...state, velocity: -1 };
    const [halfDay, week] = [12 * hour, 7 * day].map((ms) =>
      settledByChange(moving, morning + ms, counts, counts),
    ) as [SettledState, SettledState];
    expect(halfDay).toMatchObject({ score: state.score });
    const time = clock(18 * day + 12 * hour, settlingDefaults) - clock(18 * day, settlingDefaults);
    expect(halfDay.velocity).toBeCloseTo(-Math.exp(-time / 0.02), 12);
    expect(halfDay.velocity).toBeGreaterThan(-0.4);
    expect(week.velocity).toBeCloseTo(0, 5);
  });

  test("follows the drift and keeps a velocity that leads away from the raw average", () => {
    const post = postAtRest();
    const state = { ...post.state, score: 3, velocity: -2 };
    const time = clock(19 * day, settlingDefaults) - clock(18 * day, settlingDefaults);
    const later = settledByChange(state, morning + day, post.counts, post.counts);
    expect(later.velocity).toBe(-2);
    expect(later.score).toBeCloseTo(3 + 0.04 * time, 12);
  });

  test("stands still while the clock runs backwards", () => {
    const changes = fc.record({ state: anyState, before: anyCounts, after: anyCounts, span });
    fc.assert(
      fc.property(changes, anyScore, ({ state, before, after, span }, score) => {
        const [now, back] = [state.at, state.at - span];
        expect(settledScoreAt(state, back, before)).toBe(settledScoreAt(state, now, before));
        expect(settledByNewRating(state, back, before, score)).toEqual(
          settledByNewRating(state, now, before, score),
        );
        expect(settledByChange(state, back, before, after)).toEqual(
          settledByChange(state, now, before, after),
        );
      }),
      seeded,
    );
  });
});

test("is the raw average while no more than ten ratings count, after any past", () => {
  const few = fc
    .array(anyScore, { minLength: 1, maxLength: 10 })
    .map((scores) => countsFrom((score) => scores.filter((each) => each === score).length));
  fc.assert(
    fc.property(anyState, anyCounts, few, span, (state, before, after, ms) => {
      const changed = settledByChange(state, state.at + ms, before, after);
      expect(changed).toMatchObject({ score: scoreFrom(after).average, velocity: 0 });
      expect(
        scoreFrom(after).count < 10 ? settledByNewRating(changed, changed.at, after, 5) : changed,
      ).toMatchObject({
        velocity: 0,
      });
    }),
    seeded,
  );
});

test("follows the first ten ratings at once", () => {
  fc.assert(
    fc.property(fc.array(anyScore, { minLength: 10, maxLength: 10 }), span, (scores, gap) => {
      const post = new RatedPost();
      for (const score of scores)
        expect(post.rate(score, 1, gap).state).toMatchObject({ score: post.average, velocity: 0 });
      expect(post.state.raters).toBe(10);
    }),
    seeded,
  );
});

test("moves by the nudge at the eleventh rating, and adds its pull for the time since the tenth", () => {
  const post = new RatedPost().rate(4, 10).rate(0, 1, second);
  const [now, pull] = [morning + second, (2 / 3) * Math.log(61 / 60) * -4];
  expect(post.state).toMatchObject({ raters: 11, firstAt: morning, lastRaterAt: now, at: now });
  expect(post.state.velocity).toBeCloseTo(pull, 12);
  expect(post.score).toBeCloseTo(4 - 0.75 / 11 ** 1.5, 12);
  const gap = (2 / 3) * Math.log(121 / 61);
  const score = post.wait(minute).score as number;
  expect(score).toBeCloseTo(4 - 0.75 / 11 ** 1.5 + pull * gap, 12);
  expect(gap).toBeGreaterThan(0.025);
  post.rate(0);
  expect(post.state.velocity).toBeCloseTo(pull - 0.025 * score, 12);
  expect(post.score).toBeCloseTo(score - 0.75 / 12 ** 1.5, 12);
});

test("slows down for a rating against its direction, and turns when many keep disagreeing", () => {
  const post = postAtRest({ raters: 1000, counts: [0, 0, 0, 0, 1000, 0] }).change([2000, 0, 0, 0, 0, 0]);
  post.rate(0, 3, day);
  const { velocity } = post.state;
  expect(velocity).toBeLessThan(-0.2);
  expect(post.rate(5, 1, day).state.velocity).toBeCloseTo(velocity + 0.025 * (5 - (post.score as number)), 3);
  expect(post.rate(5, 100, day).state.velocity).toBeGreaterThan(0);
});

describe("a change", () => {
  test("neither pulls nor moves the score, nor counts as a new rater", () => {
    fc.assert(
      fc.property(anyState, anyCounts, anyCounts, (state, before, after) => {
        fc.pre(scoreFrom(after).count > 10);
        expect(settledByChange(state, state.at, before, after)).toEqual(state);
      }),
      seeded,
    );
  });

  test("does not shorten the pull of the next rating", () => {
    const [busy, calm] = [1, 2].map(() => postAtRest().change([9000, 0, 0, 0, 0, 9000])) as [
      RatedPost,
      RatedPost,
    ];
    for (let time = 0; time < 100; time += 1) busy.wait(5 * minute).change(busy.counts);
    expect(busy.rate(0).state.velocity).toBeCloseTo(calm.wait(500 * minute).rate(0).state.velocity, 9);
    expect(busy.state.velocity).toBeLessThan(-0.03);
  });

  test("keeps the velocity when the raw average changes sides", () => {
    const state: SettledState = { ...postAtRest().state, score: 3, velocity: 2 };
    const [below, above]: Counts[] = [
      [0, 0, 99, 0, 0, 0],
      [0, 0, 0, 0, 99, 0],
    ] as const;
    for (const [before, after] of [
      [below, above],
      [above, below],
      [above, none],
      [none, above],
    ] as const)
      expect(settledByChange(state, morning, before, after).velocity).toBe(2);
    const turned = settledByNewRating({ ...state, lastRaterAt: morning }, morning, [0, 9, 9, 0, 0, 9], 5);
    expect(turned.velocity).toBe(2);
  });

  test("moves nothing when one account repeats it", () => {
    const post = postAtRest({ raters: 500 }).change([9000, 0, 0, 0, 0, 9000]);
    const [score, others, clockThen] = [post.score as number, post.counts, clock(18 * day, settlingDefaults)];
    for (let time = 0; time < 1000; time += 1)
      for (const after of [withRating(others, 0, 1), others, withRating(others, 5, 1)])
        post.wait(minute).change(after);
    const time = clock(post.now - post.state.firstAt, settlingDefaults) - clockThen;
    expect(time).toBeGreaterThan(0.08);
    expect(post.score).toBeCloseTo(score - 0.04 * time, 9);
  });
});

test("settledMovesAt() is the first such instant, to the millisecond", () => {
  const stars = fc.double({ min: 0.001, max: 5, noNaN: true });
  fc.assert(
    fc.property(anyState, anyCounts, stars, anySettings, (state, counts, stars, settings) => {
      const movedBy = (now: number) =>
        Math.abs((settledScoreAt(state, now, counts, settings) ?? state.score ?? 0) - (state.score ?? 0));
      const at = settledMovesAt(state, counts, stars, settings);
      if (at === null) expect(movedBy(state.at + 100 * year)).toBeLessThan(stars);
      else {
        expect(Number.isInteger(at)).toBe(true);
        expect(movedBy(at)).toBeGreaterThan(stars - rounding);
        expect(movedBy(at - 1)).toBeLessThan(stars + rounding);
      }
    }),
    { ...seeded, numRuns: 1000 },
  );
  expect(settledMovesAt(unrated, none, 0.01)).toBeNull();
  expect(settledMovesAt(postAtRest().state, none, 0.01)).toBeNull();
  expect(settledMovesAt(postAtRest().state, [0, 0, 0, 0, 0, 1], 1)).toBeNull();
});
