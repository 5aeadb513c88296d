/** The query parameters that lists of the JSON API share. */
import { z } from "zod";

const limitMaximum = 100;
const limitMessage = `Limit must be a whole number from 1 to ${limitMaximum}.`;
export const cursorMessage = "Cursor must be a list's nextCursor.";

export const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, limitMessage)
  .transform(Number)
  .refine((limit) => limit <= limitMaximum, limitMessage)
  .default(20)
  // A query parameter is text, but clients are better served by a number in the description.
  .meta({ type: "integer", pattern: undefined, minimum: 1, maximum: limitMaximum, default: 20 });

/** One page of a list. */
export const pageSchema = z.object({ cursor: z.string().optional(), limit });

/** A page by its number. */
export const pageNumber = z.coerce
  .number("Page must be a whole number from 1 on.")
  .int()
  .min(1)
  .max(1_000_000)
  .default(1)
  .meta({ type: "integer" });

/** A row's number, as the place of the next page. */
export const rowNumber = (message: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .optional()
    .meta({ type: "string" });

/** A name or a part of one. */
export const name = (field: string) =>
  z
    .string()
    .max(254, `${field} must have at most 254 characters.`)
    // PostgreSQL takes none.
    .refine((text) => !text.includes("\0"), `${field} must have no null character.`)
    .optional();
