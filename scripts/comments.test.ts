/** Checks comments, documents, titles of tests, and names. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const thisFile = "scripts/comments.test.ts";

/** The longest first line of a doc comment, in characters. */
const firstLineMaximum = 80;

const filesOf = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...patterns], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

const sources = filesOf("*.ts", "*.tsx", "*.mjs", "*.css");

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
  /\b(told|says|asks|asked|asking|nobody|whoever|somebody|everybody|upon|lately|for want of|unless told)\b/i;

/** Lines that need such a word, each as it stands in its file. */
const exceptions = new Set([
  "CHANGELOG.md: | `what this service counts could not be told` | `this service's counts could not be published` |",
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
    ...filesOf("deploy", ".env.example").map((file) => ({ file, text: textOf(file) })),
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

/** Clauses without a noun, as "what is held"; better: "the held ratings". */
const headlessClause =
  /\bwhat\b|(?:^|[*.:;(/"`]\s*|\b(?:as|by|decides?|for|from|gets?|in|keeps?|knows?|none|of|on|ones?|or|and|records?|sees?|says?|shows?|than|those|to|with) )who\b/i;

test("comments and titles of tests have no relative clause without its noun", () => {
  const headless = sources
    .filter((file) => file !== thisFile)
    .flatMap((file) =>
      (textOf(file).match(commentOrTitle) ?? [])
        .flatMap((text) => text.split("\n"))
        .map((line) => line.trim())
        .filter((line) => headlessClause.test(line))
        .map((line) => `${file}: ${line}`),
    );
  expect(headless).toEqual([]);
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

/** Names for which the field has better ones: request, answer, received. */
const refusedNames =
  /\b(?:ask|asks|asked|said|says|saying|heard|told|inLine|inTurn|plea|lessons?|looked|taught|[wW]hat[A-Z]\w*)\b/g;

/** Names of a protocol or an output, with their files. */
const nameExceptions = new Set([
  "scripts/doctor.ts: says",
  "scripts/doctor.test.ts: says",
  "service/http/request-handler.ts: ask",
]);

/** Comments, texts and regular expressions, which are not names. */
const noName =
  /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:]\s*)\/(?!\*)(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g;

test("no name is one of the words that have standard ones", () => {
  const names = sources
    .filter((file) => file !== thisFile)
    .flatMap((file) => {
      const found = textOf(file).replaceAll(noName, " ").match(refusedNames) ?? [];
      return [...new Set(found)].map((name) => `${file}: ${name}`);
    });
  expect(names.filter((name) => !nameExceptions.has(name))).toEqual([]);
});
