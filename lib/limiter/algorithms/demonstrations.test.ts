import { describe, expect, it } from "vitest";
import type { Algorithm } from "../types.ts";
import { fixedWindow } from "./fixed-window.ts";
import { slidingLog } from "./sliding-log.ts";
import { tokenBucket } from "./token-bucket.ts";

/** Which of the requests at these times pass. */
function passed<S>(algorithm: Algorithm<S>, times: number[]): boolean[] {
  let state: S | undefined;
  return times.map((now) => {
    const { decision, next } = algorithm.step(state, now, 1);
    state = next ?? state;
    return decision.allowed;
  });
}

/** The most of `times` that lie in one half-open interval of `windowMs`. */
function mostWithin(windowMs: number, times: number[]): number {
  return Math.max(...times.map((from) => times.filter((t) => t >= from && t < from + windowMs).length));
}

const every100Ms = (count: number) => Array.from({ length: count }, (_, index) => index * 100);

describe("the demonstrations of the systems that this library learnt from", () => {
  it("a locker of 5 per 0.8 s answers 100 calls 0.1 s apart with go ×5, sorry ×3, over and over", () => {
    const answers = passed(fixedWindow({ limit: 5, windowMs: 800 }), every100Ms(100));
    const words = answers.map((go) => (go ? "go" : "sorry"));
    const pattern = ["go", "go", "go", "go", "go", "sorry", "sorry", "sorry"];
    expect(words).toEqual(Array.from({ length: 100 }, (_, index) => pattern[index % 8]));
  });

  const aroundTheEdge = [0, 4900, 4950, 6000, 6000, 6000];

  it("a fixed window of 3 per 5 s passes 5 within 2 s around its edge", () => {
    const answers = passed(fixedWindow({ limit: 3, windowMs: 5000 }), aroundTheEdge);
    const times = aroundTheEdge.filter((_, index) => answers[index]);
    expect(answers).toEqual([true, true, true, true, true, true]);
    expect(mostWithin(2000, times)).toBe(5);
  });

  it("a sliding log of 3 per 5 s never passes more than 3 in any 5 s", () => {
    const answers = passed(slidingLog({ limit: 3, windowMs: 5000 }), aroundTheEdge);
    const times = aroundTheEdge.filter((_, index) => answers[index]);
    expect(answers).toEqual([true, true, true, true, false, false]);
    expect(mostWithin(5000, times)).toBe(3);
  });

  it("of 15 requests 0.1 s apart a bucket of 10 tokens, 2 more a second, passes 12 and refuses 13, 14 and 15", () => {
    const answers = passed(tokenBucket({ capacity: 10, refillPerSecond: 2 }), every100Ms(15));
    expect(answers).toEqual(Array.from({ length: 15 }, (_, index) => index < 12));
  });
});
