/** A user's own rating as the API shows it. */
import { z } from "zod";

export const ratingAnswer = z.object({ score: z.int().min(0).max(5) });

export const savedRatingAnswer = ratingAnswer.extend({
  held: z
    .literal(true)
    .optional()
    .describe("There when the rating was saved in a flood window that does not count."),
});
