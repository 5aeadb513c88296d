/** Delivers queued events, with retries; turns off webhooks that fail for days. */
import type { Database, WebhookDelivery, WebhookRow } from "../../db/index.ts";
import { decrypt } from "../auth/encryption.ts";
import { log } from "../logging/log.ts";
import type { Outbox } from "../outbox/dispatch.ts";
import { dayMs, hourMs, secondMs } from "../time/units.ts";
import { deliveryFaults } from "./delivery-faults.ts";
import { claimMs, sendPost } from "./post-request.ts";
import { signedHeaders } from "./signature.ts";

interface DeliveryContext {
  database: Database;
  /** The key that encrypts the secrets. */
  webhookKey: () => Buffer;
  mayBePrivate: boolean;
  clock: () => number;
}

/**
 * The backoff between attempts, as Standard Webhooks suggests.
 * After the last one a delivery is given up.
 */
export const pausesMs: readonly [number, ...number[]] = [
  5 * secondMs,
  300 * secondMs,
  1_800 * secondMs,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];
/** How long messages wait after another one has failed again. */
const unreachablePauseMs = 300 * secondMs;
/** How long a webhook may fail before it is turned off. */
export const failuresMaximumMs = 5 * dayMs;
/** How long finished deliveries are kept. */
export const deliveriesKeptMs = 7 * dayMs;
/** How many are sent at a time, so that a slow address delays few others. */
export const deliveriesAtOnce = 4;

/** The outbox, for `startDispatching`. */
export function webhookOutbox(context: DeliveryContext): Outbox<WebhookDelivery> {
  const { database, clock } = context;
  const { webhooks, transaction } = database;
  return {
    isDue: webhooks.isDue,
    claim: webhooks.claim,
    send: async (delivery) => {
      await deliver(context, delivery);
      return true;
    },
    transaction,
    clock,
    claimMs,
  };
}

async function deliver(context: DeliveryContext, delivery: WebhookDelivery): Promise<void> {
  const { database, mayBePrivate, clock } = context;
  const webhook = await database.webhooks.byId(delivery.webhookId);
  // It was removed in the meantime, with its deliveries.
  if (!webhook) return;
  // It was turned off in the meantime: this delivery can have been queued after the others were withdrawn.
  if (webhook.disabledAt !== null)
    return database.webhooks.finish(delivery.id, { now: clock(), fault: deliveryFaults.turnedOff });
  const secrets = secretsOf(context, webhook);
  if (secrets.length === 0) return noteFailure(context, webhook, delivery, deliveryFaults.secret);
  const message = { id: delivery.messageId, now: clock(), body: delivery.body };
  const headers = signedHeaders(secrets, message);
  const result = await sendPost({ url: webhook.url, headers, body: delivery.body, mayBePrivate });
  if (result.kind === "failed") {
    // Its other messages wait, so that they do not take turns that other webhooks need.
    const dueAt = clock() + (delivery.attempts === 1 ? pausesMs[0] : unreachablePauseMs);
    await database.webhooks.postpone(webhook.id, { exceptId: delivery.id, dueAt });
    return noteFailure(context, webhook, delivery, result.fault);
  }
  const { status } = result;
  if (status === 410) return turnOff(context, webhook, delivery, "gone");
  if (status < 200 || status > 299) return noteFailure(context, webhook, delivery, `HTTP ${status}`);
  const now = clock();
  await database.transaction(async () => {
    await database.webhooks.finish(delivery.id, { now, fault: null });
    await database.webhooks.update(webhook.id, {
      failingSince: null,
      lastAttemptAt: now,
      lastResult: `HTTP ${status}`,
    });
  });
}

async function noteFailure(
  context: DeliveryContext,
  webhook: WebhookRow,
  delivery: WebhookDelivery,
  fault: string,
): Promise<void> {
  const { database, clock } = context;
  const now = clock();
  // Without the address, which may contain a password of the other program.
  log.warn(
    { webhook: webhook.id, event: delivery.event, attempts: delivery.attempts, fault },
    "a webhook failed",
  );
  if (webhook.failingSince !== null && now - webhook.failingSince >= failuresMaximumMs)
    return turnOff(context, webhook, delivery, "failures", fault);
  const pauseMs = pausesMs[delivery.attempts - 1];
  await database.transaction(async () => {
    if (pauseMs === undefined) await database.webhooks.finish(delivery.id, { now, fault });
    else await database.webhooks.retry(delivery.id, { dueAt: now + pauseMs, fault });
    await database.webhooks.update(webhook.id, {
      failingSince: webhook.failingSince ?? now,
      lastAttemptAt: now,
      lastResult: fault,
    });
  });
}

/** Turns a webhook off, which ends its deliveries. */
async function turnOff(
  { database, clock }: DeliveryContext,
  { id }: WebhookRow,
  delivery: WebhookDelivery,
  why: "failures" | "gone",
  fault = "HTTP 410",
): Promise<void> {
  const now = clock();
  await database.transaction(async () => {
    await database.webhooks.withdraw(id, { now, fault });
    await database.webhooks.update(id, {
      disabledAt: now,
      disabledWhy: why,
      lastAttemptAt: now,
      lastResult: fault,
    });
  });
  log.error({ webhook: id, event: delivery.event, fault }, "a webhook was turned off");
}

/** The secrets that sign a message; none when they were encrypted with another key. */
function secretsOf({ webhookKey, clock }: DeliveryContext, webhook: WebhookRow): string[] {
  const { encryptedSecret, previousSecret, previousUntil } = webhook;
  const current = decrypt(encryptedSecret, webhookKey());
  const isPreviousValid = previousSecret !== null && previousUntil !== null && clock() < previousUntil;
  const previous = isPreviousValid ? decrypt(previousSecret, webhookKey()) : undefined;
  return [current, previous].filter((secret) => secret !== undefined);
}
