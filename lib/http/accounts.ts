/** The schemas of accounts in the JSON API. */
import { z } from "zod";
import { challengeSchema } from "../challenge/schema.ts";

export const accountAnswer = z.object({ username: z.string() });

export const issuedChallengeAnswer = z.object({
  challenge: challengeSchema.nullable().describe("Null where registering takes no challenge."),
});

export const accountChangeAnswer = accountAnswer.extend({
  ratings: z.int().min(0).describe("How many of their ratings leave the scores, or return to them, soon."),
});

export const newAccountAnswer = accountAnswer.extend({
  awaitsApproval: z
    .literal(true)
    .optional()
    .describe("The account can neither rate nor write until an administrator has approved it."),
});
