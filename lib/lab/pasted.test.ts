import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayMs } from "../time/units.ts";
import { pastedTrace } from "./pasted.ts";
import { traceStart } from "./traffic.ts";

/** The milliseconds since the beginning, or the moments; an error when it is one. */
function read(text: string): number[] | string {
  const pasted = pastedTrace(text);
  if (!pasted.ok) return pasted.error;
  const { requests, startsAt } = pasted.trace;
  return requests.map(({ at }) => at - (startsAt ?? 0));
}

describe("pasted times", () => {
  it.each([
    ["0\n0.1\n.25", [0, 100, 250]],
    ["12.5 s, 12500ms; 1e1", [10_000, 12_500, 12_500]],
    ["3\r\n1\r2", [1_000, 2_000, 3_000]],
    ["2, 2, 2", [2_000, 2_000, 2_000]],
    ["1767614400", [1_767_614_400_000]],
    ["1767614400123", [1_767_614_400_123]],
    ["2026-01-05T12:00:00Z", [1_767_614_400_000]],
    ["2026-01-05T14:00:00.5+02:00", [1_767_614_400_500]],
    ["2026-01-05 12:00:00", [1_767_614_400_000]],
    ["2026-01-05", [1_767_571_200_000]],
  ])("%j is read", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("seconds count from the beginning of a day, dates are moments", () => {
    expect(pastedTrace("5")).toEqual({
      ok: true,
      trace: { requests: [{ at: traceStart + 5_000 }], startsAt: traceStart },
    });
    expect(pastedTrace("2026-01-05T12:00Z")).toEqual({
      ok: true,
      trace: { requests: [{ at: 1_767_614_400_000 }], startsAt: null },
    });
  });

  it.each([
    ["", "Paste at least one time."],
    [" ,\n;, ", "Paste at least one time."],
    ["1\n2\nsoon", "Line 3, “soon”: neither a number"],
    ["1, 2, 2026-02-30T00:00Z", "Line 1, “2026-02-30T00:00Z”: neither a number"],
    ["5\n-1", "Line 2, “-1”: a time before the beginning"],
    ["1969-12-31T23:59:59Z", "a time before the beginning"],
    ["NaN", "neither a number"],
    ["Infinity", "neither a number"],
    ["1e999", "too far in the future"],
    ["99999999999999999999ms", "too far in the future"],
    ["2026-01-01\n2026-03-01", "Line 2, “2026-03-01”: this is more than 31 days after the earliest time"],
    ["5\n2026-01-01", "Line 2, “2026-01-01”: this is more than 31 days"],
    ["1\n".repeat(1_001), "These are 1,001 times; at most 1,000 are taken."],
    ["1".repeat(6_001), "more than 6,000 characters"],
    [`1\n${"x".repeat(100)}`, `Line 2, “${"x".repeat(40)}…”: neither`],
  ])("%j is refused, and why", (text, error) => {
    expect(read(text)).toContain(error);
  });

  it("accepts a span of exactly the maximum", () => {
    expect(read(`0\n${(31 * dayMs) / 1_000}`)).toEqual([0, 31 * dayMs]);
  });

  it("returns all times sorted, with duplicates, from any order", () => {
    const anyTimes = fc.array(fc.integer({ min: 0, max: 20_000_000 }), { minLength: 1, maxLength: 60 });
    const written = (atMs: number) => fc.constantFrom(`${atMs}ms`, `${atMs / 1_000}`, `${atMs / 1_000} s`);
    fc.assert(
      fc.property(
        anyTimes.chain((times) =>
          fc.tuple(
            fc.constant(times),
            fc.tuple(...times.map(written)),
            fc.constantFrom("\n", ",", "\r\n", " , "),
          ),
        ),
        ([times, texts, separator]) => {
          expect(read(texts.join(separator))).toEqual(times.toSorted((one, other) => one - other));
        },
      ),
    );
  });

  it("never throws on any pasted text", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[0-9eE.,:;TZms+\- \n]{0,80}$/),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const times = read(text);
        expect(typeof times === "string" || times.every(Number.isSafeInteger)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
