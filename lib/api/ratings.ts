/** Schemas of a user's own rating in the JSON API. */
import { z } from "zod";

export const ratingAnswer = z.object({ score: z.int().min(0).max(5) });

export const savedRatingAnswer = ratingAnswer.extend({
  held: z
    .literal(true)
    .optional()
    .describe("There when the rating was saved in a flood window that does not count."),
  countsFrom: z.iso
    .datetime()
    .optional()
    .describe("There when the account is new: from then on the rating counts."),
});
