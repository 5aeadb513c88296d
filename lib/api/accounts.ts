/** The schemas of accounts in the JSON API. */
import { z } from "zod";
import type { ListedChange } from "../account-changes/index.ts";
import { challengeSchema } from "../challenge/schema.ts";
import { invitationToken } from "../users/schema.ts";
import { cursorMessage, rowNumber } from "./queries.ts";

export const accountAnswer = z.object({ username: z.string() });

export const challengeQuerySchema = z.object({
  for: z
    .enum(["registration", "subscription"], "For must be registration or subscription.")
    .default("registration")
    .describe("The form that the solved challenge is sent with."),
});

export const issuedChallengeAnswer = z.object({
  challenge: challengeSchema.nullable().describe("Null where none is needed."),
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
    .describe("Accounts of administrators, which stay unchanged: give them another role first."),
});

export const acceptanceSchema = z.object({
  invitation: invitationToken.describe("The token of an invitation to write, from its link."),
});

export const writingRequestAnswer = z.object({
  requestedAt: z.iso
    .datetime()
    .nullable()
    .describe(
      "Null where none is needed or possible: the account may write, waits for approval, or needs an invitation.",
    ),
});

/** The query parameters of the list of changes. */
export const changeListSchema = z.object({
  cursor: rowNumber(cursorMessage),
});

const listedChangeAnswer = z.object({
  kind: z.string().describe("Such as disable, enable, make-moderator, approve or make-invitation."),
  at: z.string().meta({ format: "date-time" }),
  actor: z
    .string()
    .nullable()
    .describe("administrator, operator, owner, server or upgrade; null for changes of earlier versions."),
  by: z.string().nullable().describe("The administrator; null for other actors and deleted accounts."),
  why: z.string().nullable().describe("The reason, or the note of an invitation."),
  accounts: z.int().min(0).describe("How many accounts changed."),
  usernames: z.array(z.string()).describe("Some of them."),
  ratings: z.int().min(0).describe("How many ratings they had, where ratings leave or return."),
  ratingsMoved: z.int().min(0).describe("How many of these have left the scores, or returned."),
  isDone: z.boolean().describe("Whether all of them have."),
});

export const changeListAnswer = z.object({
  items: z.array(listedChangeAnswer).describe("The newest first."),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
  replays: z
    .object({
      posts: z.int().min(0).describe("How many posts wait for their score to be recalculated."),
      ratings: z.int().min(0).describe("How many ratings they have."),
      replayed: z.int().min(0).describe("How many of these are done."),
    })
    .describe("The scores that are being recalculated, because ratings left or returned."),
});

/** A change as an item of the list. */
export function shownChange({
  id: _id,
  post: _post,
  removedNames: _removed,
  accountsLeft: _left,
  waiting,
  ...change
}: ListedChange) {
  return { ...change, at: new Date(change.at).toISOString(), isDone: waiting === 0 };
}

export const newAccountAnswer = accountAnswer.extend({
  awaitsApproval: z
    .literal(true)
    .optional()
    .describe("The account can neither rate nor write until an administrator has approved it."),
  mustConfirmEmail: z
    .literal(true)
    .optional()
    .describe("The account cannot rate until the link in the email to its address is opened."),
});

export const registrationSentAnswer = z.object({
  confirmationSent: z
    .literal(true)
    .describe(
      "An email is on its way to the address. The link in it makes the account; an address that has one gets an email about that instead.",
    ),
});
