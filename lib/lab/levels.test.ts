import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ema, fixedWindow, leakyBucket, slidingLog, tiered, tokenBucket } from "../limiter/index.ts";
import { levelLine, thinned } from "./levels.ts";
import { simulate } from "./simulate.ts";

const lineOf = <S>(algorithm: Parameters<typeof simulate<S>>[0], times: number[]) =>
  levelLine(
    simulate(
      algorithm,
      times.map((at) => ({ at })),
    ).decided,
  ).map(({ at, value }) => [at, value]);

describe("levelLine", () => {
  it("drains a leaky bucket until it is empty, and stays at the level when it refuses", () => {
    const bucket = leakyBucket({ capacity: 2, leakPerSecond: 1 });
    expect(lineOf(bucket, [0, 500, 500, 5_000])).toEqual([
      [0, 0],
      [0, 1],
      [500, 0.5],
      [500, 1.5],
      [500, 1.5],
      [2_000, 0],
      [5_000, 0],
      [5_000, 1],
    ]);
  });

  it("refills a token bucket until it is full", () => {
    expect(lineOf(tokenBucket({ capacity: 2, refillPerSecond: 2 }), [0, 5_000])).toEqual([
      [0, 2],
      [0, 1],
      [500, 2],
      [5_000, 2],
      [5_000, 1],
    ]);
  });

  it("holds the count of a window, a log or a day until the next request, or until it expires", () => {
    const twoSteps = [
      [0, 0],
      [0, 1],
      [100, 1],
      [100, 1],
      [100, 2],
    ];
    const gone = (at: number) => [
      [at, 2],
      [at, 0],
      [9_000, 0],
      [9_000, 1],
    ];
    const times = [0, 100, 9_000];
    const settings = { limit: 2, windowMs: 1_000 };
    expect(lineOf(fixedWindow(settings), times)).toEqual([...twoSteps, ...gone(1_000)]);
    expect(lineOf(slidingLog(settings), times)).toEqual([...twoSteps, ...gone(1_100)]);
    const beyond = slidingLog({ limit: 2, windowMs: 1_000 });
    expect(lineOf(tiered({ freePerDay: 1, beyond }), [0, 100]).at(-1)).toEqual([100, 2]);
  });

  it("is the Z of an EMA, one point each", () => {
    const line = lineOf(ema({ minimumGaps: 1 }), [0, 1_000, 2_000, 2_010]);
    expect(line.map(([at]) => at)).toEqual([0, 1_000, 2_000, 2_010]);
    expect(line.at(-1)?.[1]).toBeGreaterThan(0);
  });

  it("has no point for a cost that can never fit", () => {
    expect(lineOf(leakyBucket({ capacity: 0.5, leakPerSecond: 1 }), [0, 1])).toEqual([]);
  });
});

describe("thinned", () => {
  const anyPoints = fc
    .array(fc.record({ at: fc.integer({ min: 0, max: 5_000 }), value: fc.integer({ min: -50, max: 50 }) }), {
      maxLength: 200,
    })
    .map((points) => points.toSorted((one, other) => one.at - other.at));

  it("keeps the ends of all and the extremes of each column, in order", () => {
    fc.assert(
      fc.property(anyPoints, fc.integer({ min: 1, max: 3_000 }), (points, columnMs) => {
        const kept = thinned(points, 0, columnMs);
        expect(kept).toEqual(points.filter((point) => kept.includes(point)));
        expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
        const columnOf = ({ at }: { at: number }) => Math.floor(at / columnMs);
        for (const column of new Set(points.map(columnOf))) {
          const before = points.filter((point) => columnOf(point) === column);
          const after = kept.filter((point) => columnOf(point) === column);
          const values = (some: typeof points) => some.map(({ value }) => value);
          expect(after.length).toBeLessThanOrEqual(4);
          expect(Math.max(...values(after))).toBe(Math.max(...values(before)));
          expect(Math.min(...values(after))).toBe(Math.min(...values(before)));
        }
      }),
    );
  });
});
