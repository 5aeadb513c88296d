import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { emptyOutbox, fillOutbox } from "../../testing/outbox.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import type { Locale } from "../i18n/locale.ts";
import { openWindow } from "../ratings/floods/flood-window.ts";
import { dayMs } from "../time/units.ts";
import { setRoleByOperator } from "../users/manage.ts";
import { chooseMails } from "./choices.ts";
import { waitingMaximum } from "./outbox.ts";
import { sendDueMails } from "./sender.ts";
import { undecidedMailer } from "./undecided-mails.ts";
import { unsubscribe } from "./unsubscribe.ts";

/**
 * A post's author, a moderator with a confirmed address, and steps for both.
 * Alone, the author is an administrator, and the other user no moderator.
 */
async function site(database: Database, { isAlone = false } = {}) {
  const author = await addUser(database, "alder", { isAdministrator: isAlone });
  const moderator = await addUser(database, "birch");
  const context = { database, mail: mailSettings };
  const setModerator = (isModerator: boolean) =>
    setRoleByOperator(context, {
      username: moderator.username,
      role: "moderator",
      given: isModerator,
      now: morning,
    });
  if (!isAlone) await setModerator(true);
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  const choose = (chosen: string[], { user = moderator, locale = "en" as Locale } = {}) =>
    chooseMails(context, { userId: user.id, chosen: new Set(chosen), locale, now: morning });
  const confirm = () => database.users.confirmEmail(moderator.id, morning);
  /** A post with a flood of 143 ratings. */
  const flood = async (title: string, by = author) => {
    const { id: postId, slug } = await addPost(database, by, { title });
    const window = openWindow(1, morning, 3_600_000, []);
    const counts = [130, 0, 0, 0, 0, 13] as const;
    await database.floodWindows.save(postId, { ...window, counts: [...counts] });
    return { decide: () => database.floodWindows.save(postId, { ...window, status: "counted" }), slug };
  };
  const nodes = [1, 2].map(() => undecidedMailer({ ...context, holdMs: 14 * dayMs }));
  /** The rounds of two nodes. */
  const round = async (now = morning) => {
    await Promise.all(nodes.map((queue) => queue(now)));
    await sendDueMails({ ...context, server: server.client, clock: () => now });
  };
  const subjects = () => server.mails.map(({ subject }) => subject);
  return { context, author, moderator, setModerator, server, choose, confirm, flood, round, subjects };
}

