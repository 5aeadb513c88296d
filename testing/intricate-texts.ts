/** Texts on which Markdown parsers are slow, of about `length` characters each. */

const filled = (length: number) => (part: string) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** A text that takes minutes of CPU time. */
export function intricateText(length = 50_000): string {
  return filled(length)("a\n=\n");
}

/**
 * Intricate texts by their content.
 * They include the cases of cmark's and micromark's own tests.
 */
export function intricateTexts(length = 50_000): [name: string, text: string][] {
  const fill = filled(length);
  const half = filled(Math.floor(length / 2));
  const lines = (line: (index: number) => string, count: number) =>
    Array.from({ length: count }, (_, index) => line(index)).join("");
  const columns = Math.floor(length / 8);
  return [
    ["headings underlined one after the other", intricateText(length)],
    ["a line of a no-break space between long lines", `${half("~a")}\n\u00A0\n${half("~a")}`],
    ["strong emphasis in emphasis", `${half("*a **a ")}b${half(" a** a*")}`],
    ["emphasis that never opens", fill("a_ ")],
    ["emphasis that never closes", fill("_a ")],
    ["emphasis that opens and closes by different characters", fill("*a_ ")],
    ["emphasis of three characters", `a**b${fill("c* ")}`],
    ["emphasis inside emphasis of another kind", `${half("*a ")}${half("_a*_ ")}`],
    ["long runs of stars", `${half("*")}a${half("*")}`],
    ["strikethrough that opens and closes", fill("~a~")],
    ["strikethrough of two characters", fill("~~a~ ")],
    ["links that never close", fill("[a")],
    ["links that never open", fill("a]")],
    ["links that never close, with emphasis", fill("[ a_")],
    ["brackets in brackets", `${half("[")}a${half("]")}`],
    ["brackets and parentheses", fill("[ (](")],
    ["images of images", fill("![[]()")],
    ["pictures that never close", fill("![")],
    ["links without an end of the address", fill("[a](<b")],
    ["links without an end", fill("[a](b")],
    ["links in links", fill("[a](")],
    ["links and emphasis that cross", fill("**x [a*b**c*](d)")],
    [
      "code of ever longer fences",
      lines((index) => `e${"`".repeat(index)}`, Math.floor(Math.sqrt(2 * length))),
    ],
    ["comments that never close", fill("</<!--")],
    ["declarations that never close", fill("<!A ")],
    ["instructions that never close", fill("<?")],
    ["character data that never closes", fill("<![CDATA[")],
    ["tags of many attributes", fill("<a b='c' ")],
    ["character references", fill("&#1;&a;&")],
    ["backslashes", fill("\\")],
    ["hard breaks by spaces", fill("a  \n")],
    ["hard breaks by backslashes", fill("a\\\n")],
    ["addresses of sites", fill("www.")],
    ["addresses with schemes", fill("http://a.b?c&amp;(")],
    ["addresses of mail", fill("a@")],
    ["addresses of mail with dots", fill("a.b-c_d@a.")],
    ["quotations in quotations", fill(">")],
    ["emphasis in quotations in quotations", `${half(">")}${half("a*")}`],
    ["lists in lists", `${fill("- ")}x`],
    ["empty lines in lists in lists", `${half("- ")}x${half("\n")}`],
    ["lists in quotations in lists", fill("* > ")],
    ["lists by indentation", lines((index) => `${"  ".repeat(index)}* a\n`, Math.floor(Math.sqrt(length)))],
    ["very many items", fill("- a\n")],
    ["very many numbers", fill("1. a\n\n")],
    ["quoted lines that go on", `${"> ".repeat(100)}${fill("x\n")}`],
    ["definitions", lines((index) => `[${index}]: u\n[${index}]\n`, Math.floor(length / 16))],
    ["one definition that is used all the time", `[a]: u\n\n${fill("[a] ")}`],
    ["footnotes", lines((index) => `[^${index}]: x\n\n[^${index}]\n`, Math.floor(length / 20))],
    ["one footnote that is called all the time", `[^a]: x\n\n${fill("[^a] ")}`],
    ["a wide table of short rows", `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${half("|\n")}`],
    ["a table of one column", `|a|\n|-|\n${fill("|\n")}`],
    ["rules of tables", fill("|-|\n")],
    ["tasks", fill("- [ ] a\n")],
  ];
}

/** The parts of generated texts. */
export const fragments = [
  ..."*_~`[]()<>!#=-+|\\&@:^. \n\tا\u00A0\u200D",
  ..."ab1",
  "**",
  "~~",
  "```\n",
  "\n\n",
  "  \n",
  "> ",
  "- ",
  "- [x] ",
  "1. ",
  "# ",
  "\n=\n",
  "\n---\n",
  "![",
  "](",
  "](<",
  "](javascript:alert(1))",
  "[^a]",
  "[^a]: ",
  "[a]: u\n",
  "|a|b|\n|-|-|\n",
  "<!--",
  "<script>",
  '<img src=x onerror="a">',
  "http://a.b/",
  "www.a.b",
  "a@b.c",
  "data:text/html,a",
  "&lt;",
  "&#0;",
  "\u{1F30A}",
];
