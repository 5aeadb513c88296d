import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { emptyOutbox, fillOutbox } from "../../testing/outbox.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import { openWindow } from "../ratings/floods/flood-window.ts";
import { dayMs } from "../time/units.ts";
import { chooseMails, lacksFloodMails } from "./choices.ts";
import { queueFloodMails } from "./flood-mails.ts";
import { mailLimits } from "./kinds.ts";
import { queueResetRequest, waitingMaximum } from "./outbox.ts";
import { sendDueMails } from "./sender.ts";

/** An author with a post, and the steps of getting mails about its floods. */
async function site(database: Database, { isAdministrator = false } = {}) {
  const author = await addUser(database, "alder", { isAdministrator });
  const { id: postId, slug } = await addPost(database, author, { title: "Qanat <b>" });
  const context = { database, mail: mailSettings };
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  const deliver = (now = morning) => sendDueMails({ ...context, server: server.client, clock: () => now });
  const choose = (...chosen: string[]) =>
    chooseMails(context, { userId: author.id, chosen: new Set(chosen), locale: "en", now: morning });
  const join = async () => {
    await database.users.confirmEmail(author.id, morning);
    expect(await choose("floods")).toEqual({ kind: "saved" });
  };
  /** A flood of 143 ratings on the post. */
  const flood = (number: number, status: "held" | "counted" = "held") =>
    database.floodWindows.save(postId, {
      ...openWindow(number, morning, 3_600_000, []),
      lastAt: morning + 1,
      recentGapMs: 1,
      counts: [130, 0, 0, 0, 0, 13],
      status,
    });
  const queueDue = (now = morning) => queueFloodMails({ ...context, holdMs: 14 * dayMs }, now);
  const subjects = () => server.mails.map(({ subject }) => subject);
  /** A further rating in a flood, which is withdrawn. */
  const withdrawIn = async (number: number) => {
    const { id: userId } = await addUser(database, "birch");
    await database.transaction(() =>
      database.ratings.insert(
        { postId, userId, score: 0, window: number, now: morning },
        { replacesFormer: false },
      ),
    );
    const rating = { score: 0, createdAt: morning, window: number } as const;
    await database.transaction(() => database.ratings.remove(postId, userId, rating));
  };
  return { author, context, slug, withdrawIn, server, deliver, choose, join, flood, queueDue, subjects };
}

describe.each(newDatabases)("mails about floods on %s", (_, open) => {
  test("an author who has chosen them gets one mail for each held flood", async () => {
    const { slug, server, deliver, join, flood, queueDue, subjects } = await site(await open());
    await join();
    await flood(1);
    await flood(2, "counted");
    await Promise.all([queueDue(), queueDue()]);
    await queueDue();
    await deliver();
    expect(subjects()).toEqual(["A flood of ratings on “Qanat <b>”"]);
    const [mail] = server.mails;
    expect(mail?.recipients).toEqual(["alder@example.org"]);
    expect(mail?.text).toContain(
      "143 ratings of your post “\u2068Qanat <b>\u2069” came much faster than usual",
    );
    expect(mail?.text).toContain("from 15 March 2026 on");
    expect(mail?.text).toContain(`https://weir.example/posts/${slug}/activity?before=2#window-1`);
    expect(mail?.html).toContain("Qanat &lt;b&gt;");
  });

  test("leaves the decision to an author only while no other user could decide", async () => {
    const database = await open();
    const { server, deliver, join, flood, queueDue } = await site(database, { isAdministrator: true });
    await join();
    await flood(1);
    await queueDue();
    await addUser(database, "cedar", { isModerator: true });
    await flood(2);
    await queueDue();
    await deliver();
    const own = "You decide whether they count: look at them, and count them or leave them out.";
    expect(server.mails.map(({ text }) => text?.includes(own))).toEqual([true, false]);
    expect(server.mails[1]?.text).toContain("request a review by a moderator");
  });

  test("counts withdrawn ratings too, as the pages do", async () => {
    const { server, deliver, join, flood, withdrawIn, queueDue } = await site(await open());
    await join();
    await flood(1);
    await withdrawIn(1);
    await queueDue();
    await deliver();
    expect(server.mails[0]?.text).toContain("144 ratings of your post");
  });

  test("an author who has not chosen them, or not any more, gets none, not even a waiting one", async () => {
    const { deliver, choose, join, flood, queueDue, subjects } = await site(await open());
    await flood(1);
    await queueDue();
    expect(await choose("floods")).toEqual({ kind: "unconfirmed" });
    await queueDue();
    await join();
    await queueDue();
    expect(await choose()).toEqual({ kind: "saved" });
    await flood(2);
    await queueDue();
    await deliver();
    expect(subjects()).toEqual([]);
  });

  test("an author could get them, where mail is set up, until they are chosen", async () => {
    const { author, context, choose, join } = await site(await open());
    const lacks = (mail: typeof context.mail | null = context.mail) =>
      lacksFloodMails({ ...context, mail }, author.id);
    expect([await lacks(), await lacks(null)]).toEqual([true, false]);
    await join();
    expect(await lacks()).toBe(false);
    await choose();
    expect(await lacks()).toBe(true);
  });

  test("bounds the mails of a day", async () => {
    const { deliver, join, flood, queueDue, subjects } = await site(await open());
    await join();
    for (let number = 1; number <= mailLimits.flood.perDay + 3; number += 1) await flood(number);
    await queueDue();
    await deliver();
    expect(subjects()).toHaveLength(mailLimits.flood.perDay);
    await queueDue(morning + dayMs);
    await deliver(morning + dayMs);
    expect(subjects()).toHaveLength(mailLimits.flood.perDay);
  });
});

test("a flood that finds the outbox full is mailed when there is room again", async () => {
  const database = temporaryDatabase();
  const { deliver, join, flood, queueDue, subjects } = await site(database);
  await join();
  await flood(1);
  fillOutbox(database, waitingMaximum);
  await queueDue();
  expect(await database.mails.waiting(waitingMaximum + 1)).toBe(waitingMaximum);
  emptyOutbox(database);
  await queueDue();
  await deliver();
  expect(subjects()).toEqual(["A flood of ratings on “Qanat <b>”"]);
});

test("requests of reset links leave half of the outbox to other mails", async () => {
  const database = temporaryDatabase();
  const { join, flood, queueDue } = await site(database);
  await join();
  await flood(1);
  const half = waitingMaximum / 2;
  fillOutbox(database, half - 1);
  const request = { emailKey: "c@example.org", locale: "en", now: morning } as const;
  await queueResetRequest(database, request);
  await queueResetRequest(database, request);
  expect(await database.mails.waiting(waitingMaximum)).toBe(half);
  await queueDue();
  expect(await database.mails.waiting(waitingMaximum)).toBe(half + 1);
});
