/** Queues events for webhooks, in the transactions that cause them. */
import { randomBytes } from "node:crypto";
import type { Database } from "../../db/index.ts";
import type { WebhookEvent } from "../../db/types.ts";
import { log } from "../logging/log.ts";
import { postPath, windowPath } from "../paths.ts";
import { env } from "../settings/env.ts";
import type { WebhookData } from "./messages.ts";

type WebhookQueries = Pick<Database, "webhooks">;

/** The most deliveries that may wait for one webhook; further ones are not queued. */
export const waitingMaximum = 1_000;

/** Queues that a post was published, unless its author wants it in no list. */
export async function queuePublished(
  { webhooks }: WebhookQueries,
  postId: number,
  now: number,
): Promise<void> {
  await queueForAll({ webhooks }, "post.published", now, async () => {
    const post = await webhooks.post(postId);
    if (!post || post.isUnlisted) return undefined;
    const { slug, title, author, publishedAt } = post;
    return {
      post: { slug, title, author, publishedAt: timeText(publishedAt ?? now), url: urlOf(postPath(slug)) },
    };
  });
}

/** A flood, or a decision on one. */
interface FloodEvent {
  postId: number;
  /** The flood's number on its post. */
  number: number;
  at: number;
}

/** Queues that a flood of ratings has begun. */
export function queueFloodOpened({ webhooks }: WebhookQueries, flood: FloodEvent): Promise<void> {
  return queueForAll({ webhooks }, "flood.opened", flood.at, () => floodData({ webhooks }, flood));
}

/** Queues that a flood's ratings count or do not. */
export function queueFloodDecided(
  { webhooks }: WebhookQueries,
  {
    decision,
    decidedBy,
    ratings,
    ...flood
  }: FloodEvent & Omit<WebhookData<"flood.decided">, "post" | "flood">,
): Promise<void> {
  return queueForAll({ webhooks }, "flood.decided", flood.at, async () => {
    const data = await floodData({ webhooks }, flood);
    return data && { ...data, decision, decidedBy, ratings };
  });
}

async function floodData(
  { webhooks }: WebhookQueries,
  { postId, number }: FloodEvent,
): Promise<WebhookData<"flood.opened"> | undefined> {
  const post = await webhooks.post(postId);
  if (!post) return undefined;
  const { slug, title } = post;
  return {
    post: { slug, title, url: urlOf(postPath(slug)) },
    flood: { number, url: urlOf(windowPath(slug, number)) },
  };
}

async function queueForAll<Event extends WebhookEvent>(
  { webhooks }: WebhookQueries,
  event: Event,
  now: number,
  dataOf: () => Promise<WebhookData<Event> | undefined>,
): Promise<void> {
  const ids = await webhooks.ofEvent(event);
  if (ids.length === 0) return;
  const data = await dataOf();
  if (data) await queueEvent({ webhooks }, { ids, event, data, now });
}

/** Queues one message for these webhooks; call it in a transaction. */
export async function queueEvent<Event extends WebhookEvent>(
  { webhooks }: WebhookQueries,
  { ids, event, data, now }: { ids: readonly number[]; event: Event; data: WebhookData<Event>; now: number },
): Promise<void> {
  const messageId = `msg_${randomBytes(16).toString("base64url")}`;
  const body = JSON.stringify({ type: event, timestamp: timeText(now), data });
  for (const id of ids) {
    if ((await webhooks.waiting(id)) < waitingMaximum)
      await webhooks.queue(id, { messageId, event, body, createdAt: now });
    else log.error({ webhook: id, event }, "too many deliveries wait for a webhook, so one was not queued");
  }
}

/** Absolute where the site knows its address. */
function urlOf(path: string): string {
  return `${env.SITE_URL ?? ""}${path}`;
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}
