/** Edits of a Markdown text, for the toolbar's buttons and the keyboard. */

export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** Text in place of that from `from` to `to`; `start` to `end` is selected then. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  start: number;
  end: number;
}

/** Sets the selected text in asterisks, or takes them away. */
export function emphasise(selected: Selected, mark: "*" | "**"): Edit {
  const { text, start, end } = trimmed(selected);
  const outside = Math.min(run(text.slice(0, start), /\**$/), run(text.slice(end), /^\**/));
  const words = text.slice(start, end);
  const inside = Math.min(run(words, /^\**/), run(words, /\**$/));
  const has = (count: number) => (mark === "*" ? count === 1 || count === 3 : count >= 2);
  const { length } = mark;
  if (has(outside)) return replace(start - length, end + length, words, [0, words.length]);
  if (has(inside) && words.length > 2 * inside) {
    const bare = words.slice(length, -length);
    return replace(start, end, bare, [0, bare.length]);
  }
  return replace(start, end, mark + words + mark, [length, length + words.length]);
}

/** Sets the selected text as code: lines in a block, a part of a line in backticks. */
export function asCode(selected: Selected): Edit {
  if (selected.text.slice(selected.start, selected.end).trim().includes("\n")) return asCodeBlock(selected);
  const { text, start, end } = trimmed(selected);
  const words = text.slice(start, end);
  if (text[start - 1] === "`" && text[end] === "`")
    return replace(start - 1, end + 1, words, [0, words.length]);
  // A text with backticks is set in more of them.
  const longest = Math.max(0, ...(words.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const mark = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  const before = mark + space;
  return replace(start, end, before + words + space + mark, [before.length, before.length + words.length]);
}

function asCodeBlock(selected: Selected): Edit {
  const { text, from, to } = wholeLines(selected);
  const lines = text.slice(from, to);
  const longest = Math.max(2, ...(lines.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return replace(from, to, `${fence}\n${lines}\n${fence}`, [
    fence.length + 1,
    fence.length + 1 + lines.length,
  ]);
}

/**
 * Makes a link of the selected text; `usual` are words for one without.
 * Selects the part to be written next: the address, or the words.
 */
export function asLink(selected: Selected, usual: string): Edit {
  const { text, start, end } = trimmed(selected);
  const chosen = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(chosen);
  const words = chosen === "" || isAddress ? usual : chosen;
  const address = isAddress ? chosen : "https://";
  const insert = `[${words}](${address})`;
  const next: [number, number] =
    words === chosen ? [insert.length - 1 - address.length, insert.length - 1] : [1, 1 + words.length];
  return replace(start, end, insert, next);
}

/** Puts a block, such as an image, beneath the line of the caret. */
export function withBlock({ text, end }: Selected, block: string): Edit {
  const to = text.indexOf("\n", end);
  const at = to < 0 ? text.length : to;
  const before = text.slice(0, at);
  const space = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const after = text.slice(at);
  const insert = `${space}${block}${after === "" || /^\n\n/.test(after) ? "" : "\n"}`;
  const caret = space.length + block.length;
  return replace(at, at, insert, [caret, caret]);
}

/** Makes a heading of the selected lines, then a smaller one, then none. */
export function asHeading(selected: Selected): Edit {
  return changeLines(selected, (lines) => {
    const level = run(lines.find((line) => line.trim() !== "") ?? "", /^#+(?= )/);
    const next = level === 0 ? "## " : level <= 2 ? "### " : "";
    return lines.map((line) =>
      line.trim() === "" && lines.length > 1 ? line : next + line.replace(/^ {0,3}#{1,6} +/, ""),
    );
  });
}

/** Quotes the selected lines, or no longer. */
export function asQuote(selected: Selected): Edit {
  return changeLines(selected, (lines) =>
    lines.every((line) => line.startsWith(">"))
      ? lines.map((line) => line.replace(/^> ?/, ""))
      : lines.map((line) => (line === "" && lines.length > 1 ? ">" : `> ${line}`)),
  );
}

const bullet = /^(\s*)[-*+] +/;
const ordinal = /^(\s*)\d{1,9}[.)] +/;

/** Makes a list of the selected lines, or takes its marks away. */
export function asList(selected: Selected, { isNumbered }: { isNumbered: boolean }): Edit {
  return changeLines(selected, (lines) => {
    const [own, other] = isNumbered ? [ordinal, bullet] : [bullet, ordinal];
    const isItem = (line: string) => line.trim() !== "" || lines.length === 1;
    if (lines.filter(isItem).every((line) => own.test(line)))
      return lines.map((line) => line.replace(own, "$1"));
    let number = 0;
    return lines.map((line) => {
      if (!isItem(line)) return line;
      number += 1;
      const bare = line.replace(own, "$1").replace(other, "$1");
      return bare.replace(/^\s*/, (indent) => `${indent}${isNumbered ? `${number}.` : "-"} `);
    });
  });
}

/** The beginning of a line of a list or a quotation. */
const beginning = /^((?:\s*>)* *)(?:([-*+])|(\d{1,9})([.)]))( +)(\[[ xX]\] +)?|^((?:\s*>)+ ?)/;

/**
 * The edit of the Enter key at the end of a list's item or in a quotation.
 * The next line begins as this one does; an empty item ends the list. Null for any other place.
 */
export function continueLine({ text, start, end }: Selected): Edit | null {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const line = text.slice(from, start);
  const match = beginning.exec(line);
  if (!match || start !== end || isInCodeBlock(text.slice(0, from))) return null;
  const [marks, quote = "", sign, number, delimiter, space, task, quoteOnly] = match;
  const rest = text.slice(start).split("\n", 1)[0] ?? "";
  if (line.slice(marks.length).trim() === "" && rest.trim() === "")
    return replace(from + quote.length, start, "", [0, 0]);
  if (quoteOnly !== undefined) return inserted(start, `\n${quoteOnly}`);
  const next = sign ?? `${Number(number) + 1}${delimiter}`;
  return inserted(start, `\n${quote}${next}${space}${task ? "[ ] " : ""}`);
}

function isInCodeBlock(before: string): boolean {
  return (before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
}

/**
 * Changes whole lines, and selects them.
 * Without a selection the caret keeps its place in the line.
 */
function changeLines(selected: Selected, change: (lines: string[]) => string[]): Edit {
  const { text, from, to } = wholeLines(selected);
  const insert = change(text.slice(from, to).split("\n")).join("\n");
  if (selected.start !== selected.end) return replace(from, to, insert, [0, insert.length]);
  const caret = Math.max(0, insert.length - (to - selected.start));
  return replace(from, to, insert, [caret, caret]);
}

function wholeLines({ text, start, end }: Selected): { text: string; from: number; to: number } {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  // A selection that ends at a line's beginning does not mean that line.
  const last = end > start && text[end - 1] === "\n" ? end - 1 : end;
  const to = text.indexOf("\n", last);
  return { text, from: Math.min(from, last), to: to < 0 ? text.length : to };
}

/** The selection without space at its ends, where marks would have no effect. */
function trimmed({ text, start, end }: Selected): Selected {
  const words = text.slice(start, end);
  if (words.trim() === "") return { text, start, end: start === end ? end : start };
  return {
    text,
    start: start + run(words, /^\s*/),
    end: end - run(words, /\s*$/),
  };
}

function run(text: string, pattern: RegExp): number {
  return pattern.exec(text)?.[0].length ?? 0;
}

function inserted(at: number, insert: string): Edit {
  return replace(at, at, insert, [insert.length, insert.length]);
}

/** An edit that selects a part of its inserted text. */
function replace(from: number, to: number, insert: string, [start, end]: [number, number]): Edit {
  return { from, to, insert, start: from + start, end: from + end };
}
