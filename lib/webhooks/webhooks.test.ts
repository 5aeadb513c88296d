// Over 200 lines: webhooks from their form to the other program.

import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { startWebhookReceiver } from "../../testing/webhook-receiver.ts";
import { dispatchDue } from "../outbox/dispatch.ts";
import { decideWindow } from "../ratings/decisions/flood-window-decisions.ts";
import { createRating } from "../ratings/index.ts";
import { failuresMaximumMs, pausesMs, webhookOutbox } from "./deliver.ts";
import { deliveryState, listDeliveries } from "./deliveries.ts";
import {
  addWebhook,
  changeWebhook,
  countFailedWebhooks,
  listWebhooks,
  removeWebhook,
  renewWebhookSecret,
  retryDeliveries,
  testWebhook,
  webhooksMaximum,
} from "./manage.ts";
import { webhookMessages } from "./messages.ts";
import { claimMs, sendPost } from "./post-request.ts";
import { queueFloodDecided, waitingMaximum } from "./queue.ts";
import { signedHeaders } from "./signature.ts";

async function receiver(...statuses: [number, ...number[]]) {
  const program = await startWebhookReceiver(...statuses);
  onTestFinished(() => program.stop());
  return program;
}

const messageSchema = z.union(Object.values(webhookMessages));

/** The message in a delivered body; fails unless it is as described. */
function messageIn(body: string) {
  return messageSchema.parse(JSON.parse(body));
}

async function setting(database: Database) {
  const key = randomBytes(32);
  const context = { database, webhookKey: () => key, webhooksMayBePrivate: true };
  const actor = await addUser(database, "alder", { isAdministrator: true });
  let now = morning;
  const outbox = webhookOutbox({ ...context, mayBePrivate: true, clock: () => now });
  const add = async (url: string, events = ["post.published"]) => {
    const outcome = await addWebhook(context, { actor, input: { url, events }, now });
    return outcome.kind === "added" ? outcome : expect.fail(JSON.stringify(outcome));
  };
  return {
    context,
    actor,
    add,
    at: (time: number) => {
      now = time;
    },
    send: () => dispatchDue(() => outbox),
    outbox,
    publish: () => addPost(database, actor),
    listed: async () => (await listWebhooks(context, actor))[0],
  };
}

