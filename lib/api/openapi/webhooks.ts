/** The messages that the site sends to webhooks, in the API's description. */
import { type WebhookEvent, webhookEvents } from "../../../db/types.ts";
import { webhookMessages } from "../../webhooks/messages.ts";
import { type Json, jsonContent } from "./parts.ts";

const webhookTexts: Record<WebhookEvent, string> = {
  "post.published": "A post was published; an unlisted one, when it was first listed. Once for each post",
  "flood.opened": "A flood of ratings has begun on a post",
  "flood.decided": "A flood's ratings count or are excluded, decided by a person or by the site",
  "webhook.test": "An administrator sent a test",
};

/** The headers of a message, as parameters of the document. */
export const webhookParameters = {
  WebhookId: messageHeader("webhook-id", "Identifies the message: the same in each attempt."),
  WebhookTimestamp: messageHeader("webhook-timestamp", "When this attempt was made, in seconds.", "integer"),
  WebhookSignature: messageHeader(
    "webhook-signature",
    "`v1,` and the HMAC-SHA-256 of id, timestamp and body, with dots between them, in base64, as Standard Webhooks describes; for a day after a new secret two of them, with a space between them.",
  ),
};

/** The schema of each message, by its name in the document. */
export const webhookSchemas = Object.fromEntries(
  webhookEvents.map((event) => [messageName(event), webhookMessages[event]]),
);

/** The requests that the site sends to webhooks. */
export function webhookItems(): Json {
  return Object.fromEntries(
    webhookEvents.map((event) => [
      event,
      {
        post: {
          operationId: messageName(event),
          summary: webhookTexts[event],
          parameters: Object.keys(webhookParameters).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: { required: true, ...jsonContent(messageName(event)) },
          responses: {
            "2XX": { description: "Received. Answer within ten seconds; the body is not read." },
            410: { description: "Turns the webhook off." },
            default: { description: "The message is sent again later; redirects are not followed." },
          },
        },
      },
    ]),
  );
}

/** "post.published" as "PostPublishedMessage". */
function messageName(event: WebhookEvent): string {
  return `${event.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Message`;
}

function messageHeader(name: string, description: string, type = "string"): Json {
  return { name, in: "header", required: true, description, schema: { type } };
}
