import { expect, test } from "vitest";
import { searchWords } from "../../db/search-text.ts";
import { renderMarkdown } from "../markdown/render.ts";
import { contentMaximum } from "./lengths.ts";
import { markedTitle, snippetOf } from "./snippet.ts";

/** A snippet as text, its matches in brackets. */
function snippet(markdown: string, typed: string): string | undefined {
  const parts = snippetOf(renderMarkdown(markdown).html, searchWords(typed) ?? []);
  return parts?.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join("");
}

test("marks each searched word, the last one also as the beginning of a word", () => {
  expect(snippet("A *weir* is a wall & not a weird one.", "wall weir")).toBe(
    "A [weir] is a [wall] & not a [weird] one.",
  );
  expect(snippet("Walls, and a wall.", "wall and")).toBe("Walls, [and] a [wall].");
});

test("finds Persian words typed with Arabic letters, digits and joined parts", () => {
  expect(snippet("گزارشی از کتاب‌های ۱۴۰۳", "كتاب 1403")).toBe("گزارشی از [کتاب]‌های [۱۴۰۳]");
});

test("finds words whatever their accents and case", () => {
  expect(snippet("Über den WEHREN", "uber wehren")).toBe("[Über] den [WEHREN]");
});

test("shows the words around the first match of a long text", () => {
  const around = "water ".repeat(100);
  const shown = snippet(`${around}weir ${around}`, "weir");
  expect(shown).toMatch(/^… (water )+\[weir\]( water)+…$/);
  expect(shown?.length).toBeLessThan(220);
});

test("has no snippet when the words are in the title alone", () => {
  expect(snippet("Some words.", "weir")).toBeUndefined();
});

test("shows markup of the text as text", () => {
  expect(snippet("Write `<script>` and &lt;b&gt;, then weir.", "weir")).toBe(
    "Write <script> and <b>, then [weir].",
  );
});

test("leaves out the attributes of an element, whatever they contain", () => {
  expect(snippet('See [the wall](/wall "high > hidden"), a weir.', "weir")).toBe("See the wall , a [weir].");
});

test("finds words at the end of the longest text, between much markup", () => {
  // As rendered from `w` and a space, over and over.
  const html = `<p>${"<code>w</code> ".repeat(contentMaximum / 4 - 1)}weir</p>`;
  expect(snippetOf(html, ["weir"])?.slice(-2)).toEqual([
    { text: expect.stringMatching(/^( ?w )+$/), isMatch: false },
    { text: "weir", isMatch: true },
  ]);
});

test("marks each match in a title, however far apart", () => {
  const title = `Weirs and ${"water ".repeat(31)}a weir`;
  const parts = markedTitle(title, ["weir"]);
  expect(parts?.map(({ text }) => text).join("")).toBe(title);
  expect(parts?.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(["Weirs", "weir"]);
  expect(markedTitle("A wall", ["weir"])).toBeUndefined();
});

test("compares no more words when a page's posts have had too many different ones", () => {
  const compared = new Map(Array.from({ length: 20_000 }, (_, index) => [`w${index}`, false] as const));
  expect(snippetOf("<p>A weir.</p>", ["weir"], compared)).toBeUndefined();
  compared.delete("w0");
  expect(snippetOf("<p>weir</p>", ["weir"], compared)).toEqual([{ text: "weir", isMatch: true }]);
});
