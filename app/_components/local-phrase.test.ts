import { expect, test } from "vitest";
import type { Phrase } from "@/lib/limiter/index";
import { inLocale } from "@/testing/in-locale";
import { summaryFormats } from "./limit-text";
import { localPhrase } from "./local-phrase";

/** Of an algorithm that no catalogue knows, whose second part is another's. */
const unknown: Phrase = {
  key: "an-algorithm-of-tomorrow",
  template: "{count} in each {period}, within {time}; beyond that {beyond}, by {who}",
  values: {
    count: { type: "number", value: 1_234.5 },
    period: { type: "period", value: 60_000 },
    time: { type: "duration", value: 3_600_000 },
    beyond: {
      type: "phrase",
      value: {
        key: "burst",
        template: "{count} at once, then {rate}",
        values: { count: { type: "tenths", value: 2.04 }, rate: { type: "rate", value: 0.5 } },
      },
    },
    who: { type: "text", value: "UTC" },
  },
};

test("a phrase that the catalogue does not have reads well in English, numbers and all", () => {
  for (const locale of ["en", "fa"] as const)
    expect(inLocale(locale, () => localPhrase(unknown, summaryFormats))).toBe(
      "1,234.5 in each minute, within 1 hour; beyond that 2 at once, then one every 2 seconds, by UTC",
    );
});

test("a phrase that the catalogue has is in the reader's language", () => {
  const { beyond } = unknown.values;
  const known = beyond?.type === "phrase" ? beyond.value : unknown;
  expect(inLocale("en", () => localPhrase(known, summaryFormats))).toBe(
    "2 at once, then one every 2 seconds",
  );
  expect(inLocale("fa", () => localPhrase(known, summaryFormats))).toMatch(/^۲ تا یکجا/);
});
