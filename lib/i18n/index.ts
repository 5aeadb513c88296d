/**
 * Texts, dates and numbers in the reader's language.
 *
 * The server negotiates the language of each page (`locale.ts`) and keeps it beside the request, so a text needs no
 * argument for it. Everything else, such as the JSON API and commands, is English.
 */
import { type AbstractIntlMessages, createFormatter, createTranslator } from "use-intl/core";
import { currentLocale } from "../request/current-request.ts";
import { conventions, type Locale } from "./locale.ts";
import { en } from "./messages/en/index.ts";
import { fa } from "./messages/fa/index.ts";
import type { Translation } from "./messages/translation.ts";

type Messages = typeof en;
export type Namespace = keyof Messages;

/**
 * Returns a message of one namespace as text.
 * `rich` has elements in place of its tags.
 */
export type Translator<N extends Namespace> = ReturnType<typeof createTranslator<Messages[N], never>>;

type Formatter = ReturnType<typeof createFormatter>;

const catalogues: Record<Locale, Translation<Messages>> = { en, fa };

const timeZone = "UTC";
const translators = new Map<string, unknown>();
const formatters = new Map<Locale, Formatter>();

/**
 * The messages of a namespace.
 * Arguments are formatted by their ICU type; a plain `{count}` is not formatted, so numbers are `{count, number}`.
 */
export function translator<N extends Namespace>(namespace: N, locale = currentLocale()): Translator<N> {
  const key = `${locale} ${namespace}`;
  const made =
    translators.get(key) ??
    createTranslator({
      locale: conventions[locale],
      // Typed as the English messages, which define the arguments; a test compares the arguments of translations.
      messages: catalogues[locale][namespace] as Messages[N],
      timeZone,
      onError: (error) => {
        throw error;
      },
    });
  translators.set(key, made);
  return made as Translator<N>;
}

/**
 * A message by a key that is data, such as an algorithm's.
 * Undefined when the catalogue does not have it. The caller knows its arguments.
 */
export function messageByKey(
  namespace: Namespace,
  key: string,
  values: Record<string, string | number> = {},
): string | undefined {
  const locale = currentLocale();
  const message = messageAt(catalogues[locale][namespace], key);
  if (message === undefined) return undefined;
  const known = messagesByKey.get(`${locale} ${message}`) ?? newMessage(locale, message);
  // Parsed once: a page may have a thousand.
  messagesByKey.set(`${locale} ${message}`, known);
  return known("message", values);
}

const messagesByKey = new Map<string, ReturnType<typeof newMessage>>();

function newMessage(locale: Locale, message: string) {
  return createTranslator({
    locale: conventions[locale],
    messages: { message },
    timeZone,
    onError: (error) => {
      throw error;
    },
  });
}

function messageAt(messages: AbstractIntlMessages, key: string): string | undefined {
  let found: AbstractIntlMessages | string | undefined = messages;
  for (const part of key.split("."))
    found = typeof found === "object" && Object.hasOwn(found, part) ? found[part] : undefined;
  return typeof found === "string" ? found : undefined;
}

/**
 * Formats dates, numbers and lists.
 * Dates are in UTC, so that they are the same for all readers.
 */
export function formatter(locale = currentLocale()): Formatter {
  const made = formatters.get(locale) ?? createFormatter({ locale: conventions[locale], timeZone });
  formatters.set(locale, made);
  return made;
}

/** The texts of scripts in the browser, with the language they are in. */
export function clientTexts(locale = currentLocale()): { locale: Locale } & Translation<Messages["client"]> {
  return { locale, ...catalogues[locale].client };
}
