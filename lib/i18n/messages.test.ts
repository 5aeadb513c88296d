/** The messages: complete in each language, and all used. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { createTranslator } from "use-intl/core";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";
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
  const [, key] = /^(?:limits\.(?:summary|forReaders)|lab\.reason)\.([\w-]+)$/.exec(path) ?? [];
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

/** Files whose sentences reach no page, each with the reason. */
const withoutPages: readonly [path: RegExp, reason: string][] = [
  [/^(?:app|lib)\/api\//, "the JSON API is in English by contract"],
  [/^lib\/http\//, "answers to programs, which the limiter's service sends too"],
  [/^lib\/limiter\//, "a package of its own, whose reasons are phrases with a message each"],
  [/^lib\/settings\//, "faults of settings, which the operator reads in the terminal"],
  [/^lib\/observe\/|^app\/metrics\//, "metrics"],
  [/^server\/index\.ts$/, "the first lines in the terminal"],
  [
    /^lib\/import-uploads\/import-lock\.ts$/,
    "the failure of a command, which the operator reads in the terminal",
  ],
  [/^lib\/media\/claim-folder\.ts$/, "refusals of a start, which the operator reads in the terminal"],
  [/^lib\/sessions\/device\.ts$/, "saved, and translated by `deviceText`"],
];

test("no sentence that a page could show is outside the catalogues", () => {
  const found = sources
    .filter(({ file }) => !withoutPages.some(([path]) => path.test(file)))
    .flatMap(({ file, text }) => sentencesIn(file, text).map((sentence) => `${file}: ${sentence}`));
  expect(found).toEqual([]);
});

test("finds sentences in schemas, results and templates, and none for logs and errors", () => {
  const sentences = sentencesIn(
    "some.tsx",
    `const schema = z.object({ age: z.number("Age must be a number.").describe("In years.") }, "An object with age.");
    const result = { kind: "refused", why: ready ? "Too late for this" : \`Try again in \${count} days.\` };
    log.warn("The disk is nearly full"); throw new RangeError("Age must be positive"); call("come back later.");
    const view = <p title="Not seen yet" className="flex gap-2">{name}</p>;`,
  );
  expect(sentences).toEqual([
    "Age must be a number.",
    "Too late for this",
    "Try again in … days.",
    "come back later.",
    "Not seen yet",
  ]);
});

/** A text that begins like a sentence, or ends like one. */
const sentence = /^\P{L}*\p{Lu}.*\p{L}\s+\p{Ll}{2}|\p{L}\s+(?:\S+\s+)+\S*\p{L}{2}[.!?…]$/su;

/** Calls whose texts are for logs, errors and the API's description. */
const notShown = /(?:^log\.\w+|^throttledLog|\.describe|Error|^MalformedForm)$/;
/** Their second argument is for input that is not an object, which no form sends. */
const ofObjects = /^z\.(?:strictObject|object)$/;

/** The literals of a source that read like sentences; gaps of templates are "…". */
function sentencesIn(file: string, source: string): string[] {
  const found: string[] = [];
  const codeOf = ({ start, end }: Span) => source.slice(start, end).replaceAll(/\s+/g, "");
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    const text = textOf(value);
    if (text !== undefined && sentence.test(text)) found.push(text);
    const { callee, ...parts } = value;
    visit(callee);
    const call = isNode(callee) ? codeOf(callee) : "";
    if (notShown.test(call)) return;
    if (ofObjects.test(call) && Array.isArray(parts.arguments)) visit(parts.arguments[0]);
    else for (const part of Object.values(parts)) visit(part);
  };
  visit(parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return found;
}

interface Span {
  start: number;
  end: number;
}

function isNode(value: unknown): value is Span & { type: string; [key: string]: unknown } {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The text of a string or a template. */
function textOf({ type, value, quasis }: { type: string; [key: string]: unknown }): string | undefined {
  if (type === "Literal" && typeof value === "string") return value;
  if (type !== "TemplateLiteral" || !Array.isArray(quasis)) return undefined;
  return quasis.map((part: { value: { cooked: string } }) => part.value.cooked).join("…");
}
