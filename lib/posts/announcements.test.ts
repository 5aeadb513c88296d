import { describe, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import type { Database } from "../../db/index.ts";
import { newDatabases, upgradedDatabases } from "../../testing/both-databases.ts";
import { addUser, contextOf, morning } from "../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { dayMs } from "../time/units.ts";
import { decideOnPost } from "./administration.ts";
import { createPost, readPost, updatePost } from "./index.ts";
import { publishDue } from "./publishing.ts";

const address = "192.0.2.1";
const iso = (at: number) => new Date(at).toISOString();

async function site(database: Database) {
  const context = contextOf(database);
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const author = await addUser(database, "author");
  const webhook = { url: "http://127.0.0.1:1/", encryptedSecret: "", createdAt: morning };
  await database.webhooks.insert({ ...webhook, events: "post.published" });
  const save = (title: string, input: object = {}, now = morning) =>
    createPost(context, { user: author, address, input: { title, content: "Water.", ...input }, now });
  const change = (slug: string, input: object, now = morning) =>
    updatePost(context, { user: author, slug, address, input, now });
  const decide = (slug: string, decision: string) =>
    decideOnPost(context, { actor: keeper, slug, input: { decision, why: "For a test." }, now: morning });
  return { context, keeper, author, save, change, decide, announced: () => announcedBy(database) };
}

/** The webhooks' messages, oldest first, and the mails, newest first. */
async function announcedBy(database: Database) {
  const deliveries = await database.webhooks.latest(99);
  const mailed = await database.subscribers.announced({ after: 1, until: morning + 99 * dayMs, limit: 99 });
  return {
    sent: deliveries.toReversed().map(({ body }) => JSON.parse(body).data.post.slug),
    mailed: mailed.map(({ slug }) => slug),
  };
}

describe.each(newDatabases)("announcements of posts on %s", (_, open) => {
  test("an unlisted post is announced when it is listed for the first time, and never again", async () => {
    const { save, change, announced } = await site(await open());
    await save("Quiet", { unlisted: true });
    expect(await announced()).toEqual({ sent: [], mailed: [] });
    await change("quiet", { content: "Other." });
    await change("quiet", { unlisted: true });
    expect(await announced()).toEqual({ sent: [], mailed: [] });
    const later = morning + 9 * dayMs;
    await change("quiet", { unlisted: false }, later);
    expect(await announced()).toEqual({ sent: ["quiet"], mailed: ["quiet"] });
    await change("quiet", { unlisted: true }, later + 1);
    await change("quiet", { unlisted: false }, later + 2);
    await change("quiet", { unlisted: false }, later + 3);
    expect(await announced()).toEqual({ sent: ["quiet"], mailed: ["quiet"] });
  });

  test("a draft that is listed and published by one change is announced once", async () => {
    const { save, change, announced } = await site(await open());
    await save("Draft", { draft: true, unlisted: true });
    await change("draft", { unlisted: false });
    expect(await announced()).toEqual({ sent: [], mailed: [] });
    await change("draft", { unlisted: true });
    await change("draft", { unlisted: false, draft: false });
    expect(await announced()).toEqual({ sent: ["draft"], mailed: ["draft"] });
  });

  test("no mail is about a post that was published with an old date, listed again or not", async () => {
    const { save, change, announced } = await site(await open());
    await save("Old", { publishAt: iso(morning - 2 * dayMs) });
    expect(await announced()).toEqual({ sent: ["old"], mailed: [] });
    await change("old", { unlisted: true });
    await change("old", { unlisted: false });
    expect(await announced()).toEqual({ sent: ["old"], mailed: [] });
  });

  test("an unlisted post that was published with an old date is announced without mails when it is listed", async () => {
    const { save, change, announced } = await site(await open());
    await save("Old", { unlisted: true, publishAt: iso(morning - 2 * dayMs) });
    await change("old", { content: "Other." });
    expect(await announced()).toEqual({ sent: [], mailed: [] });
    await change("old", { unlisted: false });
    expect(await announced()).toEqual({ sent: ["old"], mailed: [] });
    await change("old", { unlisted: true });
    await change("old", { unlisted: false });
    expect(await announced()).toEqual({ sent: ["old"], mailed: [] });
  });

  test("a post that its author lists while it is hidden is announced when it is published again", async () => {
    const { save, change, decide, announced } = await site(await open());
    await save("Quiet", { unlisted: true });
    await decide("quiet", "unpublish");
    await change("quiet", { unlisted: false });
    expect(await announced()).toEqual({ sent: [], mailed: [] });
    for (const decision of ["publish", "unpublish", "publish"]) await decide("quiet", decision);
    expect(await announced()).toEqual({ sent: ["quiet"], mailed: ["quiet"] });
  });

  test("drafts that were due while no server ran are announced in the order of their dates", async () => {
    const { context, save, announced } = await site(await open());
    for (const [title, days] of [
      ["Third", 3],
      ["First", 1],
      ["Second", 2],
    ] as const)
      await save(title, { publishAt: iso(morning + (days * dayMs) / 10) });
    await publishDue({ ...context, whoMayWrite: "anyone" }, morning + dayMs);
    expect(await announced()).toEqual({
      sent: ["first", "second", "third"],
      mailed: ["third", "second", "first"],
    });
  });

  test("a draft that was due days before a server started is announced with mails, once, with its own date", async () => {
    const { context, author, save, change, announced } = await site(await open());
    await save("Late", { publishAt: iso(morning + dayMs) });
    await save("Quiet", { publishAt: iso(morning + dayMs), unlisted: true });
    const start = morning + 9 * dayMs;
    const due = () => publishDue({ ...context, whoMayWrite: "anyone" }, start);
    await due();
    expect(await announced()).toEqual({ sent: ["late"], mailed: ["late"] });
    expect(await readPost(context, "late", author)).toMatchObject({ publishedAt: morning + dayMs });
    await due();
    await change("late", { unlisted: true }, start + 1);
    await change("late", { unlisted: false }, start + 2);
    expect(await announced()).toEqual({ sent: ["late"], mailed: ["late"] });
    await change("quiet", { unlisted: false }, start + 3);
    expect(await announced()).toEqual({ sent: ["late", "quiet"], mailed: ["quiet", "late"] });
  });

  test("a scheduled draft that its author publishes with an old date is announced without mails", async () => {
    const { context, save, change, announced } = await site(await open());
    await save("Old", { publishAt: iso(morning + dayMs) });
    await change("old", { publishAt: iso(morning - 2 * dayMs) });
    await publishDue({ ...context, whoMayWrite: "anyone" }, morning + 9 * dayMs);
    expect(await announced()).toEqual({ sent: ["old"], mailed: [] });
  });
});

test("two nodes that publish due drafts at once on PostgreSQL announce each draft once", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const nodes = await Promise.all([1, 2].map(() => openPostgres(url, { timeouts: patientTimeouts })));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.close()))));
  const [database = expect.fail("no node")] = nodes;
  const { author, announced } = await site(database);
  const text = { title: "D", content: "D", html: null, renderer: 0, searchTitle: "d", searchContent: "d" };
  const slugs = Array.from({ length: 45 }, (_, number) => `d-${number}`);
  for (const [number, slug] of slugs.entries())
    await database.transaction(() =>
      database.posts.insert({
        ...text,
        ...{ slug, authorId: author.id, createdAt: morning, publishedAt: null, publishAt: morning + number },
      }),
    );
  const due = () =>
    nodes.map((node) => publishDue({ database: node, whoMayWrite: "anyone" }, morning + dayMs / 2));
  await Promise.all([...due(), ...due()]);
  const { sent, mailed } = await announced();
  expect(sent.toSorted()).toEqual(slugs.toSorted());
  expect(mailed.toSorted()).toEqual(slugs.toSorted());
});

