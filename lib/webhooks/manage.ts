// Over 200 lines: administrators' actions on webhooks.

/** Webhooks as administrators manage them; each change is on record. */
import { z } from "zod";
import type { Database, WebhookRow } from "../../db/index.ts";
import { type AccountChangeKind, type WebhookEvent, webhookEvents } from "../../db/types.ts";
import { encrypt } from "../auth/encryption.ts";
import { translator } from "../i18n/index.ts";
import { dayMs } from "../time/units.ts";
import { asActingAdministrator } from "../users/permissions.ts";
import { administrator } from "../users/roles.ts";
import type { User } from "../users/types.ts";
import { type Invalid, validate } from "../validation.ts";
import { deliveryFaults } from "./delivery-faults.ts";
import { claimMs } from "./post-request.ts";
import { queueEvent } from "./queue.ts";
import { newWebhookSecret } from "./signature.ts";

interface WebhookContext {
  database: Database;
  webhookKey: () => Buffer;
  /** Whether addresses of private networks, and http, are allowed. */
  webhooksMayBePrivate: boolean;
}

/** The events to choose from; tests are sent on request. */
export const chosenEvents = webhookEvents.filter((event) => event !== "webhook.test");
export const webhooksMaximum = 20;
export const urlMaximum = 500;
/** Tests that wait at most: an administrator clicks a few times. */
const testsWaitingMaximum = 20;
/** How long the secret before the last change still signs. */
export const previousValidMs = dayMs;

/** A webhook as administrators see it: never its secret. */
export interface ListedWebhook
  extends Pick<
    WebhookRow,
    | "id"
    | "url"
    | "createdAt"
    | "disabledAt"
    | "disabledWhy"
    | "failingSince"
    | "lastAttemptAt"
    | "lastResult"
  > {
  events: WebhookEvent[];
}

type Forbidden = { kind: "forbidden" };
type NothingThere = { kind: "nothing-there" };
interface WebhookRequest {
  actor: User;
  now: number;
}

export const webhookSchema = (mayBePrivate: boolean) =>
  z.object({
    url: z
      .string({ error: () => translator("validation")("webhook.url") })
      .trim()
      .max(urlMaximum, { error: () => translator("validation")("webhook.url") })
      .refine((text) => isWebhookUrl(text, mayBePrivate), {
        error: () => translator("validation")("webhook.url"),
      }),
    events: z
      .array(z.enum(chosenEvents), { error: () => translator("validation")("webhook.events") })
      .min(1, { error: () => translator("validation")("webhook.events") })
      .max(20),
  });

/** The fields to change; the rest stays as it is. */
export const webhookChangeSchema = (mayBePrivate: boolean) =>
  webhookSchema(mayBePrivate)
    .partial()
    .extend({ isOn: z.boolean().optional() })
    .refine((change) => Object.values(change).some((value) => value !== undefined), {
      error: () => translator("validation")("webhook.noChange"),
    });

/** All webhooks, for administrators; none for others. */
export async function listWebhooks(
  { database }: Pick<WebhookContext, "database">,
  { isAdministrator }: User,
): Promise<ListedWebhook[]> {
  if (!isAdministrator) return [];
  return (await database.webhooks.all()).map(listedWebhook);
}

/** A webhook's row without its secrets. */
export function listedWebhook({
  encryptedSecret: _secret,
  previousSecret: _previous,
  previousUntil: _until,
  events,
  ...webhook
}: WebhookRow): ListedWebhook {
  return { ...webhook, events: chosenEvents.filter((event) => events.split(" ").includes(event)) };
}

/**
 * Adds a webhook; the result has the only copy of its secret.
 * `input` is unvalidated: `{ url, events }`.
 */
export async function addWebhook(
  context: WebhookContext,
  { actor, input, now }: WebhookRequest & { input: unknown },
): Promise<{ kind: "added"; id: number; secret: string } | Forbidden | Invalid> {
  const checked = validate(webhookSchema(context.webhooksMayBePrivate), input);
  return asActingAdministrator(context.database, actor, async () => {
    const { database } = context;
    if (!checked.ok) return { kind: "invalid", errors: checked.errors };
    if ((await database.webhooks.all()).length >= webhooksMaximum) {
      const error = translator("validation")("webhook.tooMany", { maximum: webhooksMaximum });
      return { kind: "invalid", errors: { form: [error] } };
    }
    const { url, events } = checked.value;
    const secret = newWebhookSecret();
    const id = await database.webhooks.insert({
      url,
      events: eventsText(events),
      encryptedSecret: encrypt(secret, context.webhookKey()),
      createdAt: now,
    });
    await record(context, actor, now, "add-webhook", { url });
    return { kind: "added", id, secret };
  });
}

/**
 * Changes a webhook, or turns it on or off; off drops its queued deliveries.
 * `input` is unvalidated: `{ url?, events?, isOn? }`.
 */
