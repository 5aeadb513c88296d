import { describe, expect, it } from "vitest";
import type { Decision } from "../types.ts";
import { type EmaSettings, type EmaState, ema } from "./ema.ts";

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** One key on a clock that moves by gaps; its first request comes at once. */
function trafficOn(settings?: EmaSettings) {
  const algorithm = ema(settings);
  let state: EmaState | undefined;
  const traffic = {
    now: 1_700_000_000_000,
    request(gapMs: number): Decision {
      traffic.now += Math.round(gapMs);
      const { decision, next } = algorithm.step(state, traffic.now, 1);
      state = next;
      return decision;
    },
    /** Which part of the requests is refused. */
    requests(count: number, gapMs: () => number): number {
      let refused = 0;
      for (let index = 0; index < count; index += 1) refused += traffic.request(gapMs()).allowed ? 0 : 1;
      return refused / count;
    },
    requestsUntil(end: number, gapMs: () => number): number {
      let [refused, total] = [0, 0];
      for (; traffic.now < end; total += 1) refused += traffic.request(gapMs()).allowed ? 0 : 1;
      return refused / total;
    },
  };
  traffic.request(0);
  return traffic;
}

/** mulberry32: small, seeded, and even enough for gaps. */
function randomFrom(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const every = (gapMs: number) => () => gapMs;
const poisson = (seed: number) => {
  const random = randomFrom(seed);
  return (meanGapMs: number) => () => -meanGapMs * Math.log(1 - random());
};

describe("ema, over simulated traffic", () => {
  it("refuses 4 of 6 requests 50 ms apart, after 15 that were 5 s apart and passed", () => {
    const traffic = trafficOn();
    expect(traffic.requests(14, every(5000))).toBe(0);
    expect(traffic.requests(6, every(50)) * 6).toBeGreaterThanOrEqual(4);
  });

  it("refuses 4 of those 6 even when the first of them is in time", () => {
    const traffic = trafficOn();
    traffic.requests(15, every(5000));
    expect(traffic.requests(5, every(50)) * 5).toBeGreaterThanOrEqual(4);
  });

  it.each([4999, 4000])("lets a gap of %i ms pass after 15 of 5 s", (gapMs) => {
    const traffic = trafficOn();
    traffic.requests(15, every(5000));
    expect(traffic.request(gapMs).allowed).toBe(true);
  });

  it.each(SEEDS)("refuses 95 %% of a flood every 10 ms after irregular traffic (seed %i)", (seed) => {
    const traffic = trafficOn();
    traffic.requests(200, poisson(seed)(5000));
    expect(traffic.requests(2000, every(10))).toBeGreaterThanOrEqual(0.95);
  });

  it("refuses 90 % of a flood every 50 ms after an idle day", () => {
    const traffic = trafficOn();
    traffic.requests(50, every(5000));
    traffic.now += DAY_MS;
    expect(traffic.requests(500, every(50))).toBeGreaterThanOrEqual(0.9);
  });

  it("refuses 90 % of a flood every 50 ms that begins with a request after an idle day", () => {
    const traffic = trafficOn();
    traffic.requests(50, every(5000));
    traffic.request(DAY_MS);
    expect(traffic.requests(499, every(50))).toBeGreaterThanOrEqual(0.9);
  });

  it("takes usual traffic for usual after an idle day", () => {
    const traffic = trafficOn();
    traffic.requests(50, every(5000));
    traffic.request(DAY_MS);
    expect(traffic.requests(100, every(5000))).toBe(0);
  });

  it("takes a tenth less than the usual gap for usual, however regular requests were", () => {
    const traffic = trafficOn();
    traffic.requests(2000, every(5000));
    expect(traffic.requests(100, every(4500))).toBe(0);
  });

  it("refuses 90 % of 200 requests 50 ms apart after 15 gaps of 5 s", () => {
    const traffic = trafficOn();
    traffic.requests(15, every(5000));
    expect(traffic.requests(200, every(50))).toBeGreaterThanOrEqual(0.9);
  });

  describe.each([50, 1000, 5000, MINUTE_MS, HOUR_MS])(
    "of steady independent raters, one per %i ms",
    (meanGapMs) => {
      it.each(SEEDS)("refuses at most 0.1 %% of 20,000 (seed %i)", (seed) => {
        expect(trafficOn().requests(20_000, poisson(seed)(meanGapMs))).toBeLessThanOrEqual(0.001);
      });
    },
  );

  describe.each([
    { adaptMs: HOUR_MS, meanGapMs: 1000, seeds: SEEDS.slice(0, 4) },
    { adaptMs: HOUR_MS, meanGapMs: 5000, seeds: SEEDS },
    { adaptMs: HOUR_MS, meanGapMs: MINUTE_MS, seeds: SEEDS },
    { adaptMs: HOUR_MS, meanGapMs: 5 * MINUTE_MS, seeds: SEEDS },
    { adaptMs: 10 * MINUTE_MS, meanGapMs: 5000, seeds: SEEDS },
    { adaptMs: 6 * HOUR_MS, meanGapMs: 10 * MINUTE_MS, seeds: SEEDS },
  ])(
    "when a tenfold rate lasts for $adaptMs ms, from one per $meanGapMs ms",
    ({ adaptMs, meanGapMs, seeds }) => {
      const settings = adaptMs === HOUR_MS ? {} : { adaptMs };

      it.each(seeds)("refuses under 1 %% of it from then on: independent raters (seed %i)", (seed) => {
        const traffic = trafficOn(settings);
        const gap = poisson(seed);
        traffic.requests(300, gap(meanGapMs));
        traffic.requestsUntil(traffic.now + adaptMs, gap(meanGapMs / 10));
        expect(traffic.requestsUntil(traffic.now + 2 * adaptMs, gap(meanGapMs / 10))).toBeLessThan(0.01);
      });

      it("refuses under 1 % of it from then on: regular requests", () => {
        const traffic = trafficOn(settings);
        traffic.requests(300, every(meanGapMs));
        expect(traffic.requestsUntil(traffic.now + adaptMs, every(meanGapMs / 10))).toBeGreaterThan(0.1);
        expect(traffic.requestsUntil(traffic.now + adaptMs, every(meanGapMs / 10))).toBeLessThan(0.01);
      });
    },
  );

  it.each(SEEDS)("refuses 95 %% of a campaign on a quiet post: 5,000 in 20 minutes (seed %i)", (seed) => {
    const traffic = trafficOn();
    traffic.requests(40, poisson(seed)(HOUR_MS));
    expect(traffic.requests(5000, every(240))).toBeGreaterThanOrEqual(0.95);
  });

  it("lets a request pass during a flood at least once per usual gap", () => {
    const traffic = trafficOn();
    traffic.requests(100, every(5000));
    let [longestWaitMs, allowedAt] = [0, traffic.now];
    for (let index = 0; index < 6000; index += 1) {
      if (!traffic.request(10).allowed) continue;
      longestWaitMs = Math.max(longestWaitMs, traffic.now - allowedAt);
      allowedAt = traffic.now;
    }
    expect(longestWaitMs).toBeLessThan(5000);
  });

  it("keeps the usual rate when a flood is over", () => {
    const traffic = trafficOn();
    traffic.requests(100, every(5000));
    traffic.requests(1000, every(10));
    expect(traffic.requests(20, every(5000))).toBe(0);
    expect(traffic.requests(200, every(50))).toBeGreaterThanOrEqual(0.9);
  });

  describe("with a floor or a prior, adapting within a day", () => {
    const slow = { adaptMs: DAY_MS };
    const floor = { floorRequests: 100, floorPerSecond: 0.1 };

    /**
     * The share refused of a newsletter's readers on the last of 28 days.
     * 100 people within about five minutes a day, on a key with 5 requests an hour.
     */
    function refusedOfNewsletter(settings: EmaSettings, seed: number) {
      const traffic = trafficOn({ ...slow, ...settings });
      const random = randomFrom(seed);
      const gap = poisson(seed);
      let last = 0;
      for (let day = 0; day < 28; day += 1) {
        traffic.requestsUntil(traffic.now + DAY_MS, gap(HOUR_MS / 5));
        last = traffic.requests(100, () => random() * 6000);
      }
      return last;
    }

    it.each(SEEDS)("with a floor, refuses none of a newsletter's 100 people (seed %i)", (seed) => {
      expect(refusedOfNewsletter({}, seed)).toBeGreaterThan(0.25);
      expect(refusedOfNewsletter(floor, seed)).toBe(0);
    });

    it.each(SEEDS)("refuses four in five of a flood far above the floor (seed %i)", (seed) => {
      const traffic = trafficOn({ ...slow, ...floor });
      traffic.requests(500, poisson(seed)(HOUR_MS / 5));
      expect(traffic.requests(3000, every(1200))).toBeGreaterThan(0.8);
    });

    it.each(SEEDS)("with a prior, refuses a flood from a key's first request on (seed %i)", (seed) => {
      const flood = (settings: EmaSettings) =>
        trafficOn({ ...slow, ...settings }).requests(2000, poisson(seed)(600));
      expect(flood({})).toBeLessThan(0.01);
      expect(flood({ priorGapMs: 12 * MINUTE_MS })).toBeGreaterThan(0.95);
    });

    it.each(SEEDS)("with a fast site's prior, refuses few of a young key's readers (seed %i)", (seed) => {
      const surge = (settings: EmaSettings) => {
        const traffic = trafficOn({ ...slow, ...settings });
        traffic.requests(5, poisson(seed)(10 * MINUTE_MS));
        traffic.requests(5, poisson(seed)(MINUTE_MS));
        return traffic.requests(1000, poisson(seed)(500));
      };
      expect(surge({})).toBeGreaterThan(0.9);
      expect(surge({ priorGapMs: 500, priorGaps: 15 })).toBeLessThan(0.1);
    });

    it("lets a key's own gaps outweigh the prior", () => {
      const traffic = trafficOn({ priorGapMs: 500 });
      traffic.requests(1000, every(5000));
      const { reason } = traffic.request(5000);
      expect(reason).toMatchObject({ learning: false, meanGapMs: expect.closeTo(5000, -2) });
    });
  });

  it("grows tolerant of irregular gaps that it has seen", () => {
    const regular = trafficOn();
    const irregular = trafficOn();
    regular.requests(200, every(5000));
    irregular.requests(200, poisson(1)(5000));
    const passedOfBurst = (traffic: typeof regular) => 20 * (1 - traffic.requests(20, every(10)));
    expect(passedOfBurst(irregular)).toBeGreaterThan(passedOfBurst(regular) + 3);
  });
});
