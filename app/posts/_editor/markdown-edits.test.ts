import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asCode,
  asHeading,
  asLink,
  asList,
  asQuote,
  continueLine,
  type Edit,
  emphasise,
  type Selected,
  withBlock,
} from "./markdown-edits.ts";

/** A text with its selection in brackets "‹›", or its caret as "‹›". */
function selected(marked: string): Selected {
  const start = marked.indexOf("‹");
  return { text: marked.replace(/[‹›]/g, ""), start, end: marked.indexOf("›") - 1 };
}

/** The text after an edit, with its selection marked as above. */
function after({ text }: Selected, { from, to, insert, start, end }: Edit): string {
  const changed = text.slice(0, from) + insert + text.slice(to);
  return `${changed.slice(0, start)}‹${changed.slice(start, end)}›${changed.slice(end)}`;
}

const bold = (text: Selected) => emphasise(text, "**");
const italic = (text: Selected) => emphasise(text, "*");
const list = (text: Selected) => asList(text, { isNumbered: false });
const numbered = (text: Selected) => asList(text, { isNumbered: true });
const link = (text: Selected) => asLink(text, "words");
const image = (text: Selected) => withBlock(text, "![wall](/a)");

test.each<[string, (text: Selected) => Edit, string, string]>([
  ["bold", bold, "a ‹wall› here", "a **‹wall›** here"],
  ["bold without the space around", bold, "a‹ wall ›here", "a **‹wall›** here"],
  ["bold taken away", bold, "a **‹wall›** here", "a ‹wall› here"],
  ["bold taken away with its marks selected", bold, "a ‹**wall**› here", "a ‹wall› here"],
  ["bold at a caret", bold, "a ‹›", "a **‹›**"],
  ["bold at a caret, twice", bold, "a **‹›**", "a ‹›"],
  ["italic", italic, "a ‹wall›", "a *‹wall›*"],
  ["italic in bold", italic, "a **‹wall›**", "a ***‹wall›***"],
  ["italic taken away from both", italic, "a ***‹wall›***", "a **‹wall›**"],
  ["bold taken away from both", bold, "a ***‹wall›***", "a *‹wall›*"],
  ["a word of Persian", bold, "یک ‹دیوار› کوتاه", "یک **‹دیوار›** کوتاه"],
  ["code", asCode, "the ‹npm start›", "the `‹npm start›`"],
  ["code taken away", asCode, "the `‹npm start›`", "the ‹npm start›"],
  ["code with a backtick", asCode, "the ‹a`b›", "the `` ‹a`b› ``"],
  ["a backtick at a caret before one that ends the text", asCode, "‹›`", "`‹›``"],
  ["lines of code", asCode, "x\n‹if (a)\n  b›;\ny", "x\n```\n‹if (a)\n  b;›\n```\ny"],
  ["a link of words", link, "the ‹weir›", "the [weir](‹https://›)"],
  ["a link of an address", link, "see ‹https://a.example/b›", "see [‹words›](https://a.example/b)"],
  ["a link at a caret", link, "see ‹›", "see [‹words›](https://)"],
  ["an image in an empty text", image, "‹›", "![wall](/a)‹›"],
  ["an image after a paragraph", image, "on‹›e", "one\n\n![wall](/a)‹›"],
  ["an image on an empty line", image, "one\n\n‹›\n\ntwo", "one\n\n![wall](/a)‹›\n\ntwo"],
  ["an image between lines", image, "one‹›\ntwo", "one\n\n![wall](/a)‹›\n\ntwo"],
  ["a heading", asHeading, "a\nb‹›c", "a\n## b‹›c"],
  ["a smaller heading", asHeading, "## b‹›c", "### b‹›c"],
  ["no heading any more", asHeading, "### b‹›c", "b‹›c"],
  ["no heading any more with the caret in its mark", asHeading, "##‹›# bc", "‹›bc"],
  ["a quotation", asQuote, "‹one\n\ntwo›", "‹> one\n>\n> two›"],
  ["no quotation any more", asQuote, "‹> one\n>\n> two›", "‹one\n\ntwo›"],
  ["a list", list, "‹one\n\n  two\n›three", "‹- one\n\n  - two›\nthree"],
  ["no list any more", list, "‹- one\n* two›", "‹one\ntwo›"],
  ["a list on an empty line", list, "one\n‹›", "one\n- ‹›"],
  ["a numbered list of a list", numbered, "‹- one\n- two›", "‹1. one\n2. two›"],
  ["a list of a numbered list", list, "‹1. one\n2) two›", "‹- one\n- two›"],
])("%s", (_, edit, before, expected) => {
  const text = selected(before);
  expect(after(text, edit(text))).toBe(expected);
});

describe("the Enter key", () => {
  test.each([
    ["a list", "- one‹›", "- one\n- ‹›"],
    ["a list inside of an item", "- one ‹›two", "- one \n- ‹›two"],
    ["a nested list", "- one\n  * two‹›", "- one\n  * two\n  * ‹›"],
    ["a numbered list", "9. nine‹›", "9. nine\n10. ‹›"],
    ["a list of tasks", "- [x] done‹›", "- [x] done\n- [ ] ‹›"],
    ["a quotation", "> one‹›", "> one\n> ‹›"],
    ["a list in a quotation", "> - one‹›", "> - one\n> - ‹›"],
    ["a list at an empty item, which it ends", "- one\n- ‹›", "- one\n‹›"],
    ["a list in a quotation at an empty item", "> - one\n> - ‹›", "> - one\n> ‹›"],
    ["a quotation at an empty line, which it ends", "> one\n> ‹›", "> one\n‹›"],
  ])("continues %s", (_, before, expected) => {
    const text = selected(before);
    const edit = continueLine(text);
    expect(edit && after(text, edit)).toBe(expected);
  });

  test.each([
    ["in a paragraph", "one‹›"],
    ["before an item's mark", "‹›- one"],
    ["with a selection", "- ‹one›"],
    ["in a block of code", "```\n- one‹›\n```"],
    ["after words that begin with a number", "2026‹›"],
    ["after a dash without a space", "-one‹›"],
  ])("does nothing of its own %s", (_, text) => {
    expect(continueLine(selected(text))).toBeNull();
  });
});

test("edits and their selections stay inside of any text", () => {
  const fragments = fc.constantFrom(
    "a",
    " ",
    "\n",
    "*",
    "**",
    "`",
    "- ",
    "1. ",
    "> ",
    "# ",
    "[x] ",
    "سد",
    "\u{1F30A}",
  );
  const texts = fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join(""));
  const edits = [bold, italic, asCode, link, image, asHeading, asQuote, list, numbered, continueLine];
  fc.assert(
    fc.property(texts, fc.nat(30), fc.nat(30), fc.constantFrom(...edits), (text, one, other, edit) => {
      const [start = 0, end = 0] = [one, other]
        .map((at) => Math.min(at, text.length))
        .toSorted((a, b) => a - b);
      const made = edit({ text, start, end });
      if (!made) return;
      const length = text.length - (made.to - made.from) + made.insert.length;
      const places = [0, made.from, made.to, text.length];
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      const selection = [0, made.start, made.end, length];
      expect(selection).toEqual(selection.toSorted((a, b) => a - b));
    }),
    { numRuns: 3_000 },
  );
});
