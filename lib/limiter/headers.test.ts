import { describe, expect, it } from "vitest";
import type { EmaReason } from "./algorithms/ema.ts";
import { ema, leakyBucket, rateLimitHeaders } from "./index.ts";
import type { Decision } from "./types.ts";

const emaReason: EmaReason = {
  algorithm: "ema",
  neverFits: false,
  z: 1,
  threshold: 3,
  meanGapMs: 5000,
  deviationMs: 5000,
  recentGapMs: 4000,
  leastGapMs: 1500,
  learning: false,
};
const emaDecision = (retryAfterMs: number, leastGapMs: number): Decision => ({
  allowed: retryAfterMs === 0,
  limit: null,
  remaining: null,
  retryAfterMs,
  resetAfterMs: 86_400_000,
  reason: { ...emaReason, leastGapMs },
});

describe("rate limit headers", () => {
  it("announce a bucket as its capacity per time to drain, the rest, and when there is more", () => {
    const { decision } = leakyBucket({ capacity: 20, leakPerSecond: 0.5 }).step(undefined, 0, 3);
    expect(rateLimitHeaders("rating.post", decision)).toEqual({
      "RateLimit-Policy": '"rating.post";q=20;w=40',
      RateLimit: '"rating.post";r=17;t=2',
    });
  });

  it("name one instant in Retry-After and t, in whole seconds, never early", () => {
    const algorithm = leakyBucket({ capacity: 1, leakPerSecond: 0.4 });
    const { next } = algorithm.step(undefined, 0, 1);
    expect(rateLimitHeaders("p", algorithm.step(next, 499, 1).decision)).toEqual({
      "Retry-After": "3",
      "RateLimit-Policy": '"p";q=1;w=3',
      RateLimit: '"p";r=0;t=3',
    });
    expect(rateLimitHeaders("p", algorithm.step(next, 500, 1).decision)["Retry-After"]).toBe("2");
    expect(rateLimitHeaders("p", algorithm.step(next, 2499, 1).decision)["Retry-After"]).toBe("1");
  });

  it("promise nothing to a cost that never fits", () => {
    const { decision } = leakyBucket({ capacity: 2, leakPerSecond: 1 }).step(undefined, 0, 3);
    expect(rateLimitHeaders("p", decision)).toEqual({
      "RateLimit-Policy": '"p";q=2;w=2',
      RateLimit: '"p";r=2;t=1',
    });
  });

  it("announce the pace that a gap detector lets through at present", () => {
    expect(rateLimitHeaders("ema", emaDecision(0, 1500))).toEqual({
      "RateLimit-Policy": '"ema";q=1;w=2',
      RateLimit: '"ema";r=1;t=2',
    });
    expect(rateLimitHeaders("ema", emaDecision(70, 90))).toEqual({
      "Retry-After": "1",
      "RateLimit-Policy": '"ema";q=11;w=1',
      RateLimit: '"ema";r=0;t=1',
    });
  });

  it("announce no limit while a gap detector limits nothing", () => {
    expect(rateLimitHeaders("ema", ema().step(undefined, 0, 1).decision)).toEqual({});
  });

  it("escape the policy's name as a structured string", () => {
    const { decision } = leakyBucket({ capacity: 1, leakPerSecond: 1 }).step(undefined, 0, 1);
    const { RateLimit } = rateLimitHeaders('a "b" \\ c\r\nSet-Cookie: é', decision);
    expect(RateLimit).toBe('"a \\"b\\" \\\\ c??Set-Cookie: ?";r=0;t=1');
  });
});
