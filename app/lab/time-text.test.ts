import { describe, expect, it } from "vitest";
import { axisLabels, timeText } from "./time-text";

const zero = Date.UTC(2026, 0, 5);
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

describe("timeText", () => {
  const since = { zero, spanMs: 10 * minute, stepMs: minute };
  const moments = { zero: null, spanMs: 10 * minute, stepMs: minute };
  it.each([
    ["seconds in a short trace", 4_950, { ...since, spanMs: 6 * second, stepMs: 100 }, "4.95 s"],
    ["hours and minutes in a long one", 20 * hour + 5 * minute, since, "20:05"],
    ["seconds where steps are shorter", 20 * hour + 5_000, { ...since, stepMs: 10 * second }, "20:00:05"],
    ["thousandths where it has to be exact", 20 * hour + 5_025, { ...since, stepMs: 1 }, "20:00:05.025"],
    ["hours that count on", 27 * hour, since, "27:00"],
    ["days after three of them", 75 * hour, { ...since, spanMs: 9 * day }, "day 4, 03:00"],
    ["a moment's clock", 20 * hour, moments, "20:00"],
    ["a moment's day, where there are several", 20 * hour, { ...moments, spanMs: 2 * day }, "5 Jan, 20:00"],
  ])("shows %s", (_, sinceMs, clock, text) => {
    expect(timeText(zero + sinceMs, clock)).toBe(text);
  });
});

describe("axisLabels", () => {
  const textsOf = (ticksMs: number[], clock: Parameters<typeof axisLabels>[1]) =>
    axisLabels(
      ticksMs.map((each) => zero + each),
      clock,
    ).map(({ text }) => text);

  it("names days at midnight, and hours between", () => {
    const clock = { zero: null, spanMs: 1.5 * day, stepMs: hour };
    expect(textsOf([0, 0.5 * day, day].map(Math.floor), clock)).toEqual(["5 Jan", "5 Jan", "6 Jan"]);
    expect(textsOf([18 * hour, day, 30 * hour], clock)).toEqual(["18:00", "6 Jan", "06:00"]);
  });

  it("leaves out every second label where labels would overlap", () => {
    const clock = { zero, spanMs: 2_000, stepMs: 20 };
    const late = 20 * hour;
    const halves = [0, 500, 1_000, 1_500, 2_000].map((each) => late + each);
    expect(textsOf(halves, { ...clock, spanMs: 3 * minute })).toEqual([
      "20:00:00.000",
      "20:00:01.000",
      "20:00:02.000",
    ]);
    expect(textsOf([0, 500, 1_000, 1_500, 2_000], clock)).toEqual(["0 s", "0.5 s", "1 s", "1.5 s", "2 s"]);
  });
});
