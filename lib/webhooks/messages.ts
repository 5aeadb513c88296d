/** The messages that webhooks send, by their events. */
import { z } from "zod";
import { type WebhookEvent, windowDeciders, windowStatuses } from "../../db/types.ts";

const post = z.strictObject({
  slug: z.string(),
  title: z.string(),
  url: z.string().describe("The post's page; relative unless SITE_URL is set."),
});
const flood = z.strictObject({
  number: z.int().min(1).describe("The flood's number on its post."),
  url: z.string().describe("Its part of the post's page; relative unless SITE_URL is set."),
});

const message = <Event extends WebhookEvent, Data extends z.ZodType>(event: Event, data: Data) =>
  z.strictObject({
    type: z.literal(event),
    timestamp: z.iso.datetime().describe("When it happened."),
    data,
  });

/** The schema of the body, by event. */
export const webhookMessages = {
  "post.published": message(
    "post.published",
    z.strictObject({
      post: post.extend({ author: z.string(), publishedAt: z.iso.datetime() }),
    }),
  ),
  "flood.opened": message("flood.opened", z.strictObject({ post, flood })),
  "flood.decided": message(
    "flood.decided",
    z.strictObject({
      post,
      flood,
      decision: z
        .enum(windowStatuses)
        .describe("`held`: the site takes its own decision back while the flood goes on."),
      decidedBy: z.enum(windowDeciders).describe("`person`, or the rule of the site that decided."),
      ratings: z.int().min(0).describe("How many arrived in the flood, also those withdrawn since."),
    }),
  ),
  "webhook.test": message("webhook.test", z.strictObject({})),
} satisfies Record<WebhookEvent, z.ZodType>;

export type WebhookData<Event extends WebhookEvent> = z.infer<(typeof webhookMessages)[Event]>["data"];
