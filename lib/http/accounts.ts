/** The schemas of accounts in the JSON API. */
import { z } from "zod";
import { challengeSchema } from "../challenge/schema.ts";

export const accountAnswer = z.object({ username: z.string() });

export const issuedChallengeAnswer = z.object({
  challenge: challengeSchema.nullable().describe("Null where registering takes no challenge."),
});

export const accountChangeAnswer = accountAnswer.extend({
  ratings: z.int().min(0).describe("How many of their ratings will leave the scores, or return to them."),
});

export const accountsChangeAnswer = z.object({
  dryRun: z.boolean(),
  usernames: z.array(z.string()).describe("The accounts that change, without those already in that state."),
  ratings: z.int().min(0).describe("How many of their ratings will leave the scores, or return to them."),
  posts: z.int().min(0).describe("The number of posts with these ratings."),
  refused: z
    .array(z.string())
    .describe("Unchanged accounts: your own, or that of the last administrator who can log in."),
});

export const newAccountAnswer = accountAnswer.extend({
  awaitsApproval: z
    .literal(true)
    .optional()
    .describe("The account can neither rate nor write until an administrator has approved it."),
});
