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
  const mentions = sources.map((source) => mentionsIn(source.text));
  const unused = Object.entries(catalogues.en).flatMap(([namespace, texts]) => {
    const patterns = mentions.flatMap((ofFile) => ofFile.get(namespace) ?? []);
    return messagesOf(texts)
      .map(([path]) => path)
      .filter((path) =>
        namespace === "client" ? !isClientText(path) : !patterns.some((pattern) => pattern.test(path)),
      )
      .filter((path) => !isPhrase(`${namespace}.${path}`))
      .map((path) => `${namespace}.${path}`);
  });
  expect(unused).toEqual([]);
});

/** Whether a script in the browser names a text. */
function isClientText(path: string): boolean {
  const named = new RegExp(`\\.${path}\\b`);
  return sources.some(({ text }) => /useTexts|ClientTexts/.test(text) && named.test(text));
}

/**
 * Whether an algorithm names a message.
 * `app/_components/local-phrase.ts` looks in these groups.
 */
function isPhrase(path: string): boolean {
  const [, key] = /^(?:limits\.summary|lab\.reason)\.([\w-]+)$/.exec(path) ?? [];
  const named = new RegExp(`\\bphrase\\(\\s*"${key}"`);
  return sources.some(({ file, text }) => file.startsWith("lib/limiter/algorithms/") && named.test(text));
}

/**
 * The messages that a source names, by namespace.
 * A call of a translator names those in its first argument, such as `t("title")` or `` t(`reason.${kind}`) ``. Where
 * that is a variable, any text of the file may be its value.
 */
function mentionsIn(source: string): Map<string, RegExp[]> {
  const found = new Map<string, RegExp[]>();
  const add = (namespace: string, patterns: RegExp[]) =>
    found.set(namespace, [...(found.get(namespace) ?? []), ...patterns]);
  const bindings = [...source.matchAll(binding)].map(({ index, groups }) => ({
    index,
    name: groups?.name ?? groups?.parameter,
    namespace: groups?.namespace ?? groups?.type ?? "",
  }));
  const names = [...new Set(bindings.map(({ name }) => name))].map((name) => `(?<![\\w.$])${name}`);
  const direct = `ranslator\\("(?<namespace>\\w+)"${otherArguments.source}\\)`;
  const calls = new RegExp(`(?:${[...names, direct].join("|")})(?:\\.(?:rich|markup|has))?\\(`, "g");
  for (const { 0: call, index, groups } of source.matchAll(calls)) {
    const [name] = /^[\w$]+/.exec(call) ?? [];
    const bound = bindings.findLast((each) => each.name === name && each.index < index);
    const namespace = groups?.namespace ?? bound?.namespace;
    if (namespace === undefined) continue;
    const patterns = textsIn(firstArgument(source, index + call.length));
    add(namespace, patterns.length > 0 ? patterns : textsIn(source));
  }
  for (const [, namespace = ""] of source.matchAll(/messageByKey\("(\w+)"/g)) add(namespace, textsIn(source));
  return found;
}

const otherArguments = /[^()]*(?:\([^()]*\)[^()]*)*/;

/** A translator's name with its namespace: of a variable, or of a parameter. */
const binding = new RegExp(
  `\\b(?:(?<name>\\w+) = translator\\("(?<namespace>\\w+)"${otherArguments.source}\\)(?!\\s*[(.])|(?<parameter>\\w+): Translator<"(?<type>\\w+)">)`,
  "g",
);

/** The source of a call's first argument, which begins at an index. */
function firstArgument(source: string, start: number): string {
  let depth = 0;
  for (let index = start; index < source.length; index += 1) {
    const character = source[index] ?? "";
    if ("([{".includes(character)) depth += 1;
    if (depth === 0 && ",)".includes(character)) return source.slice(start, index);
    if (")]}".includes(character)) depth -= 1;
  }
  return source.slice(start);
}

/** Patterns of a source's texts; a template's match any value and any end. */
function textsIn(source: string): RegExp[] {
  const value = /\$\{[^}]*\}/;
  const texts = [...source.matchAll(/"([\w.-]+)"/g)].map(([, text = ""]) => text.replaceAll(".", "\\."));
  const templates = [...source.matchAll(/`((?:[\w.-]|\$\{[^}]*\})+)`/g)]
    .map(([, template = ""]) => template.split(value))
    .filter((parts) => parts.some((part) => part !== ""))
    .map((parts) => {
      const path = parts.at(-1) === "" ? "(?:\\.[\\w-]+)*" : "";
      return parts.map((part) => part.replaceAll(".", "\\.")).join("[\\w-]+") + path;
    });
  return [...texts, ...templates].map((pattern) => new RegExp(`^${pattern}$`));
}

test("no attribute that people read has a text of its own", () => {
  // Texts between tags are found by the linter's rule `noJsxLiterals`.
  const found = sources
    .filter(({ file }) => /^app\/.*\.tsx$/.test(file))
    .flatMap(({ file, text }) => [...text.matchAll(attribute)].map(([literal]) => `${file}: ${literal}`));
  expect(found).toEqual([]);
});

/** An attribute with a text: a literal, in braces, a choice of two, or a template. */
const attribute = new RegExp(
  `\\b(?:aria-(?:label|description|roledescription)|alt|caption|description|heading|help|hint|label|legend|pending|placeholder|summary|title)=(?:${[
    /"[^"]*\p{L}[^"]*"/u,
    /\{(?:[^{}()"`]*[?:&|]\s*)?"[^"]*\p{L}[^"]*"/u,
    /\{(?:[^{}()"`]*[?:&|]\s*)?`(?:[^`$\p{L}]|\$\{[^}]*\})*\p{L}/u,
  ]
    .map(({ source }) => source)
    .join("|")})`,
  "gu",
);
