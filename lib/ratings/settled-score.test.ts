import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countsFrom } from "../../db/queries/counts.ts";
import { type Counts, scoreFrom, withCounts, withRating } from "./score.ts";
import type { Score } from "./scores.ts";
import {
  mostMoved,
  type SettledState,
  type SettlingSettings,
  settledByChange,
  settledByNewRating,
  settledByTakingBack,
  settledMovesAt,
  settledScoreAt,
  settlingDefaults,
  unrated,
} from "./settled-score.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;
const morning = Date.UTC(2026, 5, 1, 8);
const none: Counts = [0, 0, 0, 0, 0, 0];
/** What sums of floats may be off by; the score itself moves further than this within a millisecond. */
const rounding = 1e-12;

/** The clock of a post as decision 17 has it, in minutes: 2/3 ln(1 + age), from 16 days (2/3 of the unit) on straight. */
function clock(ageMs: number, { unitDays }: SettlingSettings): number {
  const age = ageMs / minute;
  const young = Math.min(age, (2 / 3) * unitDays * 1440);
  return (2 / 3) * (Math.log(1 + young) + (age - young) / (1 + young));
}

/** What the theorem speaks of, at one instant. */
interface Instant {
  clock: number;
  score: number;
  speed: number;
  raters: number;
}

/** The most that a score may have moved between two instants. */
function bound(from: Instant, to: Instant): number {
  const time = to.clock - from.clock;
  const nudges = 2 * 0.75 * (1 / Math.sqrt(from.raters) - 1 / Math.sqrt(to.raters));
  return Math.max(from.speed, 0.04) * time + 5 * (time ** 2 / 2 + 0.025 * time) + nudges;
}

/** Over all pairs of instants: by how much a bound was passed, and how much of one was used up. */
function worst(instants: readonly Instant[]): { excess: number; ratio: number } {
  let [excess, ratio] = [0, 0];
  for (const [index, to] of instants.entries())
    for (let earlier = 0; earlier < index; earlier += 1) {
      const from = instants[earlier] as Instant;
      const [shift, most] = [Math.abs(to.score - from.score), bound(from, to)];
      excess = Math.max(excess, shift - most);
      if (most > 0.001) ratio = Math.max(ratio, shift / most);
    }
  return { excess, ratio };
}

interface Beginning {
  state?: SettledState;
  counts?: Counts;
  settings?: SettlingSettings;
}

/** A post, and a clock that moves by what it is told; what it goes through is kept for the theorem. */
class RatedPost {
  state: SettledState;
  counts: Counts;
  settings: SettlingSettings;
  now: number;
  readonly instants: Instant[] = [];

  constructor({ state = unrated, counts = none, settings = settlingDefaults }: Beginning = {}) {
    this.state = state;
    this.counts = counts;
    this.settings = settings;
    this.now = state === unrated ? morning : state.at;
  }

  get average(): number {
    return scoreFrom(this.counts).average ?? Number.NaN;
  }

  get score(): number | null {
    return settledScoreAt(this.state, this.now, this.counts, this.settings);
  }

  /** New raters, one after each gap; a gap that is negative sets the clock back. */
  rate(score: Score, times = 1, gapMs = 0): this {
    for (let time = 0; time < times; time += 1) {
      this.wait(gapMs).keepInstant();
      this.state = settledByNewRating(this.state, this.now, this.counts, score, this.settings);
      this.counts = withRating(this.counts, score, 1);
      this.keepInstant();
    }
    return this;
  }

  /** New raters who give whatever moves the score further the way that it goes. */
  rateFurther(times = 1, gapMs = 0): this {
    for (let time = 0; time < times; time += 1)
      this.rate(this.average > (this.state.score ?? 0) ? 5 : 0, 1, gapMs);
    return this;
  }

  /** Anything else that moves the counters. */
  change(after: Counts): this {
    this.keepInstant();
    this.state = settledByChange(this.state, this.now, this.counts, after, this.settings);
    this.counts = after;
    return this.keepInstant();
  }

  wait(ms: number): this {
    this.now += ms;
    return this;
  }

