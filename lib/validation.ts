/** Input validation: one schema for form and API, with error messages by field. */
import { z } from "zod";

/** Error messages by field name. */
export type FieldErrors = Record<string, string[]>;

export type Validated<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors };

/** Checks `input` against `schema`; errors of no field are under `form`. */
export function validate<T>(schema: z.ZodType<T>, input: unknown): Validated<T> {
  const result = schema.safeParse(input);
  if (result.success) return { ok: true, value: result.data };
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? "form");
    errors[field] = [...(errors[field] ?? []), issue.message];
  }
  return { ok: false, errors };
}

// C0 and C1 controls and the two separators that break a line; line feed and tab are allowed where a text may have
// several lines.
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const controlInLines = /(?![\n\t])\p{Cc}/u;

/**
 * One line of text, trimmed, without control or half characters.
 * At most `maximum` UTF-16 units, at least `minimum` of them visible.
 */
export function line(name: string, minimum: number, maximum: number) {
  return text(name, minimum, maximum)
    .transform((value) => value.trim())
    .refine((value) => !control.test(value), `${name} must be one line without control characters.`)
    .describe(`One line of text, ${lengths(minimum, maximum)} without space around it.`);
}

/**
 * Lines of text, their ends made "\n".
 * Otherwise as `line`, but not trimmed at the start.
 */
export function lines(name: string, minimum: number, maximum: number) {
  return text(name, minimum, maximum, (value) => value.replace(/\r\n?/g, "\n"))
    .transform((value) => value.trimEnd())
    .refine((value) => !controlInLines.test(value), `${name} must not have control characters.`)
    .describe(`Text of several lines, ${lengths(minimum, maximum)} without space around it.`);
}

function text(
  name: string,
  minimum: number,
  maximum: number,
  made: (value: string) => string = (value) => value,
) {
  return z
    .string({
      error: (issue) => (issue.input === undefined ? `${name} is missing.` : `${name} must be text.`),
    })
    .overwrite(made)
    .refine((value) => value.trim().length <= maximum, {
      error: `${name} must have at most ${maximum.toLocaleString("en")} characters.`,
      abort: true,
    })
    .refine((value) => visible(value).length >= minimum, {
      error:
        minimum === 1 ? `${name} must not be empty.` : `${name} must have at least ${minimum} characters.`,
      abort: true,
    })
    .refine((value) => value.isWellFormed(), {
      error: `${name} has a broken character (half of a surrogate pair).`,
      abort: true,
    });
}

/**
 * A text without invisible characters.
 * A title of joiners alone would be an invisible link.
 */
function visible(value: string): string {
  return value.replace(/\p{Default_Ignorable_Code_Point}/gu, "").trim();
}

/**
 * The length limits in words, for the API's description.
 * JSON Schema counts characters differently.
 */
function lengths(minimum: number, maximum: number): string {
  return `${minimum.toLocaleString("en")} to ${maximum.toLocaleString("en")} characters (UTF-16 units)`;
}