export async function changeWebhook(
  context: WebhookContext,
  { actor, id, input, now }: WebhookRequest & { id: number; input: unknown },
): Promise<{ kind: "done" } | NothingThere | Forbidden | Invalid> {
  const checked = validate(webhookChangeSchema(context.webhooksMayBePrivate), input);
  const { webhooks } = context.database;
  return asActingAdministrator(context.database, actor, async () => {
    if (!checked.ok) return { kind: "invalid", errors: checked.errors };
    const { url, events, isOn } = checked.value;
    const values = {
      ...(url !== undefined && { url }),
      ...(events && { events: eventsText(events) }),
      ...(isOn === true && { disabledAt: null, disabledWhy: null, failingSince: null }),
      ...(isOn === false && { disabledAt: now, disabledWhy: "administrator" as const }),
    };
    const webhook = (await webhooks.update(id, values)) && (await webhooks.byId(id));
    if (!webhook) return { kind: "nothing-there" };
    if (isOn === false) await webhooks.withdraw(id, { now, fault: deliveryFaults.turnedOff });
    if (url !== undefined || events) await record(context, actor, now, "change-webhook", webhook);
    if (isOn !== undefined)
      await record(context, actor, now, isOn ? "enable-webhook" : "disable-webhook", webhook);
    return { kind: "done" };
  });
}

/** Gives a webhook a new secret; the old one signs too for a day. */
export function renewWebhookSecret(
  context: WebhookContext,
  { actor, id, now }: WebhookRequest & { id: number },
): Promise<{ kind: "renewed"; secret: string } | NothingThere | Forbidden> {
  const { webhooks } = context.database;
  return asActingAdministrator(context.database, actor, async () => {
    const webhook = await webhooks.byId(id);
    if (!webhook) return { kind: "nothing-there" };
    const secret = newWebhookSecret();
    await webhooks.update(id, {
      encryptedSecret: encrypt(secret, context.webhookKey()),
      previousSecret: webhook.encryptedSecret,
      previousUntil: now + previousValidMs,
    });
    await record(context, actor, now, "renew-webhook", webhook);
    return { kind: "renewed", secret };
  });
}

/** Removes a webhook with its queued deliveries. */
export function removeWebhook(
  context: WebhookContext,
  { actor, id, now }: WebhookRequest & { id: number },
): Promise<{ kind: "done" } | NothingThere | Forbidden> {
  const { webhooks } = context.database;
  return asActingAdministrator(context.database, actor, async () => {
    const webhook = await webhooks.byId(id);
    if (!(webhook && (await webhooks.remove(id)))) return { kind: "nothing-there" };
    await record(context, actor, now, "remove-webhook", webhook);
    return { kind: "done" };
  });
}

/** How many webhooks the site has turned off; 0 unless for administrators. */
export async function countFailedWebhooks(
  context: Pick<WebhookContext, "database">,
  user: User,
): Promise<number> {
  const webhooks = await listWebhooks(context, user);
  return webhooks.filter(({ disabledWhy }) => disabledWhy === "failures" || disabledWhy === "gone").length;
}

/** Queues a test for a webhook that is on. */
export function testWebhook(
  context: WebhookContext,
  { actor, id, now }: WebhookRequest & { id: number },
): Promise<{ kind: "done" } | { kind: "webhook-off" } | { kind: "webhook-busy" } | NothingThere | Forbidden> {
  const { webhooks } = context.database;
  return asActingAdministrator(context.database, actor, async () => {
    const webhook = await webhooks.byId(id);
    if (!webhook) return { kind: "nothing-there" };
    if (webhook.disabledAt !== null) return { kind: "webhook-off" };
    if ((await webhooks.waiting(id)) >= testsWaitingMaximum) return { kind: "webhook-busy" };
    await queueEvent({ webhooks }, { ids: [id], event: "webhook.test", data: {}, now });
    return { kind: "done" };
  });
}

/**
 * Makes all waiting deliveries of a webhook due now.
 * Whatever their backoff; for one that is on.
 */
export function retryDeliveries(
  context: WebhookContext,
  { actor, id, now }: WebhookRequest & { id: number },
): Promise<{ kind: "done" } | { kind: "webhook-off" } | NothingThere | Forbidden> {
  const { webhooks } = context.database;
  return asActingAdministrator(context.database, actor, async () => {
    const webhook = await webhooks.byId(id);
    if (!webhook) return { kind: "nothing-there" };
    if (webhook.disabledAt !== null) return { kind: "webhook-off" };
    // A delivery that is due sooner may be in flight, also when it was claimed a little after the request's arrival.
    await webhooks.makeDue(id, { now, claimedUntil: now + 2 * claimMs });
    return { kind: "done" };
  });
}

/** Each event once, as the database has them. */
function eventsText(events: readonly WebhookEvent[]): string {
  return [...new Set(events)].join(" ");
}

/** Puts a change on record by the host alone: a webhook's path is often a secret. */
async function record(
  { database }: WebhookContext,
  actor: User,
  now: number,
  kind: Extract<AccountChangeKind, `${string}-webhook`>,
  { url }: Pick<WebhookRow, "url">,
): Promise<void> {
  const change = { kind, at: now, ...administrator(actor), why: new URL(url).host } as const;
  await database.accountChanges.record(change, []);
}

/**
 * Whether a text is an https address without credentials and fragment.
 * An http one counts where private addresses are allowed.
 */
function isWebhookUrl(text: string, mayBePrivate: boolean): boolean {
  const url = URL.parse(text);
  if (url?.username !== "" || url.password !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || (mayBePrivate && url.protocol === "http:");
}
