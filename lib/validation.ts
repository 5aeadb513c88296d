/** Input validation: one schema for form and API, with error messages by field. */
import { z } from "zod";
import { translator } from "./i18n/index.ts";
import type { validation as messages } from "./i18n/messages/en/validation.ts";
import { currentLocale } from "./request/current-request.ts";
import { withLineFeeds } from "./text/line-feeds.ts";
import { control, visible } from "./text/visible-text.ts";

/** The fields of forms and of the API that have a name of their own in messages. */
export type FieldName = keyof typeof messages.field;

/** Error messages by field name. */
export type FieldErrors = Record<string, string[]>;

/** Bad input, as an outcome. */
export type Invalid = { kind: "invalid"; errors: FieldErrors };

export type Validated<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors };

/** Checks `input` against `schema`; errors of no field are under `form`. */
export function validate<T>(schema: z.ZodType<T>, input: unknown): Validated<T> {
  const result = schema.safeParse(input, inReadersLanguage());
  if (result.success) return { ok: true, value: result.data };
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? "form");
    errors[field] = [...(errors[field] ?? []), issue.message];
  }
  return { ok: false, errors };
}

/** Zod's own messages in the reader's language, where a schema has none. */
export function inReadersLanguage(): { error?: z.core.$ZodErrorMap } {
  return currentLocale() === "fa" ? { error: persian } : {};
}

const persian = z.locales.fa().localeError;

// Line feed and tab are allowed where a text may have several lines.
const controlInLines = /(?![\n\t])\p{Cc}/u;

/**
 * One line of text, trimmed, without control or half characters.
 * At most `maximum` UTF-16 units, at least `minimum` of them visible.
 */
export function line(field: FieldName, minimum: number, maximum: number) {
  return text(field, minimum, maximum)
    .transform((value) => value.trim())
    .refine((value) => !control.test(value), { error: () => fault(field, "severalLines") })
    .describe(`One line of text, ${lengths(minimum, maximum)} without space around it.`);
}

/**
 * Lines of text, their ends made "\n".
 * Otherwise as `line`, but not trimmed at the start.
 */
export function lines(field: FieldName, minimum: number, maximum: number) {
  return text(field, minimum, maximum, withLineFeeds)
    .transform((value) => value.trimEnd())
    .refine((value) => !controlInLines.test(value), { error: () => fault(field, "controlCharacter") })
    .describe(`Text of several lines, ${lengths(minimum, maximum)} without space around it.`);
}

function text(
  field: FieldName,
  minimum: number,
  maximum: number,
  made: (value: string) => string = (value) => value,
) {
  return z
    .string({ error: ({ input }) => noTextFault(field, input) })
    .overwrite(made)
    .refine((value) => value.trim().length <= maximum, {
      error: () => tooLongFault(field, maximum),
      abort: true,
    })
    .refine((value) => visible(value).length >= minimum, {
      error: () => tooShortFault(field, minimum),
      abort: true,
    })
    .refine((value) => value.isWellFormed(), {
      error: () => fault(field, "brokenCharacter"),
      abort: true,
    });
}

/** The JSON in a text; undefined when it is no JSON. */
export function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message for a field that was left out, or is not a text. */
export function noTextFault(field: FieldName, input: unknown): string {
  return input === undefined ? emptyFault(field) : fault(field, "notText");
}

export function tooShortFault(field: FieldName, minimum: number): string {
  if (minimum === 1) return emptyFault(field);
  const t = translator("validation");
  return t("tooShort", { field: t(`field.${field}`), minimum });
}

export function tooLongFault(field: FieldName, maximum: number): string {
  const t = translator("validation");
  return t("tooLong", { field: t(`field.${field}`), maximum });
}

/**
 * A message that names the field.
 * Call it while a request is handled, whose language it has.
 */
export function fault(
  field: FieldName,
  kind: "notText" | "brokenCharacter" | "severalLines" | "controlCharacter",
): string {
  const t = translator("validation");
  return t(kind, { field: t(`field.${field}`) });
}

function emptyFault(field: FieldName): string {
  return translator("validation")(`empty.${field}`);
}

/**
 * The length limits in words, for the API's description.
 * JSON Schema counts characters differently.
 */
function lengths(minimum: number, maximum: number): string {
  return `${minimum.toLocaleString("en")} to ${maximum.toLocaleString("en")} characters (UTF-16 units)`;
}

/** The reason of a decision, which is shown with it. */
export const reason = lines("reason", 1, 500);