describe.each(newDatabases)("mails about floods to decide on, on %s", (_, open) => {
  test("a moderator who chose them gets one mail a day, only when there is a new flood", async () => {
    const { server, moderator, choose, confirm, flood, round, subjects } = await site(await open());
    await confirm();
    expect(await choose(["undecided"])).toEqual({ kind: "saved" });
    await round();
    expect(subjects()).toEqual([]);
    await flood("A post of the moderator", moderator);
    const { slug } = await flood("Qanat <b>");
    await round();
    await round(morning + 1);
    expect(subjects()).toEqual(["The Weir: a flood of ratings on “Qanat <b>” needs a decision"]);
    const [mail] = server.mails;
    expect(mail?.recipients).toEqual(["birch@example.org"]);
    expect(mail?.text).toContain(
      `“\u2068Qanat <b>\u2069”: 143 ratings so far, waiting until 15 March 2026\nhttps://weir.example/posts/${slug}/activity`,
    );
    expect(mail?.html).toContain("Qanat &lt;b&gt;");
    const later = await flood("Nahr");
    await round(morning + dayMs - 1);
    expect(subjects()).toHaveLength(1);
    await round(morning + dayMs);
    expect(subjects()[1]).toBe("The Weir: 2 floods of ratings need a decision");
    await later.decide();
    await round(morning + 3 * dayMs);
    expect(subjects()).toHaveLength(2);
  });

  test("an administrator gets one for an own post only while no other user could decide", async () => {
    const { context, author, choose, flood, round, subjects } = await site(await open(), { isAlone: true });
    await context.database.users.confirmEmail(author.id, morning);
    await choose(["undecided"], { user: author });
    await flood("Qanat");
    await round();
    expect(subjects()).toEqual(["The Weir: a flood of ratings on “Qanat” needs a decision"]);
    await addUser(context.database, "cedar", { isModerator: true });
    await flood("Nahr");
    await round(morning + dayMs);
    expect(subjects()).toHaveLength(1);
  });

  test("a round does not list the floods again while nothing has changed", async () => {
    const { context, choose, confirm, flood, round, subjects } = await site(await open());
    await confirm();
    await choose(["undecided"]);
    const later = await flood("Qanat");
    await round();
    const listing = vi.spyOn(context.database.shownFloods, "undecidedFor");
    const listings = async (now: number) => {
      listing.mockClear();
      await round(now);
      return listing.mock.calls.length;
    };
    expect(await listings(morning + dayMs - 1)).toBe(0);
    expect(await listings(morning + dayMs)).toBe(2);
    expect(await listings(morning + dayMs + 1)).toBe(0);
    expect(await listings(morning + dayMs + 600_000)).toBe(2);
    await later.decide();
    expect(await listings(morning + dayMs + 600_001)).toBe(2);
    expect(await listings(morning + dayMs + 600_002)).toBe(0);
    expect(subjects()).toHaveLength(1);
    await flood("Nahr");
    // One, when a node has sent the mail before the other reads the recipients.
    expect(await listings(morning + dayMs + 600_003)).toBeGreaterThan(0);
    expect(subjects()).toHaveLength(2);
  });

  test("no mail goes to others, to an unconfirmed address, or after the role has ended", async () => {
    const { context, author, moderator, setModerator, choose, confirm, flood, round, subjects } = await site(
      await open(),
    );
    await flood("Qanat");
    expect(await choose(["undecided"])).toEqual({ kind: "unconfirmed" });
    await confirm();
    await context.database.users.confirmEmail(author.id, morning);
    expect(await choose(["undecided"], { user: author })).toEqual({ kind: "saved" });
    expect(await context.database.deciderSubscriptions.of(author.id)).toBeUndefined();
    await round();
    await choose(["undecided"]);
    await setModerator(false);
    await round();
    expect(subjects()).toEqual([]);
    expect(await context.database.deciderSubscriptions.of(moderator.id)).toBeDefined();
  });

  test("a Persian mail has a link that turns them off", async () => {
    const { context, server, choose, confirm, flood, round, subjects } = await site(await open());
    await confirm();
    await choose(["undecided"], { locale: "fa" });
    await flood("قنات");
    await round();
    const [mail] = server.mails;
    expect(mail?.subject).toBe("The Weir: سیلی از امتیازها برای «قنات» در انتظار تصمیم است");
    expect(mail?.text).toContain("۱۴۳ امتیاز، در انتظار تا ۲۴ اسفند ۱۴۰۴");
    expect(mail?.headerLines.find(({ key }) => key === "list-unsubscribe-post")?.line).toBe(
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    );
    const [, token = ""] = /unsubscribe\?token=(u\S+)/.exec(mail?.text ?? "") ?? [];
    await unsubscribe({ ...context, ...mailSettings }, token);
    await flood("نهر");
    await round(morning + dayMs);
    expect(subjects()).toHaveLength(1);
  });
});

test("a mail that finds the outbox full is queued by a later round, though no flood has changed", async () => {
  const database = temporaryDatabase();
  const { context, choose, confirm, flood } = await site(database);
  await confirm();
  await choose(["undecided"]);
  await flood("Qanat");
  const queue = undecidedMailer({ ...context, holdMs: 14 * dayMs });
  fillOutbox(database, waitingMaximum);
  await queue(morning);
  emptyOutbox(database);
  expect(await database.mails.waiting(9)).toBe(0);
  await queue(morning);
  expect(await database.mails.waiting(9)).toBe(1);
});