describe.each(newDatabases)("webhooks on %s", (_, open) => {
  test("deliver an event once, signed with the secret that was shown", async () => {
    const database = await open();
    const { context, actor, add, publish, send, listed } = await setting(database);
    const program = await receiver(204);
    const other = await receiver(204);
    const { id: webhook, secret } = await add(program.url);
    await add(other.url, ["flood.opened"]);
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const { slug } = await publish();
    await send();
    await send();
    expect(other.received).toEqual([]);
    const [delivered, ...more] = program.received;
    expect(more).toEqual([]);
    const { headers, body } = delivered ?? expect.fail();
    expect(messageIn(body)).toMatchObject({
      type: "post.published",
      data: { post: { slug, author: "alder" } },
    });
    const id = String(headers["webhook-id"]);
    expect(headers).toMatchObject(signedHeaders([secret], { id, now: morning, body }));
    expect(headers["content-type"]).toBe("application/json");
    expect(await listed()).toMatchObject({ lastResult: "HTTP 204", failingSince: null });
    expect((await database.webhooks.all())[0]?.encryptedSecret).not.toContain(secret.slice(6));
    await testWebhook(context, { actor, id: webhook, now: morning });
    await send();
    expect(messageIn(program.received[1]?.body ?? "")).toMatchObject({ type: "webhook.test", data: {} });
  });

  test("are tried again with the same id after a failure, a redirect too, and then given up", async () => {
    const database = await open();
    const { add, publish, send, at, listed } = await setting(database);
    const program = await receiver(500, 302);
    await add(program.url);
    await publish();
    let now = morning;
    for (const pauseMs of pausesMs) {
      await send();
      at(now + pauseMs - 1);
      await send();
      now += pauseMs;
      at(now);
    }
    await send();
    at(now + 10 * failuresMaximumMs);
    await send();
    expect(program.received).toHaveLength(pausesMs.length + 1);
    expect(new Set(program.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await listed()).toMatchObject({ lastResult: "HTTP 302", failingSince: morning, disabledAt: null });
    expect((await database.webhooks.latest(9))[0]).toMatchObject({
      fault: "HTTP 302",
      dueAt: null,
      body: "",
    });
  });

  test("are turned off after days of failures, with their queued deliveries", async () => {
    const database = await open();
    const { add, publish, send, at, listed, actor, context } = await setting(database);
    const program = await receiver(500, 500, 204);
    const { id } = await add(program.url);
    await publish();
    await send();
    at(morning + failuresMaximumMs);
    await publish();
    await send();
    const now = morning + failuresMaximumMs;
    expect(await listed()).toMatchObject({ disabledAt: now, disabledWhy: "failures" });
    expect(await countFailedWebhooks(context, actor)).toBe(1);
    expect(await countFailedWebhooks(context, { ...actor, isAdministrator: false })).toBe(0);
    at(now + 10 * failuresMaximumMs);
    await publish();
    await send();
    expect(program.received).toHaveLength(2);
    expect(await changeWebhook(context, { actor, id, input: { isOn: true }, now })).toEqual({ kind: "done" });
    await publish();
    await send();
    expect(program.received).toHaveLength(3);
    expect(await listed()).toMatchObject({ disabledAt: null, failingSince: null, lastResult: "HTTP 204" });
  });

  test("list their own deliveries page by page, for administrators", async () => {
    const database = await open();
    const { context, actor, add, publish, send } = await setting(database);
    const program = await receiver(204, 500, 500);
    const { id } = await add(program.url);
    const other = await add(program.url, ["flood.opened"]);
    await publish();
    await send();
    await publish();
    await send();
    const list = (before?: number) => listDeliveries(context, actor, { id, before, limit: 1 });
    const first = await list();
    expect(first).toMatchObject({
      kind: "deliveries",
      deliveries: [{ event: "post.published", fault: "HTTP 500", finishedAt: null, attempts: 1 }],
    });
    const next = first.kind === "deliveries" ? first.next : expect.fail();
    expect(await list(next ?? expect.fail())).toMatchObject({
      deliveries: [{ event: "post.published", fault: null, finishedAt: morning, dueAt: null }],
      next: null,
    });
    expect(await listDeliveries(context, actor, { id: other.id, limit: 9 })).toMatchObject({
      deliveries: [],
    });
    expect(await listDeliveries(context, actor, { id: 999, limit: 9 })).toEqual({ kind: "nothing-there" });
    const reader = await addUser(database, "reader");
    expect(await listDeliveries(context, reader, { id, limit: 9 })).toEqual({ kind: "forbidden" });
  });

  test("send all queued messages at once when an administrator retries, except those in flight", async () => {
    const database = await open();
    const { context, actor, add, publish, send, at } = await setting(database);
    const program = await receiver(500, 500, 204);
    const { id } = await add(program.url);
    await publish();
    await send();
    at(morning + pausesMs[0]);
    await send();
    await publish();
    const now = morning + 60_000;
    at(now);
    // After the request's arrival, which may precede its transaction by a little.
    const claimedAt = now + 1_000;
    const claimed = await database.transaction(() => database.webhooks.claim(now, claimedAt + claimMs));
    expect(await retryDeliveries(context, { actor, id, now })).toEqual({ kind: "done" });
    await send();
    expect(program.received).toHaveLength(3);
    const listed = await listDeliveries(context, actor, { id, limit: 9 });
    const deliveries = listed.kind === "deliveries" ? listed.deliveries : expect.fail();
    expect(deliveries.map(deliveryState)).toEqual(["waiting", "delivered"]);
    expect(deliveries[0]).toMatchObject({ id: claimed?.id, dueAt: claimedAt + claimMs });
    const reader = await addUser(database, "reader");
    expect(await retryDeliveries(context, { actor: reader, id, now })).toEqual({ kind: "forbidden" });
    expect(await retryDeliveries(context, { actor, id: 999, now })).toEqual({ kind: "nothing-there" });
    await changeWebhook(context, { actor, id, input: { isOn: false }, now });
    expect(await retryDeliveries(context, { actor, id, now })).toEqual({ kind: "webhook-off" });
    const withdrawn = await listDeliveries(context, actor, { id, limit: 1 });
    expect(withdrawn.kind === "deliveries" && withdrawn.deliveries.map(deliveryState)).toEqual(["given-up"]);
  });

  test("sign with the secret before the last one for a day", async () => {
    const database = await open();
    const { add, publish, send, at, actor, context } = await setting(database);
    const program = await receiver(200);
    const { id, secret } = await add(program.url);
    const renewed = await renewWebhookSecret(context, { actor, id, now: morning });
    const secrets = [renewed.kind === "renewed" ? renewed.secret : expect.fail(), secret];
    await publish();
    await send();
    const signatures = () => String(program.received.at(-1)?.headers["webhook-signature"]).split(" ");
    const { headers, body } = program.received[0] ?? expect.fail();
    const message = { id: String(headers["webhook-id"]), now: morning, body };
    expect(signatures()).toEqual(signedHeaders(secrets, message)["webhook-signature"].split(" "));
    at(morning + 24 * 3_600_000);
    await publish();
    await send();
    expect(signatures()).toHaveLength(1);
  });

  test("tell a program when a flood of ratings begins, and when a person decides", async () => {
    const database = await open();
    const { add, send, at, actor } = await setting(database);
    const program = await receiver(204);
    const { secret } = await add(program.url, ["flood.opened", "flood.decided"]);
    const ratings = contextOf(database, limitsWith({ RATING_OVERFLOW: "hold" }));
    const { slug } = await addPost(database, actor, { title: "Still water" });
    const hourMs = 3_600_000;
    let now = morning;
    const rate = async (score: number, count: number, everyMs: number) => {
      for (let index = 0; index < count; index += 1) {
        now += everyMs;
        const user = await addUser(database, `u${now}`);
        await createRating(ratings, { slug, user, address: "192.0.2.1", input: { score }, now });
      }
    };
    await rate(4, 60, hourMs / 6);
    await send();
    expect(program.received).toEqual([]);
    await rate(0, 40, 500);
    at(now);
    await send();
    const messages = () => program.received.map(({ body }) => messageIn(body));
    const post = { slug: "still-water", title: "Still water", url: "/posts/still-water" };
    const flood = { number: 1, url: expect.stringContaining("still-water") };
    expect(messages()[0]).toMatchObject({ type: "flood.opened", data: { post, flood } });
    // The site's own decisions while the flood goes on.
    const own = messages().slice(1);
    for (const message of own)
      expect(message).toMatchObject({ type: "flood.decided", data: { decidedBy: "shape" } });
    const { headers, body } = program.received[0] ?? expect.fail();
    const message = { id: String(headers["webhook-id"]), now, body };
    expect(headers).toMatchObject(signedHeaders([secret], message));
    const window = (await database.floodWindows.byStatus("held", 1))[0]?.window;
    const input = { status: "excluded", why: "A raid.", after: window?.decisions };
    now += hourMs;
    at(now);
    expect(await decideWindow(ratings, { slug, number: 1, user: actor, input, now })).toEqual({
      kind: "decided",
    });
    await send();
    const decision = { decision: "excluded", decidedBy: "person", ratings: expect.any(Number) };
    expect(messages()).toHaveLength(own.length + 2);
    expect(messages().at(-1)).toMatchObject({ type: "flood.decided", data: { post, flood, ...decision } });
  });

  test("send to the address and of the events that they were changed to", async () => {
    const database = await open();
    const { add, publish, send, listed, actor, context } = await setting(database);
    const [before, after] = [await receiver(204), await receiver(204)];
    const { id } = await add(before.url, ["flood.opened"]);
    const change = (input: unknown) => changeWebhook(context, { actor, id, input, now: morning });
    expect(await change({ events: ["post.published"] })).toEqual({ kind: "done" });
    await publish();
    await send();
    expect(await change({ url: after.url })).toEqual({ kind: "done" });
    await publish();
    await send();
    expect([before, after].map(({ received }) => received.length)).toEqual([1, 1]);
    expect(await listed()).toMatchObject({ url: after.url, events: ["post.published"], disabledAt: null });
    for (const input of [{}, { url: "x" }, { events: [] }, { isOn: "yes" }, null])
      expect(await change(input)).toMatchObject({ kind: "invalid" });
    const none = { actor, id: id + 1, input: { isOn: true }, now: morning };
    expect(await changeWebhook(context, none)).toEqual({ kind: "nothing-there" });
  });

  test("that reach no server hold up no others", async () => {
    const database = await open();
    const { add, publish, send, at } = await setting(database);
    const [gone, program] = [await receiver(204), await receiver(204)];
    const { id } = await add(gone.url);
    await add(program.url);
    await gone.stop();
    for (let count = 0; count < 3; count += 1) await publish();
    const attempts = async () =>
      (await database.webhooks.latest(9))
        .filter(({ webhookId }) => webhookId === id)
        .reduce((total, each) => total + each.attempts, 0);
    await send();
    expect(program.received).toHaveLength(3);
    expect(await attempts()).toBe(1);
    for (let hours = 1; hours <= 10; hours += 1) {
      at(morning + hours * 3_600_000);
      await send();
    }
    const waiting = (await database.webhooks.latest(9)).filter(({ webhookId }) => webhookId === id);
    expect(waiting.filter((delivery) => delivery.attempts === 0)).toEqual([]);
    expect(await attempts()).toBeLessThanOrEqual(11);
  });

  test("that two nodes send at once deliver each event once", async () => {
    const database = await open();
    const { add, publish, outbox } = await setting(database);
    const program = await receiver(200);
    await add(program.url);
    for (let count = 0; count < 4; count += 1) await publish();
    await Promise.all([dispatchDue(() => outbox), dispatchDue(() => outbox)]);
    expect(program.received).toHaveLength(4);
  });

  test("give up a delivery that was queued just after its webhook was turned off", async () => {
    const database = await open();
    const { add, publish, send, actor, context } = await setting(database);
    const program = await receiver(200);
    const { id } = await add(program.url);
    await publish();
    await database.webhooks.update(id, { disabledAt: morning });
    await send();
    expect(await database.webhooks.waiting(id)).toBe(0);
    await changeWebhook(context, { actor, id, input: { isOn: true }, now: morning });
    await send();
    expect(program.received).toEqual([]);
  });

  test("queue a bounded number of deliveries, removed with the webhook", async () => {
    const database = await open();
    const { add, publish, actor, context } = await setting(database);
    const { id } = await add("https://example.org/a", ["flood.decided", "post.published"]);
    const post = await addPost(database, actor);
    const decided = {
      postId: post.id,
      number: 1,
      at: morning,
      decision: "counted",
      decidedBy: "time",
      ratings: 3,
    } as const;
    await database.transaction(async () => {
      for (let count = 0; count < waitingMaximum; count += 1) await queueFloodDecided(database, decided);
    });
    await publish();
    expect(await database.webhooks.waiting(id)).toBe(waitingMaximum);
    expect(await testWebhook(context, { actor, id, now: morning })).toEqual({ kind: "webhook-busy" });
    expect(await removeWebhook(context, { actor, id, now: morning })).toEqual({ kind: "done" });
    expect(await database.webhooks.latest(1)).toEqual([]);
    expect(await removeWebhook(context, { actor, id, now: morning })).toEqual({ kind: "nothing-there" });
  });
});

test("only administrators manage webhooks, each change on record without the secret", async () => {
  const database = temporaryDatabase();
  const { context, actor, add } = await setting(database);
  const { id } = await add("https://example.org/a");
  await changeWebhook(context, { actor, id, input: { isOn: false }, now: morning });
  const changes = await database.accountChanges.latest(9, undefined, "all");
  expect(changes.map(({ kind, by, why }) => [kind, by, why])).toEqual([
    ["disable-webhook", "alder", "example.org"],
    ["add-webhook", "alder", "example.org"],
  ]);
  expect(await testWebhook(context, { actor, id, now: morning })).toEqual({ kind: "webhook-off" });
  const moderator = await addUser(database, "birch", { isModerator: true });
  const request = { actor: { ...moderator, isAdministrator: true }, id, now: morning };
  for (const outcome of [
    await addWebhook(context, { ...request, input: { url: "https://a.example", events: ["flood.opened"] } }),
    await changeWebhook(context, { ...request, input: { isOn: true } }),
    await renewWebhookSecret(context, request),
    await testWebhook(context, request),
    await removeWebhook(context, request),
  ])
    expect(outcome).toEqual({ kind: "forbidden" });
  expect(await listWebhooks(context, moderator)).toEqual([]);
});

test.each([
  "http://example.org/",
  "ftp://example.org/",
  "https://user:password@example.org/",
  "https://example.org/#a",
  `https://example.org/${"a".repeat(500)}`,
  "example.org",
  "",
])("refuses the address %j", async (url) => {
  const database = temporaryDatabase();
  const { context, actor } = await setting(database);
  const publicOnly = { ...context, webhooksMayBePrivate: false };
  const input = { url, events: ["post.published"] };
  expect(await addWebhook(publicOnly, { actor, input, now: morning })).toMatchObject({
    kind: "invalid",
    errors: { url: [expect.any(String)] },
  });
});

test("takes a bounded number of webhooks, and events that exist", async () => {
  const database = temporaryDatabase();
  const { context, actor, add } = await setting(database);
  for (const events of [[], ["post.read"], ["webhook.test"], "post.published"])
    expect(
      await addWebhook(context, { actor, input: { url: "https://a.example", events }, now: morning }),
    ).toMatchObject({ errors: { events: [expect.any(String)] } });
  for (let count = 0; count < webhooksMaximum; count += 1) await add("https://a.example");
  const input = { url: "https://a.example", events: ["flood.opened"] };
  expect(await addWebhook(context, { actor, input, now: morning })).toMatchObject({ kind: "invalid" });
});

test.each([
  "http://127.0.0.1",
  "http://localhost",
  "http://[::1]",
  "http://[::ffff:127.0.0.1]",
  "http://2130706433",
])("connects to no private address, such as %s", async (origin) => {
  const program = await receiver(200);
  const url = `${origin}:${new URL(program.url).port}/`;
  const request = { url, headers: {}, body: "{}" };
  expect(await sendPost({ ...request, mayBePrivate: false })).toMatchObject({
    kind: "failed",
    fault: expect.stringContaining("private network"),
  });
  expect(program.received).toEqual([]);
  if (origin === "http://127.0.0.1")
    expect(await sendPost({ ...request, mayBePrivate: true })).toEqual({ kind: "answered", status: 200 });
});

test.each([
  ["switches the protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"],
  ["is not HTTP", "hello\r\n\r\n"],
  ["has headers without end", `HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(10_000)}`],
])("a response that %s is a failure at once", async (_, response) => {
  const server = createServer((socket) => {
    socket.on("error", () => {}); // it is cut off
    socket.once("data", () => void socket.write(response));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : expect.fail();
  const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body: "{}", mayBePrivate: true };
  expect(await sendPost(request)).toMatchObject({
    kind: "failed",
    fault: expect.not.stringContaining("seconds"),
  });
});
