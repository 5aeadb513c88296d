/** A user's copy of their own data, on both databases. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Database, MailKind } from "../../db/index.ts";
import { address, password, sessionFor } from "../../testing/accounts.ts";
import { filesIn } from "../../testing/archive.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryFolder } from "../../testing/database.ts";
import { zipOf } from "../archive/zip.ts";
import { mediaFolder } from "../media/folder.ts";
import { decideOnPost } from "../posts/administration.ts";
import { createRating, withdrawRating } from "../ratings/index.ts";
import { invite } from "../users/invitations.ts";
import { createAccount, setRoleByOperator } from "../users/manage.ts";
import { changeRole } from "../users/people.ts";
import { exportAccount, exportAccountByOperator, exportAccountOf, permitExport } from "./index.ts";

async function setting(database: Database) {
  const folder = mediaFolder(join(temporaryFolder(), "media"));
  const context = { ...contextOf(database, limitsWith()), mediaFolder: folder };
  const made = async (username: string) => {
    const input = { username, email: `${username}@example.org`, password };
    const outcome = await createAccount(context, { input, isAdministrator: false, now: morning });
    return sessionFor(context, outcome.kind === "registered" ? outcome.user : expect.fail(outcome.kind));
  };
  const session = await made("alder");
  const permit = async (by = session, now = morning) => {
    const outcome = await permitExport(context, {
      session: by,
      input: { currentPassword: password },
      address,
      now,
    });
    return outcome.kind === "permitted" ? outcome.ticket : expect.fail(outcome.kind);
  };
  const download = (ticket: string, by = session, now = morning) =>
    exportAccount(context, { session: by, ticket, address, now });
  return { context, session, made, permit, download };
}

describe.each(newDatabases)("an account's data on %s", (_, open) => {
  test("has the account, posts, ratings and attempts of its owner, and of no one else", async () => {
    const database = await open();
    const { context, session, permit, download } = await setting(database);
    const other = await addUser(database, "birch");
    await addPost(database, session.user, { title: "Still: water", content: "# Deep\n\n---\nاینجا" });
    const { slug } = await addPost(database, other, { title: "Another's" });
    await createRating(context, { slug, user: session.user, address, input: { score: 4 }, now: morning });
    await createRating(context, {
      slug: "still-water",
      user: other,
      address,
      input: { score: 1 },
      now: morning,
    });

    const { id: userId } = session.user;
    const [email, emailKey] = ["alder@example.org", "alder@example.org"];
    await database.users.confirmEmail(userId, morning);
    await database.subscribers.add({ email, emailKey, locale: "en", createdAt: morning });
    const times = { userId, createdAt: morning, expiresAt: morning + 1 };
    const next = { ...times, email: "new@example.org", emailKey: "new@example.org" };
    await database.emailChanges.save({ ...next, tokenHash: "next" });
    const former = { ...times, address: "old@example.org", addressKey: "old@example.org" };
    await database.mailLinks.insert({ ...former, kind: "restore-email", tokenHash: "former" });

    const outcome = await download(await permit());
    const files = await filesIn(zipOf(outcome.kind === "ready" ? outcome.files : expect.fail(outcome.kind)));
    expect([...files.keys()].sort()).toEqual([
      "account.json",
      "attempts-to-rate.json",
      "bookmarks.json",
      "earlier-versions.json",
      "emails.json",
      "media.json",
      "posts/2026/still-water.md",
      "ratings.json",
      "requests-and-decisions.json",
      "withdrawn-ratings.json",
    ]);
    expect(files.get("posts/2026/still-water.md")).toBe(
      `---
title: "Still: water"
slug: still-water
date: 2026-03-01T09:00:00.000Z
updated: 2026-03-01T09:00:00.000Z
author: alder
status: published
---

# Deep

---
اینجا
`,
    );
    expect(JSON.parse(files.get("account.json") ?? "")).toMatchObject({
      username: "alder",
      email: "alder@example.org",
      registeredAt: "2026-03-01T09:00:00.000Z",
      sessions: [{ loggedInAt: "2026-03-01T09:00:00.000Z" }],
      newEmail: { email: "new@example.org", requestedAt: "2026-03-01T09:00:00.000Z" },
      formerEmails: [{ email: "old@example.org", replacedAt: "2026-03-01T09:00:00.000Z" }],
      mails: { aboutFloods: false, aboutDecisions: false, aboutFloodsToDecide: false, aboutNewPosts: true },
    });
    const ratedAt = "2026-03-01T09:00:00.000Z";
    expect(JSON.parse(files.get("ratings.json") ?? "")).toEqual([
      { post: slug, title: "Another's", score: 4, ratedAt },
    ]);
    expect(JSON.parse(files.get("attempts-to-rate.json") ?? "")).toMatchObject([
      { post: slug, score: 4, isAllowed: true, count: 1 },
    ]);
    const everything = [...files.values()].join("\n");
    expect(everything).not.toContain("birch");
    expect(everything).not.toContain((await database.users.byId(session.user.id))?.passwordHash);
  });

  test("has the owner's words, records about them, emails and withdrawn ratings, and names no other person", async () => {
    const database = await open();
    const { context, session, permit, download } = await setting(database);
    const { user } = session;
    const keeper = await addUser(database, "keeper", { isAdministrator: true });
    const birch = await addUser(database, "birch", { isAdministrator: true });
    const own = await addPost(database, user, { title: "Still water" });
    const { slug, id: postId } = await addPost(database, birch, { title: "Another's" });
    await createRating(context, { slug, user, address, input: { score: 4 }, now: morning });
    await withdrawRating(context, { slug, userId: user.id, now: morning });
    await database.reviewRequests.insert(own.id, { window: 1, at: morning, why: "My readers came." });
    const decision = { window: 2, at: morning, status: "excluded", decidedBy: "person", ratings: 3 } as const;
    for (const [userId, role, why] of [
      [user.id, "moderator", "A raid, I think."],
      [birch.id, "administrator", "A secret of another's."],
    ] as const)
      await database.floodWindows.recordDecision(postId, { ...decision, userId, role, why });
    const unpublishing = {
      actor: keeper,
      slug: own.slug,
      input: { decision: "unpublish", why: "Off topic." },
      now: morning,
    };
    expect(await decideOnPost(context, unpublishing)).toEqual({ kind: "done" });
    const invitation = { input: { note: "A friend", days: "7" }, now: morning };
    expect((await invite(context, { actor: { ...user, isAdministrator: true }, ...invitation })).kind).toBe(
      "invited",
    );
    await invite(context, { actor: keeper, ...invitation, input: { note: "Another's friend", days: "7" } });
    for (const username of [user.username, "birch"]) {
      await setRoleByOperator(context, { username, role: "administrator", given: false, now: morning });
      const input = { role: "moderator", why: "A friend of birch, says keeper." };
      await changeRole(context, { actor: keeper, username, input, now: morning });
    }
    const used = { kind: "use-invitation", at: morning, actor: "owner", byUserId: null } as const;
    await database.accountChanges.record({ ...used, why: "A friend of birch" }, [
      { userId: user.id, deciders: 0 },
    ]);
    const mail = { locale: "en", data: "{}", createdAt: morning, expiresAt: morning + 1, dueAt: morning };
    const mailTo = (kind: MailKind, userId: number | null, address: string) =>
      database.mails.insert({
        ...mail,
        kind,
        userId,
        address,
        addressKey: address,
        messageId: `${kind} ${address}`,
      });
    await mailTo("flood", user.id, "alder@example.org");
    const [mailed] = await database.exports.mailsTo(user.id, 0, 1);
    const fault = "ESOCKET: connect ECONNREFUSED secret.internal:587";
    await database.mails.finish(mailed?.id ?? 0, { now: morning, fault });
    await mailTo("flood", birch.id, "birch@example.org");
    await mailTo("confirm-subscription", null, "alder@example.org");

    const read = async () => {
      const outcome = await download(await permit());
      return filesIn(zipOf(outcome.kind === "ready" ? outcome.files : expect.fail(outcome.kind)));
    };
    const files = await read();
    const at = "2026-03-01T09:00:00.000Z";
    expect(JSON.parse(files.get("withdrawn-ratings.json") ?? "")).toEqual([
      { post: slug, title: "Another's" },
    ]);
    const ofFlood = {
      post: slug,
      title: "Another's",
      flood: 2,
      decision: "excluded",
      why: "A raid, I think.",
    };
    const ofAccount = { at, why: null, post: null };
    expect(JSON.parse(files.get("requests-and-decisions.json") ?? "")).toEqual([
      {
        ...{ kind: "request-for-review", post: own.slug, title: "Still water", flood: 1 },
        ...{ why: "My readers came.", requestedAt: at, answeredAt: null },
      },
      { kind: "decision-on-flood", ...ofFlood, decidedAt: at, decidedAs: "moderator" },
      { kind: "record", change: "unpublish", at, by: "administrator", why: "Off topic.", post: own.slug },
      { kind: "record", change: "make-invitation", at, by: "you", why: "A friend", post: null },
      { kind: "record", change: "remove-administrator", by: "operator", ...ofAccount },
      { kind: "record", change: "make-moderator", by: "administrator", ...ofAccount },
      { kind: "record", change: "use-invitation", by: "owner", ...ofAccount },
      {
        ...{ kind: "invitation", note: "A friend", role: "writer", madeAt: at, usedAt: null },
        expiresAt: "2026-03-08T09:00:00.000Z",
      },
    ]);
    const email = { address: "alder@example.org", requestedAt: at, sentAt: null, givenUpAt: null };
    const givenUp = { kind: "flood", ...email, givenUpAt: at };
    expect(JSON.parse(files.get("emails.json") ?? "")).toEqual([givenUp]);
    for (const other of ["keeper", "birch", "secret"])
      expect([...files.values()].join("\n")).not.toContain(other);

    await database.users.confirmEmail(user.id, morning);
    expect(JSON.parse((await read()).get("emails.json") ?? "")).toEqual([
      givenUp,
      { kind: "confirm-subscription", ...email },
    ]);
  });

  test("has the owner's bookmarks and images, and leaves out a file that is gone", async () => {
    const database = await open();
    const { context, session, permit, download } = await setting(database);
    const { id: userId } = session.user;
    const { slug, id: postId } = await addPost(database, await addUser(database, "birch"));
    await database.bookmarks.add(userId, postId, morning);
    const image = { userId, width: 16, height: 9, isAnimated: false, bytes: 7, createdAt: morning };
    const [kept, gone] = ["a".repeat(25), "b".repeat(25)];
    await database.media.insert({ ...image, name: kept, alt: "A wall" });
    await database.media.insert({ ...image, name: gone, alt: "" });
    await context.mediaFolder.prepare();
    await context.mediaFolder.write(kept, [{ ending: "16x9.webp", bytes: Buffer.from("a wall") }]);
    const outcome = await download(await permit());
    const files = await filesIn(zipOf(outcome.kind === "ready" ? outcome.files : expect.fail(outcome.kind)));
    expect(JSON.parse(files.get("bookmarks.json") ?? "")).toMatchObject([{ post: slug }]);
    expect(JSON.parse(files.get("media.json") ?? "")).toMatchObject([
      { file: `media/${gone}-16x9.webp` },
      { file: `media/${kept}-16x9.webp`, description: "A wall" },
    ]);
    expect(files.get(`media/${kept}-16x9.webp`)).toBe("a wall");
    expect(files.has(`media/${gone}-16x9.webp`)).toBe(false);
  });

  test("names no post that is hidden from its owner by now", async () => {
    const database = await open();
    const { session, permit, download } = await setting(database);
    const { id: userId } = session.user;
    const { slug, id: postId } = await addPost(database, await addUser(database, "birch"));
    await database.bookmarks.add(userId, postId, morning);
    await database.ratings.insert({ postId, userId, score: 4, window: null, now: morning });
    await database.posts.setUnpublishedAt(postId, morning);
    const outcome = await download(await permit());
    const files = await filesIn(zipOf(outcome.kind === "ready" ? outcome.files : expect.fail(outcome.kind)));
    expect(JSON.parse(files.get("ratings.json") ?? "")).toMatchObject([
      { post: null, title: null, score: 4 },
    ]);
    expect(JSON.parse(files.get("bookmarks.json") ?? "")).toMatchObject([{ post: null, title: null }]);
    expect([...files.values()].join("\n")).not.toContain(slug);
  });

  test("needs the password, and is for its owner, for ten minutes, three times", async () => {
    const { context, session, made, permit, download } = await setting(await open());
    const wrong = { session, input: { currentPassword: "not this one" }, address, now: morning };
    expect(await permitExport(context, wrong)).toEqual({ kind: "wrong" });
    const ticket = await permit();
    expect((await download(ticket, await made("birch"))).kind).toBe("expired");
    expect((await download("", session)).kind).toBe("expired");
    expect((await download(ticket, session, morning + 600_001)).kind).toBe("expired");
    const kinds: string[] = [];
    for (let count = 0; count < 4; count += 1) kinds.push((await download(ticket)).kind);
    expect(kinds).toEqual(["ready", "ready", "ready", "limited"]);
  });

  test("is for administrators and the operator too, on record", async () => {
    const database = await open();
    const { context, session } = await setting(database);
    const { username } = session.user;
    const keeper = await addUser(database, "keeper", { isAdministrator: true });
    const reader = await addUser(database, "birch");
    await addPost(database, session.user, { title: "A draft of mine" });
    const request = { actor: keeper, username: "ALDER", address, now: morning };
    expect(await exportAccountOf(context, { ...request, actor: reader })).toEqual({ kind: "forbidden" });
    expect(await exportAccountOf(context, { ...request, username: "nobody" })).toEqual({
      kind: "no-such-user",
    });
    expect(await exportAccountByOperator(context, { username: "nobody", now: morning })).toEqual({
      kind: "no-such-user",
    });
    expect(await database.accountChanges.latest(9, undefined, "all")).toEqual([]);
    for (const outcome of [
      await exportAccountOf(context, request),
      await exportAccountByOperator(context, { username, now: morning }),
    ]) {
      const files = await filesIn(
        zipOf(outcome.kind === "ready" ? outcome.files : expect.fail(outcome.kind)),
      );
      expect(JSON.parse(files.get("account.json") ?? "")).toMatchObject({ username });
      expect(files.get("posts/2026/a-draft-of-mine.md")).toContain("author: alder");
    }
    const changes = await database.accountChanges.latest(9, undefined, "all");
    expect(changes).toMatchObject([
      { kind: "export-account", actor: "operator", by: null },
      { kind: "export-account", actor: "administrator", by: "keeper" },
    ]);
    expect(changes.map(({ accounts }) => accounts)).toEqual([1, 1]);
  });

  test("has every one of many posts, ratings and attempts", async () => {
    const database = await open();
    const { session, permit, download } = await setting(database);
    const other = await addUser(database, "birch");
    const attempt = { verb: "create", score: 1, allowed: true, held: false, policy: null } as const;
    const rating = { userId: session.user.id, score: 1, window: null, now: morning } as const;
    await database.transaction(async () => {
      for (let number = 0; number < 101; number += 1) {
        const text = { content: "x", html: null, renderer: 0, searchTitle: "", searchContent: "" };
        const post = { title: "x", ...text, createdAt: morning, publishedAt: morning };
        await database.posts.insert({ ...post, slug: `own-${number}`, authorId: session.user.id });
        const postId = await database.posts.insert({ ...post, slug: `other-${number}`, authorId: other.id });
        await database.ratings.insert({ ...rating, postId });
        const place = { postId, userId: session.user.id, at: morning, reason: null, level: null };
        await database.attempts.insert({ ...attempt, ...place });
        await database.attempts.insert({ ...attempt, ...place, allowed: false, at: morning + 1 });
      }
    });
    const outcome = await download(await permit());
    const files = await filesIn(zipOf(outcome.kind === "ready" ? outcome.files : expect.fail(outcome.kind)));
    expect([...files.keys()].filter((path) => path.startsWith("posts/"))).toHaveLength(101);
    const rated: { post: string }[] = JSON.parse(files.get("ratings.json") ?? "");
    expect(new Set(rated.map(({ post }) => post)).size).toBe(101);
    expect(JSON.parse(files.get("attempts-to-rate.json") ?? "")).toHaveLength(202);
  });
});
