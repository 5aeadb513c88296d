/**
 * Bounds on the intricacy of a Markdown text.
 *
 * Parsing time grows with nesting, and within a paragraph with the square of the characters that may open an element: a
 * few crafted kilobytes can block a server for minutes. These bounds are far beyond real texts, and keep the worst text
 * of maximum length within about a second.
 */
export const intricacy = {
  /** Quotations and lists inside one another, as one line opens them. */
  nesting: 12,
  /** Lines inside quotations and lists in all, each counted as often as it is nested. */
  items: 2_000,
  /** Characters of one paragraph that may begin or end emphasis, a link or code. */
  marks: 1_000,
  /** Footnotes. */
  footnotes: 100,
  /** Cells of tables: a row shorter than its table's head is filled up, so a few characters may be very many cells. */
  cells: 5_000,
} as const;

const opener = /(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))[ \t]*/y;
const mark = /[*_~[\]`<&!]/g;
/** The line under a table's head. */
const tableRule = /^[ \t>]*[|:-][ \t|:-]*$/;

/** An error message for a text over a bound, or undefined; linear in the text's length. */
export function intricacyFault(text: string): string | undefined {
  let items = 0;
  let footnotes = 0;
  let cells = 0;
  let nesting = 0;
  let wasBlank = true;
  // Of the paragraph, or table, that the line is in.
  let marks = 0;
  let columns = 0;
  for (const line of text.split("\n")) {
    const isBlank = line.trim() === "";
    const indent = line.length - line.trimStart().length;
    const opened = openersOf(line, indent);
    // Nesting continues until a line at the margin after an empty line.
    if (opened > 0) nesting = Math.floor(indent / 2) + opened;
    else if (wasBlank && !isBlank && indent === 0) nesting = 0;
    if (!isBlank) items += nesting;
    wasBlank = isBlank;
    if (line.trimStart().startsWith("[^")) footnotes += 1;
    if (isBlank) {
      marks = 0;
      columns = 0;
    }
    marks += line.match(mark)?.length ?? 0;
    if (tableRule.test(line)) columns = Math.max(columns, line.split("|").length);
    cells += columns;
    if (opened > intricacy.nesting)
      return `Content has quotations or lists inside one another more than ${intricacy.nesting} deep.`;
    if (marks > intricacy.marks)
      return `Content has a paragraph with more than ${inWords(intricacy.marks)} of the characters * _ ~ [ ] \` < & !: part it by empty lines.`;
  }
  if (items > intricacy.items)
    return `Content has more than ${inWords(intricacy.items)} lines in quotations and lists.`;
  if (cells > intricacy.cells) return `Content has tables of more than ${inWords(intricacy.cells)} cells.`;
  if (footnotes > intricacy.footnotes) return `Content has more than ${intricacy.footnotes} footnotes.`;
  return undefined;
}

/** How many quotations and items of lists a line opens. */
function openersOf(line: string, indent: number): number {
  let count = 0;
  opener.lastIndex = indent;
  while (opener.test(line)) count += 1;
  return count;
}

function inWords(count: number): string {
  return count.toLocaleString("en");
}
