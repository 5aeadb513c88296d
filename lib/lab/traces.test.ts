import { describe, expect, it } from "vitest";
import { createAlgorithm } from "../limiter/index.ts";
import { parseSettings, readSettings } from "../settings/env.ts";
import { ratingAlgorithm } from "../settings/rating-settings.ts";
import type { LabSettingTexts } from "./settings.ts";
import { simulate } from "./simulate.ts";
import { type KnownTrace, knownTrace, knownTraces, largestTrace, longestTraceMs } from "./traces.ts";
import { traceStart } from "./traffic.ts";

const all: [string, KnownTrace][] = Object.entries(knownTraces);

function summaryOf(trace: KnownTrace, algorithm: string, texts: LabSettingTexts = {}) {
  const parameters = ratingAlgorithm(parseSettings(texts), algorithm);
  return simulate(createAlgorithm(parameters), trace.requests());
}

describe.each(all)("the trace %s", (name, trace) => {
  it("is in order, within its bounds, and the same each time", () => {
    const requests = trace.requests();
    const times = requests.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.every(Number.isSafeInteger)).toBe(true);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.length).toBeLessThanOrEqual(largestTrace);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(longestTraceMs);
    expect(trace.requests()).toEqual(requests);
    expect(knownTrace(name)).toBe(trace);
  });

  it("suggests settings that are sound", () => {
    expect(readSettings(trace.suggestion?.settings ?? {})).toMatchObject({ ok: true });
  });
});

it("knows no trace by the name of an inherited property", () => {
  expect(knownTrace("constructor")).toBeUndefined();
});

describe("with the settings that Weir comes with", () => {
  it("a flood after a quiet day is held by the EMA, and buckets hold only its first seconds", () => {
    const passed = (name: string) => summaryOf(knownTraces.flood, name).summary.flood?.passed;
    const sent = knownTraces.flood.requests().filter(({ kind }) => kind === "flood").length;
    expect(passed("leaky-bucket")).toBeLessThan(sent - 50);
    expect(passed("leaky-bucket")).toBeGreaterThan(sent - 100);
    expect(passed("tiered")).toBe(sent);
    expect(passed("ema")).toBeLessThan(sent / 10);
  });

  it("a slow campaign passes every limit on the second, and half of it fails at the EMA", () => {
    const { requests } = knownTraces.campaign;
    const sent = requests().filter(({ kind }) => kind === "flood").length;
    expect(sent).toBeGreaterThan(1_300);
    expect(summaryOf(knownTraces.campaign, "sliding-log").summary.flood?.passed).toBe(sent);
    expect(summaryOf(knownTraces.campaign, "ema").summary.flood?.passed).toBeLessThan(sent / 2);
    const { settings } = knownTraces.campaign.suggestion;
    for (const name of ["tiered", "fixed-window"] as const)
      expect(summaryOf(knownTraces.campaign, name, settings).summary.flood?.passed).toBeLessThan(sent / 2);
  });

  it("refuses almost no request of an honest surge", () => {
    for (const name of ["leaky-bucket", "tiered", "sliding-log"] as const)
      expect(summaryOf(knownTraces.surge, name).summary.honest?.refused).toBe(0);
    const { honest } = summaryOf(knownTraces.surge, "ema").summary;
    expect((honest?.refused ?? 0) / (honest?.total ?? 1)).toBeLessThan(0.02);
  });

  it("a steady crowd of more than leaks is thinned by a bucket and not by the EMA", () => {
    expect(summaryOf(knownTraces.crowd, "leaky-bucket").summary.refused).toBeGreaterThan(50);
    expect(summaryOf(knownTraces.crowd, "ema").summary.refused).toBe(0);
  });
});

describe("the demonstrations, with the settings that they suggest", () => {
  const answers = (trace: KnownTrace, name: string) =>
    summaryOf(trace, name, trace.suggestion?.settings).decided.map(({ decision }) => decision.allowed);

  it("come at the times in their names", () => {
    const times = (trace: KnownTrace) => trace.requests().map(({ at }) => at - traceStart);
    expect(times(knownTraces.locker)).toEqual(Array.from({ length: 100 }, (_, index) => index * 100));
    expect(times(knownTraces.tokens)).toEqual(Array.from({ length: 15 }, (_, index) => index * 100));
    expect(times(knownTraces.gaps).slice(13)).toEqual([
      65_000, 70_000, 70_050, 70_100, 70_150, 70_200, 70_250, 70_300,
    ]);
  });

  it("100 calls: go five times, sorry three times, over and over", () => {
    const pattern = [true, true, true, true, true, false, false, false];
    expect(answers(knownTraces.locker, "fixed-window")).toEqual(
      Array.from({ length: 100 }, (_, index) => pattern[index % 8]),
    );
  });

  it("around the edge: five within two seconds for the window, and one too few for the log", () => {
    expect(answers(knownTraces.edge, "fixed-window")).toEqual([true, true, true, true, true, true]);
    expect(answers(knownTraces.edge, "sliding-log")).toEqual([true, true, true, true, false, false]);
  });

  it("15 requests: twelve pass", () => {
    const twelve = Array.from({ length: 15 }, (_, index) => index < 12);
    expect(answers(knownTraces.tokens, "token-bucket")).toEqual(twelve);
  });

  it("21 at one instant: the last is refused", () => {
    const twenty = Array.from({ length: 21 }, (_, index) => index < 20);
    expect(answers(knownTraces.instant, "leaky-bucket")).toEqual(twenty);
  });

  it("15 regular gaps, then six short ones: at least one is refused, and none before", () => {
    const passed = answers(knownTraces.gaps, "ema");
    expect(passed.slice(0, 15)).not.toContain(false);
    expect(passed.slice(15)).toContain(false);
  });
});
