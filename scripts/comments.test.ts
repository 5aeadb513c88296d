/** Checks comments, documents and titles of tests. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** The longest first line of a doc comment, in characters. */
const firstLineMaximum = 80;

const filesOf = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...patterns], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

const sources = filesOf("*.ts", "*.tsx", "*.mjs");

test("the first line of every doc comment is a phrase of at most 80 characters", () => {
  const tooLong = sources.flatMap((file) =>
    [...textOf(file).matchAll(/^[ \t{]*\/\*\*(?:\s*\* |\s)\s*(.+)$/gm)]
      .map(([, line = ""]) => line.replace(/\s*\*\/\}?$/, ""))
      .filter((line) => !line.startsWith("@") && line.length > firstLineMaximum)
      .map((line) => `${file}: ${line}`),
  );
  expect(tooLong).toEqual([]);
});

/** Words for which the field has better ones: who does what, by a noun. */
const refusedWords =
  /\b(told|asks|asked|nobody|whoever|somebody|everybody|upon|lately|for want of|unless told)\b/i;

/** Lines that need such a word, each as it stands in its file. */
const exceptions = new Set([
  "CHANGELOG.md: | `what this service counts could not be told` | `what this service counts could not be published` |",
  "scripts/cluster/start-postgres.ts: * refuse to run as root, root starts them as `nobody`.",
]);

/** Comments of all kinds, and the titles of tests, with addresses left out. */
const commentOrTitle =
  /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*|\b(?:test|it|describe)(?:\.\w+)*(?:\([^\n]*?\))?\(\s*(?:"[^"\n]*"|`[^`]*`)/g;

test("comments, documents and titles of tests use none of the words that have standard ones", () => {
  const texts = [
    ...sources.map((file) => ({ file, text: (textOf(file).match(commentOrTitle) ?? []).join("\n") })),
    // The demo's posts are a writer's own words.
    ...filesOf("*.md", ":!scripts/demo/posts").map((file) => ({ file, text: textOf(file) })),
  ];
  const refused = texts.flatMap(({ file, text }) =>
    text
      .split("\n")
      .filter((line) => refusedWords.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(refused.filter((line) => !exceptions.has(line))).toEqual([]);
  expect([...exceptions].filter((line) => !refused.includes(line))).toEqual([]);
});

test("a comment begins with a noun, not with a clause that lacks one", () => {
  const withoutNoun = sources.flatMap((file) =>
    (
      textOf(file).match(
        /(?:\/\*\*\s*(?:\* )?|(?<![:"'`\w])\/\/ )(?:What|Who|Whose|Whom|Those (?:who|that)) .*/g,
      ) ?? []
    ).map((comment) => `${file}: ${comment}`),
  );
  expect(withoutNoun).toEqual([]);
});
