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

export const accountsChangeAnswer = z.object({
  dryRun: z.boolean(),
  usernames: z.array(z.string()).describe("The accounts that change; not those that are so already."),
  ratings: z.int().min(0).describe("How many of their ratings leave the scores, or return to them, soon."),
  posts: z.int().min(0).describe("How many posts these ratings are of."),
  refused: z
    .array(z.string())
    .describe("Accounts that stay as they are: your own, or the last administrator's who can log in."),
});

export const newAccountAnswer = accountAnswer.extend({
  awaitsApproval: z
    .literal(true)
    .optional()
    .describe("The account can neither rate nor write until an administrator has approved it."),
});
