/** Schemas of emails in the JSON API: those of an account, subscribers, tests. */
import { z } from "zod";
import type { OutboxFigures, SubscriberRow } from "../../db/index.ts";
import type { ChosenMails } from "../mail/choices.ts";
import { canSendLinks, type MailSettings } from "../mail/settings.ts";
import type { TestMailState } from "../mail/test-mail.ts";
import { cursorMessage, name, rowNumber } from "./queries.ts";

/** Which emails the account gets, all of them. */
export const mailChoicesSchema = z.strictObject({
  floods: z.boolean().describe("When a flood of ratings reaches one of your posts."),
  decisions: z.boolean().describe("When it is decided whether a rating of yours counts."),
  undecided: z
    .boolean()
    .describe(
      "When a flood needs a decision; has no effect for users who are neither moderators nor administrators.",
    ),
  posts: z.boolean().describe("About new posts."),
});

export const mailChoicesAnswer = mailChoicesSchema.extend({
  email: z.string().optional().describe("The account's address; absent in answers to tokens."),
  confirmed: z.boolean().describe("Whether the address is confirmed, which choices need."),
});

export function shownChoices({ email, isConfirmed, chosen }: ChosenMails): z.infer<typeof mailChoicesAnswer> {
  return {
    email,
    confirmed: isConfirmed,
    floods: chosen.has("floods"),
    decisions: chosen.has("decisions"),
    undecided: chosen.has("undecided"),
    posts: chosen.has("posts"),
  };
}

export const accountEmailAnswer = z.object({
  email: z.string(),
  confirmed: z.boolean().describe("Whether the address is confirmed."),
  pending: z
    .string()
    .nullable()
    .describe("The address that the account gets when the link in the email to it is opened; null for none."),
});

export const subscriberExportAnswer = z
  .string()
  .describe("A table of comma-separated values (RFC 4180) with the columns email, language and since.");

export const confirmationAnswer = z.object({
  linkSent: z.boolean().describe("False when the address was confirmed before."),
});

export const subscriberListSchema = z.object({
  q: name("Q").describe("Only addresses that contain this."),
  cursor: rowNumber(cursorMessage),
});

const subscriberAnswer = z.object({
  id: z.int(),
  email: z.string(),
  language: z.string().describe("That of the emails."),
  since: z.iso.datetime(),
});

export const subscriberListAnswer = z.object({
  items: z.array(subscriberAnswer).describe("The oldest first."),
  count: z.int().min(0).describe("How many there are, on all pages."),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
});

export function shownSubscriber({ id, email, locale, createdAt }: SubscriberRow) {
  return { id, email, language: locale, since: new Date(createdAt).toISOString() };
}

export const testMailAnswer = z.object({
  state: z
    .enum(["none", "waiting", "sent", "given-up"])
    .describe("`none`: none was requested within the last days. `given-up`: it was tried several times."),
  at: z.iso
    .datetime()
    .nullable()
    .describe("When it was sent or given up; for one that waits, when it was requested."),
  fault: z.string().nullable().describe("The fault of the last try; null for none."),
});

export function shownTestMail(mail: TestMailState | undefined): z.infer<typeof testMailAnswer> {
  if (!mail) return { state: "none", at: null, fault: null };
  const fault = mail.kind === "sent" ? null : mail.fault;
  return { state: mail.kind, at: new Date(mail.at).toISOString(), fault };
}

export const outboxAnswer = z.object({
  from: z.string().nullable().describe("The sender's address; null while the site sends no emails."),
  sendsLinks: z.boolean().describe("Whether emails with links are sent, which takes SITE_URL."),
  waiting: z.int().min(0),
  failing: z.int().min(0).describe("How many of those that wait have failed at least once."),
  waitingSince: z.iso.datetime().nullable().describe("Of the one that waits for the longest time."),
  givenUp: z.int().min(0).describe("How many of those on record were given up."),
  fault: z.string().nullable().describe("The latest fault; null for none."),
});

/** The state of the outbox. */
export function shownOutbox(
  mail: MailSettings | null,
  { waiting, failing, waitingSince, givenUp, fault }: OutboxFigures,
): z.infer<typeof outboxAnswer> {
  return {
    from: mail?.from.address ?? null,
    sendsLinks: canSendLinks({ mail }),
    ...{ waiting, failing, givenUp, fault },
    waitingSince: waitingSince === null ? null : new Date(waitingSince).toISOString(),
  };
}
