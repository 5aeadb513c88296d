import { z } from "zod";
import { translator } from "../i18n/index.ts";
import { scores } from "./score/score.ts";

export const ratingSchema = z.object(
  { score: z.literal(scores, { error: () => translator("validation")("score") }) },
  "A rating is an object with a score.",
);

/**
 * Converts a form field to a number.
 * Other values stay as they are, for the schema to refuse.
 */
export function scoreFromForm(value: FormDataEntryValue | null): unknown {
  if (value === null) return undefined;
  return typeof value === "string" && /^[0-5]$/.test(value) ? Number(value) : value;
}
