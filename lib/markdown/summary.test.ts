import { expect, test } from "vitest";
import { renderMarkdown } from "./render.ts";

const langOf = (text: string) => renderMarkdown(text).summary.detectedLang;

test.each([
  ["en", "A low wall across a stream, and the water goes over it. That is the whole invention."],
  ["de", "Ein Wehr staut den Bach, und das Wasser läuft darüber. So bleibt der Fluss ruhig."],
  ["fa", "سرریز چیست و چرا صدایش آرام‌بخش است"],
  ["ar", "ما هو السد ولماذا يهدأ الماء عنده"],
  ["ur", "یہ ایک کتاب ہے جس میں پانی کے بارے میں لکھا ہے"],
  ["he", "שלום עולם"],
  ["ru", "Плотина удерживает воду в реке, и уровень реки остаётся спокойным круглый год."],
  ["zh", "水流过堰坝"],
  ["ja", "水は堰を越えて流れる"],
  ["ko", "물은 둑을 넘어 흐른다"],
  ["en", "A weir is a low wall across a stream that the water is meant to go over. That is all. ".repeat(20)],
])("recognises a text in %s", (lang, text) => expect(langOf(text)).toBe(lang));

test.each([
  "",
  "Some words.",
  "Post 1",
  "42",
  "```\nfunction a() { return 'the water goes over it, and again'; }\n```",
])("recognises no language in %j, which is too short to tell", (text) => expect(langOf(text)).toBeNull());

test("tells Persian from its letters in a text with code and foreign words", () => {
  const text =
    "برنامه را با `npm start` اجرا کنید.\n\n```sh\nnpm install && npm start && echo this is a line of code\n```";
  expect(langOf(text)).toBe("fa");
});

const excerptOf = (text: string) => renderMarkdown(text).summary.excerpt;

test("begins an excerpt with the first paragraph, without markup, headings and footnotes", () => {
  const text =
    "# A title\n\nA *low* [wall](/wall),[^1]\nacross `a stream`.\n\n```\ncode\n```\n\nMore.\n\n[^1]: A note.";
  expect(excerptOf(text)).toBe("A low wall, across a stream. More.");
});

test("takes an excerpt from other parts of a text without paragraphs", () => {
  expect(excerptOf("# A title\n\n- one\n- two")).toBe("A title one two");
});

test("ends a long excerpt after a word, or a long word inside of it", () => {
  const words = excerptOf("watery, ".repeat(100));
  expect(words).toMatch(/^(watery, )+watery…$/);
  expect(words.length).toBeLessThanOrEqual(171);
  expect(excerptOf("水".repeat(500))).toBe(`${"水".repeat(170)}…`);
  expect(excerptOf("\u{1F30A}".repeat(150)).isWellFormed()).toBe(true);
});

test.each([
  [1, "Words."],
  [1, ""],
  [4, "water ".repeat(880)],
  [2, "水".repeat(900)],
])("estimates %i minutes of reading", (minutes, text) =>
  expect(renderMarkdown(text).summary.readingMinutes).toBe(minutes),
);
