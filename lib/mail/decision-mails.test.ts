import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import type { DecidedStatus } from "../ratings/floods/flood-window.ts";
import { dayMs } from "../time/units.ts";
import { chooseMails } from "./choices.ts";
import { decisionMailer, settlingMs } from "./decision-mails.ts";
import { sendDueMails } from "./sender.ts";
import { unsubscribe } from "./unsubscribe.ts";

/** A rater who wants mails about decisions, and a rater who does not. */
async function site(database: Database) {
  const author = await addUser(database, "alder");
  const [rater, other] = [await addUser(database, "birch"), await addUser(database, "cedar")];
  const context = { database, mail: mailSettings };
  for (const { id } of [rater, other]) await database.users.confirmEmail(id, morning);
  const choose = (...chosen: string[]) =>
    chooseMails(context, { userId: rater.id, chosen: new Set(chosen), locale: "en", now: morning });
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  const mailers = [decisionMailer(context), decisionMailer(context)];
  /** The work of two nodes until a moment; they mail a window after a minute. */
  const queueDue = async (now: number) => {
    for (const mailer of mailers) await mailer(now - settlingMs);
    await Promise.all(mailers.map((mailer) => mailer(now)));
    await sendDueMails({ ...context, server: server.client, clock: () => now });
  };
  /** A post with ratings of both in a window that is decided on. */
  const decide = async (title: string, ...results: DecidedStatus[]) => {
    const post = await addPost(database, author, { title });
    for (const { id: userId } of [rater, other])
      await database.ratings.insert(
        { postId: post.id, userId, score: 1, window: 1, now: morning },
        { replacesFormer: false },
      );
    for (const status of results)
      await database.floodWindows.recordDecision(post.id, {
        window: 1,
        at: morning,
        status,
        decidedBy: "time",
        ratings: 2,
      });
    return post;
  };
  return { context, server, choose, queueDue, decide };
}

describe.each(newDatabases)("mails about decisions on %s", (_, open) => {
  test("a rater who chose them gets one mail a day with the decisions since the last one", async () => {
    const { server, choose, queueDue, decide } = await site(await open());
    await decide("Before");
    await choose("decisions");
    await decide("Qanat", "excluded", "counted");
    await decide("Nahr", "excluded");
    await queueDue(morning + settlingMs);
    await queueDue(morning + 2 * settlingMs);
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([["birch@example.org"]]);
    const text = server.mails[0]?.text ?? "";
    expect(server.mails[0]?.subject).toBe("2 of your ratings have been decided on");
    expect(text).toContain("“\u2068Qanat\u2069”: your rating counts\nhttps://weir.example/posts/qanat");
    expect(text).toContain("“\u2068Nahr\u2069”: your rating does not count\n");
    await decide("Later", "counted");
    await queueDue(morning + dayMs);
    expect(server.mails).toHaveLength(1);
    await queueDue(morning + settlingMs + dayMs);
    expect(server.mails[1]?.subject).toBe("Your rating of “Later” has been decided on");
  });

  test("the mail's own link turns them off, by its signed token only", async () => {
    const { context, server, choose, queueDue, decide } = await site(await open());
    await choose("decisions");
    await decide("Qanat", "counted");
    await queueDue(morning + settlingMs);
    const header = server.mails[0]?.headerLines.find(({ key }) => key === "list-unsubscribe")?.line ?? "";
    const post = server.mails[0]?.headerLines.find(({ key }) => key === "list-unsubscribe-post")?.line ?? "";
    expect(post).toBe("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const token =
      /<https:\/\/weir\.example\/unsubscribe\/one-click\?token=([^>]+)>/.exec(
        header.replace(/\s+/g, ""),
      )?.[1] ?? "";
    expect(server.mails[0]?.text).toContain(`https://weir.example/unsubscribe?token=${token}\n`);
    const forged = token.replace(/^d(\w+)/, "f$1");
    await unsubscribe(
      { ...context, ...mailSettings },
      `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
    );
    await unsubscribe({ ...context, ...mailSettings }, forged);
    await decide("Second", "counted");
    await queueDue(morning + settlingMs + dayMs);
    expect(server.mails).toHaveLength(2);
    await unsubscribe({ ...context, ...mailSettings }, token);
    await unsubscribe({ ...context, ...mailSettings }, token);
    await decide("Third", "counted");
    await queueDue(morning + settlingMs + 2 * dayMs);
    expect(server.mails).toHaveLength(2);
  });
});
