/** The schemas of accounts in the JSON API. */
import { z } from "zod";
import { challengeSchema } from "../challenge/schema.ts";

export const accountAnswer = z.object({ username: z.string() });

export const issuedChallengeAnswer = z.object({
  challenge: challengeSchema.nullable().describe("Null where registering takes no challenge."),
});
