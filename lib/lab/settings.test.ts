import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inLocale } from "../../testing/in-locale.ts";
import { algorithmNames } from "../limiter/index.ts";
import { parseSettings } from "../settings/env.ts";
import { ratingAlgorithm } from "../settings/rating-settings.ts";
import { levelLine } from "./levels.ts";
import { faultyOf, labSettings, settingNames, settingTexts } from "./settings.ts";
import { simulate } from "./simulate.ts";
import { traceStart } from "./traffic.ts";

const own = parseSettings({ LEAKY_BUCKET_CAPACITY: "7", LIMITER_TIME_ZONE: "Asia/Tehran" });

describe("labSettings", () => {
  it("are the app's own unless set", () => {
    const { texts, errors, settings, algorithms } = labSettings({}, own);
    expect(errors).toEqual({});
    expect(texts).toMatchObject({ LEAKY_BUCKET_CAPACITY: "7", LIMITER_TIME_ZONE: "Asia/Tehran" });
    expect(texts).toEqual(settingTexts(settings));
    expect(algorithms.map(({ name, parameters }) => ({ name, parameters }))).toEqual(
      algorithmNames.map((name) => ({ name, parameters: ratingAlgorithm(own, name) })),
    );
  });

  it("are the typed values; a blank one is the app's own", () => {
    const { texts, settings } = labSettings({ EMA_THRESHOLD: "5", LEAKY_BUCKET_CAPACITY: " " }, own);
    expect(settings).toMatchObject({ EMA_THRESHOLD: 5, LEAKY_BUCKET_CAPACITY: 7 });
    expect(texts).toMatchObject({ EMA_THRESHOLD: "5", LEAKY_BUCKET_CAPACITY: "7" });
  });

  it("report an invalid value beside its field, keep it as typed, and hide only its algorithms", () => {
    const { texts, errors, settings, algorithms } = labSettings(
      { TIERED_LIMIT: "many", SLIDING_LOG_LIMIT: "3" },
      own,
    );
    expect(errors).toEqual({ TIERED_LIMIT: ["must be a number above 0"] });
    expect(texts.TIERED_LIMIT).toBe("many");
    expect(settings).toMatchObject({ SLIDING_LOG_LIMIT: 3, TIERED_LIMIT: 20 });
    expect(algorithms.map(({ name }) => name)).toEqual(algorithmNames.filter((name) => name !== "tiered"));
    expect(faultyOf("tiered", errors)).toEqual(["TIERED_LIMIT"]);
  });

  it.each([
    [
      { LIMITER_TIME_ZONE: "Mars/Olympus" },
      "LIMITER_TIME_ZONE",
      "must be a time zone",
      ["fixed-window", "tiered"],
    ],
    [{ SLIDING_LOG_LIMIT: "1001" }, "SLIDING_LOG_LIMIT", "must be at most 1,000", ["sliding-log"]],
    [{ TIERED_LIMIT: "2.5" }, "TIERED_LIMIT", "must be a whole number", ["tiered"]],
    [{ TIERED_FREE_PER_DAY: "0.5" }, "TIERED_FREE_PER_DAY", "must be a whole number", ["tiered"]],
    [{ FIXED_WINDOW_SECONDS: "0.0001" }, "FIXED_WINDOW_SECONDS", "thousandth of a second", ["fixed-window"]],
    [{ TIERED_SECONDS: "1e300" }, "TIERED_SECONDS", "a hundred years", ["tiered"]],
    [{ EMA_RECENT_GAPS: "0.5" }, "EMA_RECENT_GAPS", "must be at least 1", ["ema"]],
    [
      { LEAKY_BUCKET_LEAK_PER_SECOND: "1e-300" },
      "LEAKY_BUCKET_LEAK_PER_SECOND",
      "is too small beside capacity",
      ["leaky-bucket"],
    ],
    [{ TOKEN_BUCKET_CAPACITY: "1e300" }, "TOKEN_BUCKET_CAPACITY", "must be at most", ["token-bucket"]],
  ])("%j is faulty: the setting has the message of the algorithm", (given, name, message, missing) => {
    const { errors, algorithms } = labSettings(given, own);
    expect(Object.keys(errors)).toEqual([name]);
    expect(errors[name]?.[0]).toContain(message);
    expect(algorithms.map((each) => each.name)).toEqual(
      algorithmNames.filter((each) => !missing.includes(each)),
    );
  });

  it("report every fault of hostile values in Persian on a Persian page", () => {
    const values = [
      "0",
      "-1",
      "many",
      "0.5",
      "2.5",
      "1e-300",
      "0.0001",
      "1e15",
      "1e16",
      "1e300",
      "Mars/Olympus",
    ];
    inLocale("fa", () => {
      for (const name of settingNames)
        for (const value of values)
          for (const text of labSettings({ [name]: value }, own).errors[name] ?? [])
            expect(text, `${name}=${value}`).not.toMatch(/must|is not|\d/);
      const errorOf = (name: string, value: string) => labSettings({ [name]: value }, own).errors[name];
      expect(errorOf("TIERED_LIMIT", "many")).toEqual(["باید عددی بزرگ‌تر از ۰ باشد"]);
      expect(errorOf("SLIDING_LOG_LIMIT", "1001")).toEqual(["باید حداکثر ۱٬۰۰۰ باشد"]);
    });
  });

  it("decide any trace quickly and without an error, even for hostile values", () => {
    const hostile = fc.oneof(
      fc.constantFrom("0", "-1", "NaN", "Infinity", "1e308", "5e-324", "1e9", "0x10", "calendar-day", "1"),
      fc.constantFrom("1000", "0.001", "9007199254740", "Pacific/Apia", "Asia/Tehran", "٣", "\u0000", "1e15"),
      fc.double({ min: 0, max: 1e18, noNaN: true }).map(String),
      fc.string({ maxLength: 8 }),
    );
    const anySettings = fc.record(Object.fromEntries(settingNames.map((name) => [name, hostile])), {
      requiredKeys: [],
    });
    const atInstants = fc.array(fc.integer({ min: 0, max: 31 * 86_400_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(anySettings, atInstants, (given, times) => {
        const { algorithms, errors } = labSettings(given, own);
        const missing = algorithmNames.filter((name) => algorithms.every((each) => each.name !== name));
        for (const name of missing) expect(faultyOf(name, errors)).not.toEqual([]);
        const requests = times.toSorted((a, b) => a - b).map((atMs) => ({ at: traceStart + atMs }));
        for (const { algorithm } of algorithms) {
          const { decided, summary } = simulate(algorithm, requests);
          expect(summary.accepted + summary.refused).toBe(requests.length);
          for (const { value } of levelLine(decided)) expect(Number.isFinite(value)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });
});