test("two nodes that publish one draft at once on PostgreSQL announce it once", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const nodes = await Promise.all([1, 2].map(() => openPostgres(url, { timeouts: patientTimeouts })));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.close()))));
  const [database = expect.fail("no node")] = nodes;
  const { author, save, announced } = await site(database);
  await save("Draft", { publishAt: iso(morning + 1) });
  const request = { user: author, slug: "draft", address, input: { draft: false }, now: morning + 2 };
  await Promise.all(
    nodes.flatMap((node) => [
      updatePost(contextOf(node), request),
      publishDue({ database: node, whoMayWrite: "anyone" }, morning + 2),
    ]),
  );
  expect(await announced()).toEqual({ sent: ["draft"], mailed: ["draft"] });
});

test.each(upgradedDatabases)(
  "a post from before the upgrade is not announced when it is listed again, on %s",
  async (_, open) => {
    const database = await open(
      "announced_before",
      `insert into users (id, username, username_key, email, email_key, password_hash, created_at) values (1, 'a', 'a', 'a', 'a', 'x', 0);
    insert into posts (id, slug, title, author_id, created_at, updated_at, published_at) values (1, 'old', 'Old', 1, 5, 5, 5), (2, 'draft', 'Draft', 1, 5, 5, null);`,
    );
    expect(await database.subscribers.announce(1, morning)).toBe(false);
    expect(await database.subscribers.announce(2, morning)).toBe(true);
  },
);
