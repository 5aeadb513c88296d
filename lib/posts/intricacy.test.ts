import { expect, test } from "vitest";
import { intricacyFault } from "./intricacy.ts";
import { contentMaximum, postSchema } from "./schema.ts";

const filled = (part: string) =>
  part.repeat(Math.ceil(contentMaximum / part.length)).slice(0, contentMaximum);

test.each([
  ["quotations inside one another", `${">".repeat(5_000)}x`],
  ["lists inside one another", `${"- ".repeat(2_000)}x`],
  [
    "lists inside one another by indentation",
    Array.from({ length: 220 }, (_, i) => `${"  ".repeat(i)}- x`).join("\n"),
  ],
  ["lines that go on in a deep quotation", `${"> ".repeat(12)}${filled("x\n")}`],
  ["very many items", filled("- a\n")],
  ["emphasis that opens and closes all the time", "~a~".repeat(13_000)],
  ["stars on both sides of a letter", `${"*".repeat(10_000)}a${"*".repeat(10_000)}`],
  ["brackets that never close", filled("[")],
  [
    "a short table that is filled up to millions of cells",
    `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}\n${"|\n".repeat(5_000)}`,
  ],
  ["hundreds of footnotes", Array.from({ length: 101 }, (_, i) => `[^${i}]: x\n\n`).join("")],
])("%s are refused, with a sentence beside the content", (_, content) => {
  const result = postSchema.safeParse({ title: "A title", content: content.slice(0, contentMaximum) });
  expect(result.error?.issues.map(({ path, message }) => [path, message.slice(0, 12)])).toEqual([
    [["content"], "Content has "],
  ]);
});

test.each([
  ["long prose", filled("The water remembers nothing of what stood behind the wall. ")],
  ["many paragraphs", filled("A weir is a *low* wall, see [there](https://example.org).\n\n")],
  ["a rule of many dashes", `above\n\n${"-".repeat(80)}\n\nbelow`],
  ["a heading underlined", `Heading\n${"=".repeat(60)}\n\nText`],
  ["a list of two hundred long items", `- ${"an item that says a thing ".repeat(8)}\n`.repeat(200)],
  ["a table of a hundred rows", `| a | b | c |\n| - | - | - |\n${"| 1 | 2 | 3 |\n".repeat(100)}`],
  ["code with deep indentation", `\`\`\`\n${`${" ".repeat(24)}if (a[i] < b && c) {\n`.repeat(150)}\`\`\``],
])("%s is accepted", (_, content) => expect(intricacyFault(content)).toBeUndefined());
