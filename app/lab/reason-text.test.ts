import { expect, test } from "vitest";
import { summaryText } from "@/app/_components/limit-text";
import type { Locale } from "@/lib/i18n/locale";
import { lab } from "@/lib/i18n/messages/en/lab";
import { limits } from "@/lib/i18n/messages/en/limits";
import { simulate } from "@/lib/lab/simulate";
import { algorithmDefinitions, createAlgorithm, levelOf } from "@/lib/limiter/index";
import { inLocale } from "@/testing/in-locale";
import { levelText, reasonText } from "./reason-text";

/** A second apart, for long enough to learn from, and then a crowd. */
const times = [...Array.from({ length: 20 }, (_, index) => index * 1_000), 19_010, 19_020, 19_030, 19_040];

/** Each text about the decisions of each example, in one language. */
function texts(locale: Locale): { name: string; text: string }[] {
  return algorithmDefinitions.flatMap(({ name, examples }) =>
    examples.flatMap((settings) => {
      const algorithm = createAlgorithm({ algorithm: name, ...settings });
      const { decided } = simulate(
        algorithm,
        times.map((at) => ({ at: 1_767_225_600_000 + at })),
      );
      return inLocale(locale, () => [
        { name, text: summaryText({ algorithm: name, ...settings }) },
        ...decided.flatMap(({ decision: { reason } }) => {
          const level = levelOf(reason);
          return [reasonText(reason), ...(level ? [levelText(level)] : [])].map((text) => ({
            name,
            text,
          }));
        }),
      ]);
    }),
  );
}

// One that is new needs none: its own English texts stand in.
test("every algorithm of the catalogue explains its settings, decisions and levels in Persian", () => {
  const names = Object.keys(limits.algorithm);
  expect(Object.keys(lab.algorithm).toSorted()).toEqual(names.toSorted());
  const found = texts("fa").filter(({ name }) => names.includes(name));
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(names));
  for (const { name, text } of found) {
    const own = text.replaceAll(/\((?:[A-Z]\w+\/[A-Z]\w+|UTC)\)|\bZ\b/g, "");
    expect(own, name).not.toMatch(/[a-z\d]/i);
  }
});

test("shows a level that no catalogue knows in English", () => {
  const level = { key: "an-algorithm-of-tomorrow", name: "Depth", meaning: "at most 3", threshold: 3 };
  expect(inLocale("fa", () => levelText(level))).toBe("Depth, at most 3");
});

test("gives the numbers of a decision, also of one limit behind another", () => {
  const all = texts("en").map(({ text }) => text);
  expect(all).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^the bucket is at [\d.]+ of 5 and drains: 3 a second$/),
      expect.stringMatching(/^\d+ on this day \(.*\), \d+ of them free; then /),
      "ratings came no faster than usual",
      expect.stringMatching(/^ratings came 1\.\d times as fast as usual$/),
    ]),
  );
});

test("explains that a cost above the limit can never fit", () => {
  const reason = { algorithm: "gcra", neverFits: true, cost: 5, limit: 2, windowMs: 1_000 } as const;
  expect(inLocale("en", () => reasonText(reason))).toBe("5 can never fit a limit of 2");
});
