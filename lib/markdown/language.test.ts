import { expect, test } from "vitest";
import { detectLanguage } from "./language.ts";

test.each([
  ["سلام دنیا، این یک آزمایش است", "fa"],
  ["یک نوشته", "fa"],
  ["مرحبا بالعالم هذا نص عربي قصير للتجربة", "ar"],
  ["یہ ایک اردو متن ہے جو چھوٹا ہے", "ur"],
  ["دا یو پښتو متن دی چې لنډ دی", "ps"],
  ["שלום עולם", "he"],
  ["A short note", null],
  ["A weir is a low wall across a stream, and the water has to go over it to reach the sea.", "en"],
  ["A weir is a low wall across a stream; in Persian it is called سرریز, and the water goes over it.", "en"],
  ["", null],
])("the language of %j is %s", (text, lang) => {
  expect(detectLanguage(text)).toBe(lang);
});
