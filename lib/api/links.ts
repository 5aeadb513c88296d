/** Schemas of the links in emails in the JSON API. */
import { z } from "zod";
import { confirmationKinds } from "../users/confirm-by-link.ts";
import { passwordResetSchema } from "../users/schema.ts";
import { newAccountAnswer } from "./accounts.ts";

const tokenMessage = "Token must be the text after token= in the link of an email.";

/** The token of a link; those of subscriptions have the address in them. */
const token = z
  .string(tokenMessage)
  .min(1, tokenMessage)
  .max(1_100, tokenMessage)
  .describe("The text after `token=` in the link of the email.");

export const linkTokenSchema = z.object({ token });

/** A new password, with the token of a link in place of the old one. */
export const linkPasswordSchema = passwordResetSchema.extend({ token });

export const confirmedAnswer = z.object({
  confirmed: z
    .enum(confirmationKinds)
    .describe(
      "`address`: that of an account. `new-address`: the one that an account has from now on. `registration`: the account is made; log in to use it.",
    ),
  awaitsApproval: newAccountAnswer.shape.awaitsApproval,
});
