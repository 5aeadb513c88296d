import { expect, test } from "vitest";
import { webhookEvents } from "../../../db/types.ts";
import { addPost, addUser, morning } from "../../../testing/content.ts";
import { temporaryDatabase } from "../../../testing/database.ts";
import { checksOf, documentSchema } from "../../../testing/openapi-document.ts";
import { webhookMessages } from "../../webhooks/messages.ts";
import { queueEvent, queueFloodDecided, queueFloodOpened } from "../../webhooks/queue.ts";
import { openApiDocument } from "./index.ts";

test("the document describes the message of each webhook event, as the site queues it", async () => {
  const document = documentSchema.parse(JSON.parse(JSON.stringify(openApiDocument)));
  const checks = checksOf(document);
  checks.compileAll();
  expect(Object.keys(document.webhooks)).toEqual([...webhookEvents]);
  const database = temporaryDatabase();
  const events = webhookEvents.join(" ");
  const webhook = { url: "https://example.org/", events, encryptedSecret: "", createdAt: morning };
  const id = await database.webhooks.insert(webhook);
  const { id: postId } = await addPost(database, await addUser(database, "ada"));
  const flood = { postId, number: 1, at: morning };
  await queueFloodOpened(database, flood);
  const decision = { decision: "counted", decidedBy: "time", ratings: 3 } as const;
  await queueFloodDecided(database, { ...flood, ...decision });
  await queueEvent(database, { ids: [id], event: "webhook.test", data: {}, now: morning });
  const queued = (await database.webhooks.latest(9)).toReversed();
  expect(queued.map(({ event }) => event)).toEqual([...webhookEvents]);
  for (const { event, body } of queued) {
    const message = JSON.parse(body);
    expect(webhookMessages[event].parse(message)).toEqual(message);
    checks.expectMessage(event, message);
    for (const wrong of [
      { ...message, more: 1 },
      { ...message, data: { ...message.data, more: 1 } },
      { ...message, type: "post.read" },
    ]) {
      expect(webhookMessages[event].safeParse(wrong).success).toBe(false);
      expect(() => checks.expectMessage(event, wrong)).toThrow();
    }
  }
});
