import { describe, expect, it } from "vitest";
import { hourMs } from "../time/units.ts";
import { partOf, type ShownTrace } from "./part.ts";
import { requestsAt, traceStart } from "./traffic.ts";

const trace: ShownTrace = {
  title: "A trace",
  about: "",
  requests: requestsAt([0, 10_000, 20_000]),
  startsAt: traceStart,
};
const focused = { ...trace, focus: { name: "The middle", fromMs: 9_000, toMs: 11_000, opens: true } };
const offered = { ...trace, focus: { ...focused.focus, opens: false } };
const untyped = { from: "", to: "" };

/** In milliseconds since the trace began. */
function read(shown: ShownTrace, typed: { from: string; to: string }) {
  const { from, to, isWhole, errors } = partOf(shown, typed);
  return { part: [from - traceStart, to - traceStart], isWhole, errors };
}

describe("partOf", () => {
  it.each([
    ["all of a trace", trace, untyped, [0, 20_001], true],
    ["what a trace is about, when it has that", focused, untyped, [9_000, 11_000], false],
    ["all of it when that part is only offered", offered, untyped, [0, 20_001], true],
    ["all of it when the address requests it", focused, { from: "0", to: "" }, [0, 20_001], true],
    ["a part that was typed", trace, { from: "2.5", to: "12" }, [2_500, 12_000], false],
    ["its beginning", trace, { from: "0", to: "5" }, [0, 5_000], false],
    ["no more than there is", trace, { from: "5", to: "1e9" }, [5_000, 20_001], false],
  ])("is %s", (_, shown, typed, part, isWhole) => {
    expect(read(shown, typed)).toEqual({ part, isWhole, errors: {} });
  });

  it.each([
    [{ from: "soon", to: "" }, "from", "must be a number of seconds"],
    [{ from: "", to: "-5" }, "to", "must be a number of seconds"],
    [{ from: "NaN", to: "" }, "from", "must be a number of seconds"],
    [{ from: "5", to: "5" }, "to", "must be later than where the part begins"],
    [{ from: "9e99", to: "" }, "from", "must be earlier than the end of the trace"],
  ])("of %j is everything, with a message", (typed, name, message) => {
    const { part, isWhole, errors } = read(focused, typed);
    expect({ part, isWhole }).toEqual({ part: [0, 20_001], isWhole: true });
    expect(Object.keys(errors)).toEqual([name]);
    expect(errors[name]?.[0]).toContain(message);
  });

  it("of one instant is a second, and of moments begins at the first", () => {
    const at = traceStart + hourMs;
    const moments = { ...trace, requests: [{ at }, { at }], startsAt: null };
    expect(partOf(moments, untyped)).toMatchObject({ from: at, to: at + 1_000, isWhole: true });
    expect(partOf(moments, { from: "0.5", to: "" })).toMatchObject({ from: at + 500, to: at + 1_000 });
  });
});
