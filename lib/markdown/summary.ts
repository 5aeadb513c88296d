/** The summary of a text in lists and descriptions. */
import type { Nodes, Root } from "hast";
import { detectLanguage } from "./language.ts";
import type { Summary } from "./types.ts";
import { countWords } from "./words.ts";

const excerptMaximum = 170;
/** Words per minute of a quiet reader; of scripts without spaces, characters. */
const wordsPerMinute = 220;
const charactersPerMinute = 450;

export function summaryOf(tree: Root): Summary {
  const everything = textIn(tree, () => true);
  const prose = textIn(tree, (tag) => tag !== "pre" && tag !== "code");
  const paragraphs = tree.children
    .filter((child) => child.type === "element" && (child.tagName === "p" || child.tagName === "blockquote"))
    .map((child) => textIn(child, () => true));
  return {
    detectedLang: detectLanguage(prose),
    excerpt: beginning(paragraphs.join(" ").trim() || everything),
    readingMinutes: readingMinutes(everything),
  };
}

/** The text in a node, without footnotes and elements that `isRead` leaves out. */
function textIn(node: Nodes, isRead: (tag: string) => boolean): string {
  const parts: string[] = [];
  collect(node);
  return parts.join("").replace(/\s+/g, " ").trim();

  function collect(part: Nodes): void {
    if (part.type === "text") parts.push(part.value);
    if (part.type !== "element" && part.type !== "root") return;
    if (part.type === "element") {
      const { tagName, properties } = part;
      const isFootnote = properties.dataFootnotes !== undefined || properties.dataFootnoteRef !== undefined;
      if (isFootnote || !isRead(tagName)) return;
      if (tagName === "br") parts.push(" ");
    }
    for (const child of part.children) collect(child);
  }
}

/** The first words, with an ellipsis when there are more. */
function beginning(text: string): string {
  if (text.length <= excerptMaximum) return text;
  const start = text.slice(0, excerptMaximum).toWellFormed();
  const end = start.lastIndexOf(" ");
  // One long word, or a script without spaces, is cut where it is.
  return `${(end > excerptMaximum / 2 ? start.slice(0, end) : start).replace(/[\s,;:،؛.…]+$/u, "")}…`;
}

function readingMinutes(text: string): number {
  const { words, characters } = countWords(text);
  return Math.max(1, Math.round(words / wordsPerMinute + characters / charactersPerMinute));
}
