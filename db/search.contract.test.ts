/** SQLite and PostgreSQL find the same posts for all texts and queries. */
import fc from "fast-check";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { temporaryDatabase } from "../testing/database.ts";
import { patientTimeouts, sharedPostgres } from "../testing/postgres-server.ts";
import { addTexts, found } from "./contract/search.ts";
import { openPostgres } from "./dialects/postgres/index.ts";
import { foldForSearch } from "./search-text.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

// Few pieces of each kind, so that words meet again: letters with and without marks, marks alone, digits, signs.
const pieces = {
  latin: ["a", "á", "a\u0301", "Ế", "ß", "ﬁ", "İ", "ı", "x", "ø"],
  greekAndCyrillic: ["ά", "α", "й", "и", "ё", "Σ", "ς"],
  arabic: ["ك", "ک", "ي", "ی", "\u064B", "آ", "\u200C", "۱", "١", "1"],
  hebrew: ["ש", "ל", "\u05B8", "ם"],
  devanagari: ["क", "ि", "न", "्", "द", "ी", "०"],
  eastAsian: ["中", "文", "が", "か", "\u3099", "한", "ㅎ", "\u{20000}"],
  others: [
    "\u{1F30A}",
    "\u{1D400}",
    "\u{10330}",
    "\uE000",
    "\u0E33",
    "๏",
    "Ⅷ",
    "²",
    "_",
    "-",
    "\u20DD",
    "\u{1E944}",
  ],
  signs: ["'", '"', "\\", ":", "*", "&", "|", "!", "(", "<->", "%", "."],
};
const word = fc
  .constantFrom(...Object.values(pieces))
  .chain((kind) => fc.array(fc.constantFrom(...kind, "a", "1"), { minLength: 1, maxLength: 4 }))
  .map((parts) => parts.join(""));
const anyWord = fc.oneof({ weight: 5, arbitrary: word }, fc.string({ unit: "grapheme", maxLength: 4 }));
const text = fc.array(anyWord, { maxLength: 8 }).map((words) => words.join(" "));

/** As the typed text becomes words: db/search-text.ts. */
function wordsOf(typed: string): string[] {
  return foldForSearch(typed).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

test("finds the same posts in SQLite and PostgreSQL, in every script", async () => {
  let [searches, finds] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 5, maxLength: 20 }),
      fc.array(fc.array(anyWord, { minLength: 1, maxLength: 3 }), { minLength: 10, maxLength: 30 }),
      async (texts, queries) => {
        const sqlite = temporaryDatabase();
        const postgres = await openPostgres(await server.newMigratedDatabase(), {
          timeouts: patientTimeouts,
        });
        onTestFinished(() => postgres.close());
        await addTexts(sqlite, texts);
        await addTexts(postgres, texts);
        const cutOuts = texts.flatMap((text) => [wordsOf(text).slice(0, 2), wordsOf(text).slice(-1)]);
        for (const words of [...queries.map((typed) => wordsOf(typed.join(" "))), ...cutOuts]) {
          if (words.length === 0) continue;
          const expected = await found(sqlite, words);
          expect(await found(postgres, words), JSON.stringify({ words, texts })).toEqual(expected);
          searches += 1;
          finds += expected.length;
        }
        await postgres.close();
        await sqlite.close();
      },
    ),
    { numRuns: 6, endOnFailure: true },
  );
  expect(searches).toBeGreaterThan(120);
  expect(finds).toBeGreaterThan(40);
});
