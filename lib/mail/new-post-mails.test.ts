import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import { dayMs } from "../time/units.ts";
import { queueNewPostMails, settlingMs } from "./new-post-mails.ts";
import { waitingMaximum } from "./outbox.ts";
import { sendDueMails } from "./sender.ts";
import { addressOfLink, confirmSubscription, requestSubscription } from "./subscriptions.ts";
import { unsubscribe } from "./unsubscribe.ts";

async function site(database: Database, mailOfSite = mailSettings) {
  const author = await addUser(database, "alder");
  const open = contextOf(database);
  const context = { ...open, mail: mailOfSite, registration: { ...open.registration, challenge: null } };
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  const deliver = (now = morning) =>
    sendDueMails({ database, mail: mailOfSite, server: server.client, clock: () => now });
  const subscribe = (email: string) =>
    requestSubscription(context, { input: { email }, address: "192.0.2.1", locale: "en", now: morning });
  const token = () => /\/subscribe\/confirm\?token=(\S+)/.exec(server.mails.at(-1)?.text ?? "")?.[1] ?? "";
  const join = async (email: string, now = morning) => {
    expect(await subscribe(email)).toEqual({ kind: "requested" });
    await deliver();
    expect(await confirmSubscription(context, token(), now)).toBe(true);
    server.mails.length = 0;
  };
  const publish = (title: string, now = morning) => addPost(database, author, { title, now });
  const queueDue = (now: number) => queueNewPostMails(context, now);
  return { context, server, deliver, subscribe, token, join, publish, queueDue };
}

describe.each(newDatabases)("mails about new posts on %s", (_, open) => {
  test("a confirmed subscriber gets one mail a day with the posts since the last one", async () => {
    const { server, deliver, join, publish, queueDue } = await site(await open());
    await publish("Before", morning - 1);
    await join("birch@example.org");
    await publish("Qanat", morning + 1);
    await publish("Nahr", morning + 2);
    const first = morning + 2 + settlingMs;
    await queueDue(first - 2);
    await Promise.all([queueDue(first), queueDue(first)]);
    await deliver(first);
    expect(server.mails.map(({ subject }) => subject)).toEqual(["The Weir: 2 new posts"]);
    const [mail] = server.mails;
    expect(mail?.recipients).toEqual(["birch@example.org"]);
    expect(mail?.text).toContain(
      "“\u2068Nahr\u2069” by \u2068alder\u2069\nhttps://weir.example/posts/nahr\n",
    );
    expect(mail?.raw).toMatch(/^List-Unsubscribe:\s+<https:/m);
    expect(mail?.raw).toContain("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
    await publish("Later", first);
    await queueDue(first + dayMs - 1);
    await deliver(first + dayMs - 1);
    expect(server.mails).toHaveLength(1);
    await queueDue(first + dayMs);
    await deliver(first + dayMs);
    expect(server.mails[1]?.subject).toBe("The Weir: Later");
  });

  test("a site without https offers no one-click unsubscription, only the page", async () => {
    const mail = { ...mailSettings, siteUrl: "http://weir.example" };
    const { server, deliver, join, publish, queueDue } = await site(await open(), mail);
    await join("birch@example.org");
    await publish("Qanat", morning + 1);
    const due = morning + 1 + settlingMs;
    await queueDue(due);
    await deliver(due);
    expect(server.mails[0]?.raw).toMatch(/^List-Unsubscribe:\s+<http:/m);
    expect(server.mails[0]?.raw).not.toContain("List-Unsubscribe-Post");
  });

  test("no mail goes to an address that did not confirm or has unsubscribed, nor about hidden posts", async () => {
    const database = await open();
    const { context, server, deliver, subscribe, token, join, publish, queueDue } = await site(database);
    await subscribe("cedar@example.org");
    await deliver();
    const link = token();
    expect(
      addressOfLink(context, `${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`, morning),
    ).toBeUndefined();
    expect(addressOfLink(context, link, morning + 3 * dayMs)).toBeUndefined();
    await join("birch@example.org");
    const hidden = await publish("Hidden", morning + 1);
    await database.posts.setOptions(hidden.id, { isUnlisted: true });
    await queueDue(morning + 1 + settlingMs);
    expect(await database.mails.all()).toEqual([expect.anything(), expect.anything()]);
    await publish("Shown", morning + 2 + settlingMs);
    await queueDue(morning + 3 + 2 * settlingMs);
    await deliver(morning + 3 + 2 * settlingMs);
    const stop = /\/unsubscribe\?token=(\S+)/.exec(server.mails.at(-1)?.text ?? "")?.[1] ?? "";
    await publish("Last", morning + dayMs);
    await queueDue(morning + 2 * dayMs);
    await unsubscribe({ ...context, ...mailSettings }, stop);
    await deliver(morning + 2 * dayMs);
    expect(server.mails.map(({ subject }) => subject)).toEqual(["The Weir: Shown"]);
    expect(await database.subscribers.count()).toBe(0);
  });
});

test("a subscribed address gets the same answer, and no mail", async () => {
  const { server, deliver, subscribe, join } = await site(temporaryDatabase());
  await join("birch@example.org");
  expect(await subscribe("Birch@example.org")).toEqual({ kind: "requested" });
  await deliver();
  expect(server.mails).toEqual([]);
});

test("mails that find half of the outbox full are queued when there is room, after others are sent", async () => {
  const database = temporaryDatabase();
  const { server, deliver, join, publish, queueDue } = await site(database);
  for (const name of ["birch", "cedar", "dogwood"]) await join(`${name}@example.org`);
  await publish("Qanat", morning + 1);
  const now = morning + 1 + settlingMs;
  database.sqlite.exec(`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${waitingMaximum / 2 - 2})
    insert into mails (message_id, kind, address, address_key, locale, data, created_at, expires_at, due_at)
    select 'filler ' || n, 'flood', 'b@example.org', 'b@example.org', 'en', '{}', 1, ${now + dayMs}, ${now} from numbers`);
  await queueDue(now);
  expect(await database.mails.waiting(waitingMaximum)).toBe(waitingMaximum / 2);
  const first = await database.transaction(() => database.mails.claim(now, now + 1));
  expect(first?.kind).toBe("flood");
  database.sqlite.exec("delete from mails where message_id like 'filler %'");
  await queueDue(now);
  await deliver(now);
  expect(server.mails.map(({ recipients }) => recipients[0]).toSorted()).toEqual([
    "birch@example.org",
    "cedar@example.org",
    "dogwood@example.org",
  ]);
});