  /** Nothing happens for so long, and then the score is saved. */
  silence(ms: number): this {
    return this.wait(ms).change(this.counts);
  }

  keepInstant(): this {
    const { state, now, counts, settings } = this;
    const { score, speed, raters, firstAt, at } = settledByChange(state, now, counts, counts, settings);
    if (score !== null && raters >= settings.firstRaters)
      this.instants.push({ clock: clock(at - firstAt, settings), score, speed, raters });
    return this;
  }
}

/** A post that has been rated, at rest: no speed, and the score is the raw average. */
function postAtRest({
  raters = 13_000,
  counts = [260, 260, 520, 1495, 3770, 6695],
}: {
  raters?: number;
  counts?: Counts;
} = {}) {
  const { average: score } = scoreFrom(counts);
  const state = { score, speed: 0, raters, firstAt: morning - 18 * day, lastRaterAt: morning, at: morning };
  return new RatedPost({ state, counts });
}

const seeded = { seed: 1 };
const anyScore = fc.constantFrom<Score[]>(0, 1, 2, 3, 4, 5);
const fewOrMany = fc.oneof(fc.constant(0), fc.nat({ max: 20 }), fc.nat({ max: 100_000 }));
const anyCounts = fc.tuple(fewOrMany, fewOrMany, fewOrMany, fewOrMany, fewOrMany, fewOrMany);
const someCounts = anyCounts.filter((counts) => scoreFrom(counts).count > 0);
const anySettings = fc.record({
  firstRaters: fc.integer({ min: 1, max: 20 }),
  unitDays: fc.integer({ min: 1, max: 90 }),
});
const span = fc.oneof(
  fc.constant(0),
  ...[second, minute, hour, day, year, 3 * year].map((max) => fc.nat({ max })),
);
/** Any state that a post whose first raters have come can be in, and more. */
const anyState = fc
  .record({
    score: fc.double({ min: 0, max: 5, noNaN: true }),
    speed: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 10, noNaN: true })),
    raters: fc.oneof(fc.integer({ min: 20, max: 100 }), fc.integer({ min: 20, max: 1_000_000 })),
    spans: fc.tuple(span, span, span),
  })
  .map(({ spans: [ofRaters, sinceRater, sinceChange], ...state }): SettledState => {
    const lastRaterAt = morning - sinceChange;
    return { ...state, firstAt: lastRaterAt - ofRaters - sinceRater, lastRaterAt, at: morning };
  });

describe("The bound on how fast the score moves", () => {
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
  ])("holds on $which, whoever chooses times, scores, changes and floods freely", ({ beginning }) => {
    fc.assert(
      fc.property(beginning, steps, (beginning, steps) => {
        const post = new RatedPost(beginning);
        for (const each of steps) take(post, each);
        expect(worst(post.instants).excess).toBeLessThan(1e-9);
      }),
      { ...seeded, numRuns: 600 },
    );
  });

  /** What somebody would try who knows the law. */
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

  test("is no larger than it must be: whoever may also replace the counters comes within 2 % of it", () => {
    const post = postAtRest({ counts: [13_000, 0, 0, 0, 0, 0] }).change([0, 0, 0, 0, 0, 1_000_000]);
    post.rate(5, 3, day).wait(day).rate(5, 1000, minute);
    expect(worst(post.instants).ratio).toBeGreaterThan(0.98);
  });

  test("is hundredths of a star in a day where many have rated, and much while few have", () => {
    const most = (raters: number, age: number, ms: number) =>
      mostMoved({ ...postAtRest({ raters }).state, firstAt: morning - age }, ms);
    expect(most(13_000, 18 * day, hour)).toBeCloseTo(0.013, 3);
    expect(most(13_000, 18 * day, day)).toBeCloseTo(0.024, 3);
    expect(most(13_000, 18 * day, 7 * day)).toBeCloseTo(0.274, 3);
    expect(most(1000, 18 * day, day)).toBeCloseTo(0.059, 3);
    expect(most(24, day, hour)).toBeCloseTo(0.313, 3);
    expect(most(24, day, day)).toBeCloseTo(0.916, 3);
  });

  test("is told for any time ahead, and any number of ratings to come", () => {
    fc.assert(
      fc.property(anyState, span, anySettings, (state, ms, settings) => {
        const [from, to] = [state.at, state.at + ms].map((now) => clock(now - state.firstAt, settings));
        const { speed, raters } = state;
        const now = { clock: from as number, score: 0, speed, raters };
        const then = { ...now, clock: to as number, raters: Number.POSITIVE_INFINITY };
        expect(mostMoved(state, ms, settings)).toBeCloseTo(bound(now, then), 6);
      }),
      seeded,
    );
  });
});

