import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slidingLog } from "../limiter/index.ts";
import { hourMs } from "../time/units.ts";
import { busiestPart, countsOf, shownOf, viewOf } from "./intervals.ts";
import { simulate } from "./simulate.ts";
import { regular, requestsAt, traceStart } from "./traffic.ts";

const viewOfTimes = (times: number[], toMs = (times.at(-1) ?? 0) + 1) =>
  viewOf(requestsAt(times), traceStart, traceStart + toMs);

describe("viewOf", () => {
  it("gives each request a mark where they lie apart, and bars where they do not", () => {
    expect(viewOfTimes(regular(100, 100))).toMatchObject({ lengthMs: 100, count: 100, hasSingles: true });
    expect(viewOfTimes(regular(100, 100).concat(9_920)).hasSingles).toBe(false);
    expect(viewOfTimes([0, 0, 5_000]).hasSingles).toBe(false);
    expect(viewOfTimes([0, 10, 5_000]).hasSingles).toBe(false);
    expect(viewOfTimes(regular(201, 1_000)).hasSingles).toBe(false);
    expect(viewOfTimes(regular(200, 1_000)).hasSingles).toBe(true);
  });

  it("considers only the shown part", () => {
    expect(viewOfTimes([0, 5_000, 9_000, 9_000], 6_000).hasSingles).toBe(true);
  });

  it("covers the requested span with at most 101 intervals that begin at round times", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 * hourMs }),
        fc.integer({ min: 10, max: 31 * 24 * hourMs }),
        (fromMs, spanMs) => {
          const from = traceStart + fromMs;
          const { begin, lengthMs, count } = viewOf([], from, from + spanMs);
          expect(begin).toBeLessThanOrEqual(from);
          expect(begin + count * lengthMs).toBeGreaterThanOrEqual(from + spanMs);
          expect(begin % lengthMs).toBe(0);
          expect(count).toBeLessThanOrEqual(101);
          expect((count - 2) * lengthMs).toBeLessThan(spanMs);
        },
      ),
    );
  });
});

it("shows the requests in half-open intervals", () => {
  const shown = shownOf(requestsAt([0, 999, 1_000, 1_999, 2_000]), {
    begin: traceStart + 1_000,
    lengthMs: 500,
    count: 2,
  });
  expect(shown).toEqual(requestsAt([1_000, 1_999]));
});

describe("countsOf", () => {
  it("counts each shown request once, in its interval", () => {
    const anyTimes = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(anyTimes, fc.integer({ min: 10, max: 3_000 }), (unsorted, toMs) => {
        const times = unsorted.toSorted((one, other) => one - other);
        const { decided } = simulate(slidingLog({ limit: 2, windowMs: 500 }), requestsAt(times));
        const view = viewOfTimes(times, toMs);
        const counts = countsOf(decided, view);
        const shown = shownOf(decided, view);
        const sum = (what: "accepted" | "refused") => counts.reduce((total, each) => total + each[what], 0);
        expect(sum("accepted")).toBe(shown.filter(({ decision }) => decision.allowed).length);
        expect(sum("accepted") + sum("refused")).toBe(shown.length);
        for (const { from, accepted, refused } of counts)
          expect(shown.filter(({ at }) => at >= from && at < from + view.lengthMs)).toHaveLength(
            accepted + refused,
          );
      }),
    );
  });
});

describe("busiestPart", () => {
  it("finds the burst in a long quiet trace", () => {
    const burst = regular(50, 100, 7 * hourMs);
    const part = busiestPart(
      requestsAt([...regular(7, hourMs), ...burst, ...regular(10, hourMs, 8 * hourMs)]),
    );
    expect(part?.from).toBeLessThanOrEqual(traceStart + 7 * hourMs);
    expect(part?.to).toBeGreaterThan(traceStart + 7 * hourMs + 5_000);
    expect((part?.to ?? 0) - (part?.from ?? 0)).toBeLessThan(3 * hourMs);
  });

  it("finds none where there is no more than one part", () => {
    expect(busiestPart([])).toBeNull();
    expect(busiestPart(requestsAt([5]))).toBeNull();
    expect(busiestPart(requestsAt([5, 5, 5]))).toBeNull();
    expect(busiestPart(requestsAt([0, 5]))).toBeNull();
  });
});
