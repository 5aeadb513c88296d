/** The schemas of administration in the JSON API. */
import { z } from "zod";
import { isInEnvironment, siteSettings, textOf } from "../site/index.ts";
import { mailServerName, siteSettingNames } from "../site/schema.ts";
import { invitationRoles, type ListedInvitation } from "../users/invitations.ts";
import { personRoles } from "../users/people.ts";
import { deliveryState, deliveryStates, type ListedDelivery } from "../webhooks/deliveries.ts";
import { chosenEvents, type ListedWebhook } from "../webhooks/manage.ts";
import { cursorMessage, limit, pageNumber, rowNumber } from "./queries.ts";

const settingAnswer = z.object({
  value: z.string().describe("As the environment variable of the same name; empty for none."),
  isInEnvironment: z
    .boolean()
    .describe("Whether the server's environment sets it: then it cannot be changed here."),
});

const named = <T extends z.ZodType>(schema: T) =>
  Object.fromEntries(siteSettingNames.map((name) => [name, schema]));

export const settingsAnswer = z.object(named(settingAnswer));

/** New values; an empty one restores the default. */
export const settingsChangeSchema = z
  .strictObject({
    ...named(z.string().optional().describe("As the environment variable; empty restores the default.")),
    [mailServerName]: z
      .string()
      .optional()
      .describe(
        "The address of the mail server, such as smtps://user:password@mail.example.org; empty removes the saved one. It is saved encrypted and never returned. Like MAIL_FROM, it can be changed only in a session, with currentPassword.",
      ),
    currentPassword: z
      .string()
      .optional()
      .describe("Your password, with MAIL_URL and MAIL_FROM: emails have links that set passwords."),
  })
  .describe("The settings to change.");

/** The settings as they count now. */
export function shownSettings() {
  const settings = siteSettings();
  return Object.fromEntries(
    siteSettingNames.map((name) => [
      name,
      { value: textOf(name, settings), isInEnvironment: isInEnvironment(name) },
    ]),
  );
}

const invitationAnswer = z.object({
  id: z.int(),
  note: z.string(),
  role: z.enum(invitationRoles),
  status: z
    .enum(["open", "used", "expired", "ended"])
    .describe("`ended`: its maker is no longer an administrator."),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

export const invitationListSchema = z.object({ page: pageNumber });

export const invitationListAnswer = z.object({
  items: z.array(invitationAnswer).describe("The newest first."),
  page: z.int().min(1),
  pages: z.int().min(1).describe("How many pages there are."),
});

export const newInvitationAnswer = z.object({
  id: z.int(),
  token: z.string().describe("Not shown again. The link to send is /register?invitation= and this."),
});

/** An invitation as an item of the list. */
export function shownInvitation({ id, note, makesWriter, status, createdAt, expiresAt }: ListedInvitation) {
  return {
    id,
    note,
    role: makesWriter ? ("writer" as const) : ("reader" as const),
    status,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

export const writingRequestsAnswer = z.object({
  items: z
    .array(z.object({ username: z.string(), requestedAt: z.iso.datetime().nullable() }))
    .describe("The longest waiting first."),
  count: z.int().min(0).describe("How many there are; the list has the first of them."),
});

export const writingAnswerSchema = z.object({ accept: z.boolean() });
export const answeredRequestAnswer = z.object({ username: z.string(), accepted: z.boolean() });

export const roleAnswer = z.object({ username: z.string(), role: z.enum(personRoles) });

const webhookAnswer = z.object({
  id: z.int(),
  url: z.string(),
  events: z.array(z.enum(chosenEvents)),
  isOn: z.boolean(),
  failingSince: z.iso.datetime().nullable().describe("The first failure since the last success."),
  lastResult: z.string().nullable().describe("Of the last attempt, such as HTTP 204."),
});

export const webhookListAnswer = z.object({ items: z.array(webhookAnswer).describe("The oldest first.") });

export const newWebhookAnswer = z.object({
  id: z.int(),
  secret: z.string().describe("Not shown again: it signs the messages, as Standard Webhooks describes."),
});

export const webhookChangeAnswer = z.object({ id: z.int() });

/** A webhook as an item of the list. */
export function shownWebhook({ id, url, events, disabledAt, failingSince, lastResult }: ListedWebhook) {
  return {
    id,
    url,
    events,
    isOn: disabledAt === null,
    failingSince: failingSince === null ? null : new Date(failingSince).toISOString(),
    lastResult,
  };
}

export const deliveryListSchema = z.object({ cursor: rowNumber(cursorMessage), limit });

const deliveryAnswer = z.object({
  messageId: z.string().describe("The header webhook-id, the same in each attempt."),
  event: z.string(),
  createdAt: z.iso.datetime(),
  state: z.enum(deliveryStates),
  attempts: z.int().min(0),
  nextAttemptAt: z.iso.datetime().nullable().describe("Null for one that is delivered or given up."),
  finishedAt: z.iso.datetime().nullable().describe("When it was delivered or given up."),
  fault: z.string().nullable().describe("The fault of the last attempt; null for none."),
});

export const deliveryListAnswer = z.object({
  items: z.array(deliveryAnswer).describe("The newest first. Finished ones are kept for a week."),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
});

/** A delivery as an item of the list. */
export function shownDelivery({
  messageId,
  event,
  createdAt,
  attempts,
  dueAt,
  finishedAt,
  fault,
}: ListedDelivery): z.infer<typeof deliveryAnswer> {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    ...{ messageId, event, attempts, fault },
    createdAt: new Date(createdAt).toISOString(),
    state: deliveryState({ finishedAt, fault }),
    nextAttemptAt: time(dueAt),
    finishedAt: time(finishedAt),
  };
}
