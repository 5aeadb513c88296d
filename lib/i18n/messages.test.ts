/** The messages: complete in each language, and all used. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { createTranslator } from "use-intl/core";
import { describe, expect, test } from "vitest";
import { conventions, type Locale, locales } from "./locale.ts";
import { en } from "./messages/en/index.ts";
import { fa } from "./messages/fa/index.ts";

type Texts = { readonly [key: string]: string | Texts };

const root = join(import.meta.dirname, "../..");

/** Each message of a namespace, by its path. */
function messagesOf(texts: Texts, path = ""): [path: string, message: string][] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const here = path === "" ? key : `${path}.${key}`;
    return typeof text === "string" ? [[here, text] as [string, string]] : messagesOf(text, here);
  });
}

const catalogues: Record<Locale, Record<string, Texts>> = { en, fa };
const textsOf = (locale: Locale, namespace: string): Texts => catalogues[locale][namespace] ?? {};

/** The arguments and tags of a message by name, each with its kind. */
function partsOf(elements: MessageFormatElement[]): Map<string, TYPE> {
  const parts = new Map<string, TYPE>();
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    parts.set(element.value, element.type);
    const inner =
      element.type === TYPE.plural || element.type === TYPE.select
        ? Object.values(element.options).flatMap(({ value }) => value)
        : element.type === TYPE.tag
          ? element.children
          : [];
    for (const [name, type] of partsOf(inner)) parts.set(name, type);
  }
  return parts;
}

const namesIn = (message: string) => [...partsOf(parse(message)).keys()].sort();

describe.each(Object.keys(en))("the namespace %s", (namespace) => {
  const english = new Map(messagesOf(textsOf("en", namespace)));

  test.each(locales)("has every message in %s, with the arguments of the English one", (locale) => {
    const translated = new Map(messagesOf(textsOf(locale, namespace)));
    expect([...translated.keys()]).toEqual([...english.keys()]);
    for (const [path, message] of translated)
      expect([path, namesIn(message)]).toEqual([path, namesIn(english.get(path) ?? "")]);
  });

  test.each(locales)("has only well-formed messages in %s", (locale) => {
    for (const [path, message] of messagesOf(textsOf(locale, namespace))) {
      const errors: string[] = [];
      const t = createTranslator({
        locale: conventions[locale],
        messages: { message } as Record<string, string>,
        timeZone: "UTC",
        onError: (error) => errors.push(error.message),
      });
      for (const count of [0, 1, 2, 5, 21]) t.rich("message", sampleArguments(message, count));
      expect([path, errors]).toEqual([path, []]);
    }
  });
});

/** A value for each argument and tag of a message. */
function sampleArguments(message: string, count: number) {
  const samples = [...partsOf(parse(message))].map(([name, type]) => {
    if (type === TYPE.tag) return [name, (chunks: unknown) => String(chunks)];
    if (type === TYPE.date || type === TYPE.time) return [name, new Date(0)];
    return [name, type === TYPE.number || type === TYPE.plural ? count : "text"];
  });
  return Object.fromEntries(samples);
}

const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "app", "lib", "server"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^lib\/i18n\/messages/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

test("every message is used", () => {
  const unused = Object.entries(catalogues.en).flatMap(([namespace, texts]) => {
    const users =
      namespace === "client"
        ? sources.filter(({ text }) => text.includes("useTexts") || text.includes("ClientTexts"))
        : sources.filter(
            ({ text }) =>
              text.includes(`ranslator("${namespace}"`) ||
              text.includes(`ranslator<"${namespace}"`) ||
              text.includes(`<"${namespace}">`) ||
              text.includes(`messageByKey("${namespace}"`),
          );
    return messagesOf(texts)
      .map(([path]) => path)
      .filter((path) => !users.some(({ text }) => mentions(text, path, namespace)))
      .filter((path) => !isPhrase(`${namespace}.${path}`))
      .map((path) => `${namespace}.${path}`);
  });
  expect(unused).toEqual([]);
});

/**
 * Whether an algorithm names a message.
 * `app/_components/local-phrase.ts` looks in these groups.
 */
function isPhrase(path: string): boolean {
  const [, key] = /^(?:limits\.summary|lab\.reason)\.([\w-]+)$/.exec(path) ?? [];
  const named = new RegExp(`\\bphrase\\(\\s*"${key}"`);
  return sources.some(({ file, text }) => file.startsWith("lib/limiter/algorithms/") && named.test(text));
}

/** Whether a source names a message, or a template such as `reason.${kind}`. */
function mentions(text: string, path: string, namespace: string): boolean {
  if (namespace === "client") return new RegExp(`\\.${path}\\b`).test(text);
  if (text.includes(`"${path}"`)) return true;
  return [...text.matchAll(/`([\w.]*)\$\{[^}]*\}([\w.]*)`/g)].some(
    ([, start = "", end = ""]) =>
      start + end !== "" &&
      path.length > (start + end).length &&
      path.startsWith(start) &&
      path.endsWith(end),
  );
}

test("no attribute that people read has a text of its own", () => {
  // Texts between tags are found by the linter's rule `noJsxLiterals`.
  const attribute =
    /\b(?:aria-label|alt|caption|description|heading|help|hint|label|legend|pending|placeholder|summary|title)="[^"]*\p{L}[^"]*"/gu;
  const found = sources
    .filter(({ file }) => /^app\/.*\.tsx$/.test(file))
    .flatMap(({ file, text }) => [...text.matchAll(attribute)].map(([literal]) => `${file}: ${literal}`));
  expect(found).toEqual([]);
});