test("Five thousand zeros in twenty minutes move a post of 13,000 ratings by less than 0.005 stars in a day", () => {
  const post = postAtRest();
  const [average, score] = [post.average, post.score as number];
  post.rate(0, 5000, 240);
  expect(average - post.average).toBeGreaterThan(1);
  for (const ms of [hour, day]) expect(score - (post.wait(ms).score as number)).toBeLessThan(0.005);
});

test("A change of opinion that lasts is followed: within 0.1 stars of the raw average after 30 days", () => {
  const post = postAtRest();
  for (let ratings = 0; ratings < 30 * 720; ratings += 1) post.rate((ratings % 6) as Score, 1, 2 * minute);
  expect(post.average).toBeLessThan(3.2);
  expect(Math.abs((post.score as number) - post.average)).toBeLessThan(0.1);
});

describe("A reading of the score", () => {
  test("is right after any silence, whether it was read in between or not", () => {
    fc.assert(
      fc.property(
        anyState,
        someCounts,
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

  test("comes ever closer to the raw average, never passes it, and arrives in the end", () => {
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
        expect(settledByChange(state, end, counts, counts)).toMatchObject({ score: average, speed: 0 });
      }),
      seeded,
    );
  });

  test("is null while nothing counts, and goes on from where it stood when something does again", () => {
    expect(settledScoreAt(unrated, morning, none)).toBeNull();
    const post = postAtRest({ counts: [0, 0, 0, 0, 20, 0], raters: 20 })
      .wait(day)
      .change(none);
    expect(post.score).toBeNull();
    expect(post.wait(year).score).toBeNull();
    expect(post.change([9, 0, 0, 0, 0, 0]).score).toBe(4);
  });

  test("stands still while the clock runs back, and so does everything else", () => {
    const changes = fc.record({
      state: anyState,
      before: anyCounts,
      after: anyCounts,
      since: fc.constant(3),
      span,
    });
    fc.assert(
      fc.property(changes, anyScore, ({ state, before, after, since, span }, score) => {
        const [now, back] = [state.at, state.at - span];
        expect(settledScoreAt(state, back, before)).toBe(settledScoreAt(state, now, before));
        expect(settledByNewRating(state, back, before, score)).toEqual(
          settledByNewRating(state, now, before, score),
        );
        expect(settledByChange(state, back, before, after)).toEqual(
          settledByChange(state, now, before, after),
        );
        expect(settledByTakingBack(state, back, before, after, since)).toEqual(
          settledByTakingBack(state, now, before, after, since),
        );
      }),
      seeded,
    );
  });
});

test("The first ten raters are followed at once, and so is every change until the tenth has come", () => {
  const floods = fc.record({ counts: someCounts, gap: span });
  fc.assert(
    fc.property(fc.array(anyScore, { minLength: 10, maxLength: 10 }), floods, (scores, { counts, gap }) => {
      const post = new RatedPost();
      for (const score of scores) {
        expect(post.wait(gap).change(counts).state).toMatchObject({ score: post.average, speed: 0 });
        expect(post.rate(score, 1, gap).state).toMatchObject({ score: post.average, speed: 0 });
      }
      expect(post.state.raters).toBe(10);
      const settled = post.score;
      expect(post.change([0, 0, 0, 0, 0, 1]).score).toBe(settled);
    }),
    seeded,
  );
});

test("The eleventh rating moves the score by what chance would, and pulls for the time since the tenth", () => {
  const post = new RatedPost().rate(4, 10).rate(0, 1, second);
  const [now, pull] = [morning + second, (2 / 3) * Math.log(61 / 60) * 4];
  expect(post.state).toMatchObject({ raters: 11, firstAt: morning, lastRaterAt: now, at: now });
  expect(post.state.speed).toBeCloseTo(pull, 12);
  expect(post.score).toBeCloseTo(4 - 0.75 / 11 ** 1.5, 12);
  const gap = (2 / 3) * Math.log(121 / 61);
  const score = post.wait(minute).score as number;
  expect(score).toBeCloseTo(4 - 0.75 / 11 ** 1.5 - pull * gap, 12);
  expect(gap).toBeGreaterThan(0.025);
  post.rate(0);
  expect(post.state.speed).toBeCloseTo(pull + 0.025 * score, 12);
  expect(post.score).toBeCloseTo(score - 0.75 / 12 ** 1.5, 12);
});

test("A rating against the way that the score goes brakes it, and never turns it round", () => {
  const post = postAtRest({ raters: 1000, counts: [0, 0, 0, 0, 1000, 0] }).change([2000, 0, 0, 0, 0, 0]);
  post.rate(0, 3, day);
  const { speed } = post.state;
  expect(speed).toBeGreaterThan(0.2);
  expect(post.rate(5, 1, day).state.speed).toBeCloseTo(speed - 0.025 * (5 - (post.score as number)), 3);
  expect(post.rate(5, 100, day).state.speed).toBe(0);
});

describe("A change", () => {
  test("neither pulls nor moves the score, and nobody counts as a rater for it", () => {
    fc.assert(
      fc.property(anyState, anyCounts, anyCounts, (state, before, after) => {
        const { speed, ...rest } = settledByChange(state, state.at, before, after);
        expect({ ...rest, speed: state.speed }).toEqual(state);
        expect([0, state.speed]).toContain(speed);
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
    expect(busy.rate(0).state.speed).toBeCloseTo(calm.wait(500 * minute).rate(0).state.speed, 9);
    expect(busy.state.speed).toBeGreaterThan(0.03);
  });

  test("takes the speed away when the raw average changes sides, and only then", () => {
    const state: SettledState = { ...postAtRest().state, score: 3, speed: 2 };
    const [below, stillBelow, on, above]: Counts[] = [
      [0, 0, 9, 0, 0, 0],
      [9, 0, 0, 0, 0, 0],
      [0, 0, 0, 9, 0, 0],
      [0, 0, 0, 0, 9, 0],
    ] as const;
    const speedBetween = (before: Counts, after: Counts) =>
      settledByChange(state, morning, before, after).speed;
    expect(speedBetween(below, stillBelow)).toBe(2);
    for (const after of [on, above, none]) expect(speedBetween(below, after)).toBe(0);
    for (const before of [on, none]) expect(speedBetween(before, above)).toBe(0);
    const turned = settledByNewRating({ ...state, lastRaterAt: morning }, morning, [0, 1, 1, 0, 0, 1], 5);
    expect(turned.speed).toBe(0);
  });

  test("made over and over by one account moves nothing, however often it is made", () => {
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

test("The instant at which the score will have moved so far is the first one, to the millisecond", () => {
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

test("Taking back moves the score towards the raw average, by no more than it had moved away, never further", () => {
  const since = fc.double({ min: 0, max: 5, noNaN: true });
  fc.assert(
    fc.property(anyState, anyCounts, anyCounts, since, span, (state, before, after, since, ms) => {
      const changed = settledByChange(state, state.at + ms, before, after);
      const taken = settledByTakingBack(state, state.at + ms, before, after, since);
      const [from, to] = [changed.score as number, taken.score as number];
      const { average } = scoreFrom(after);
      expect({ ...taken, score: from, speed: changed.speed }).toEqual(changed);
      expect(Math.abs(to - since)).toBeLessThanOrEqual(Math.abs(from - since) + rounding);
      if (average === null) expect(to).toBe(from);
      else {
        expect(Math.min(from, average) - rounding).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual(Math.max(from, average) + rounding);
        if (Math.sign(average - from) === Math.sign(since - from))
          expect(to).toBeCloseTo(Math.abs(since - from) < Math.abs(average - from) ? since : average, 9);
      }
    }),
    seeded,
  );
});
