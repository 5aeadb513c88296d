import { describe, expect, test } from "vitest";
import { newDatabases, upgradedDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { activityOf } from "../ratings/decisions/activity.ts";
import { createRating, withdrawRating } from "../ratings/index.ts";
import type { User } from "../users/index.ts";
import { decideOnPost, postsForAdministrators } from "./administration.ts";
import { createPost, deletePost, draftsOf, findPost, listPosts, readPost, updatePost } from "./index.ts";
import { draftsMaximum } from "./lengths.ts";
import { publishDue } from "./publishing.ts";
import { versionOf } from "./version.ts";

const address = "192.0.2.1";

describe.each(newDatabases)("drafts on %s", (_, open) => {
  async function setting(limits = limitsWith()) {
    const database = await open();
    const context = contextOf(database, limits);
    const keeper = await addUser(database, "keeper", { isAdministrator: true });
    const author = await addUser(database, "author");
    const reader = await addUser(database, "reader");
    const save = (input: object, now = morning) =>
      createPost(context, {
        user: author,
        address,
        input: { title: "A draft", content: "Water.", ...input },
        now,
      });
    const change = (input: object, now = morning, user: User = author) =>
      updatePost(context, { user, slug: "a-draft", address, input, now });
    const listed = async (request: Partial<Parameters<typeof listPosts>[1]> = {}) =>
      (await listPosts(context, { sort: "newest", limit: 9, ...request }))?.items.map(({ slug }) => slug);
    return { database, context, keeper, author, reader, save, change, listed };
  }

  test("a draft is seen by its author only, in no list, and takes no rating", async () => {
    const { database, context, keeper, author, reader, save, listed } = await setting();
    expect(await save({ draft: true })).toMatchObject({
      kind: "created",
      slug: "a-draft",
      isPublished: false,
    });
    expect(await readPost(context, "a-draft", author)).toMatchObject({
      publishedAt: null,
      content: "Water.",
    });
    const gone = { kind: "no-such-post" };
    for (const user of [keeper, reader]) {
      expect(await findPost(context, "a-draft", user)).toBeNull();
      const request = { user, slug: "a-draft", address, now: morning };
      expect(await updatePost(context, { ...request, input: { title: "Mine" } })).toEqual(gone);
      expect(await deletePost(context, request)).toEqual(gone);
      expect(await activityOf(context, { ...request, span: "day" })).toEqual(gone);
    }
    expect(await findPost(context, "a-draft", null)).toBeNull();
    for (const user of [author, reader]) {
      const rating = { slug: "a-draft", user, address, input: { score: 5 }, now: morning };
      expect(await createRating(context, rating)).toEqual(gone);
      expect(await withdrawRating(context, { slug: "a-draft", userId: user.id, now: morning })).toEqual(gone);
    }
    const decision = { decision: "unpublish", why: "It is spam." };
    expect(
      await decideOnPost(context, { actor: keeper, slug: "a-draft", input: decision, now: morning }),
    ).toEqual(gone);
    expect(await postsForAdministrators(context, keeper, {})).toMatchObject({ posts: [] });
    for (const viewer of [null, author, keeper]) {
      expect(await listed({ viewer })).toEqual([]);
      expect(await listed({ viewer, search: "water" })).toEqual([]);
      expect(await listed({ viewer, authorId: author.id })).toEqual([]);
    }
    expect(await database.posts.recent(9)).toEqual([]);
    expect((await database.posts.draftsOf(author.id, 9)).map(({ slug }) => slug)).toEqual(["a-draft"]);
  });

  test("publishing a draft dates it, and a published post never becomes a draft again", async () => {
    const { database, context, author, save, change, listed } = await setting();
    await save({ draft: true });
    await addPost(database, author, { title: "Between", now: morning + 1 });
    expect(await change({ content: "Later.", draft: true }, morning + 2)).toMatchObject({
      kind: "updated",
      isPublished: false,
    });
    expect(await change({ draft: false }, morning + 3)).toMatchObject({ kind: "updated", isPublished: true });
    expect(await readPost(context, "a-draft", null)).toMatchObject({
      content: "Later.",
      createdAt: morning,
      publishedAt: morning + 3,
      updatedAt: morning + 3,
    });
    expect(await listed()).toEqual(["a-draft", "between"]);
    expect(await change({ draft: false, title: "Again" }, morning + 4)).toMatchObject({ isPublished: true });
    expect(await readPost(context, "a-draft", null)).toMatchObject({
      title: "Again",
      publishedAt: morning + 3,
      updatedAt: morning + 4,
    });
    expect(await change({ draft: true })).toEqual({ kind: "already-published" });
    expect(await database.posts.draftsOf(author.id, 9)).toEqual([]);
  });

  test("of several requests that publish a draft at once, one does", async () => {
    const { database, context, save } = await setting();
    await save({ draft: true });
    const { id } = (await database.posts.idOf("a-draft")) ?? expect.fail("no draft");
    const published = await Promise.all(
      [1, 2, 3].map((later) => database.transaction(() => database.posts.publish(id, morning + later))),
    );
    const winners = published.flatMap((row, index) => (row ? [index] : []));
    expect(winners).toHaveLength(1);
    const winner = morning + 1 + (winners[0] ?? 0);
    expect(await readPost(context, "a-draft", null)).toMatchObject({ publishedAt: winner });
  });

  test("refuses a change based on a version that another change replaced, and returns the present one", async () => {
    const { context, author, save } = await setting();
    const read = async () => (await readPost(context, "a-draft", author)) ?? expect.fail("no post");
    const change = (versions: readonly string[] | undefined, input: object) =>
      updatePost(context, { user: author, slug: "a-draft", address, input, now: morning, versions });
    await save({ draft: true });
    const changes = [
      { content: "Two." },
      { tags: ["river"] },
      { excerpt: "Short." },
      { unlisted: true },
      { publishAt: new Date(morning + 9).toISOString() },
      { lang: "fa" },
      { draft: false },
    ];
    for (const input of changes) {
      const shown = versionOf(await read());
      expect(await change([shown], input)).toMatchObject({ kind: "updated" });
      const present = await read();
      expect(await change([shown], { content: "Lost?" })).toEqual({
        kind: "outdated",
        version: versionOf(present),
      });
      expect(await read()).toEqual(present);
    }
    expect(await change(undefined, { content: "Last." })).toMatchObject({ kind: "updated" });
    expect(await change([], { content: "None." })).toMatchObject({ kind: "outdated" });
    expect(await change(["other", versionOf(await read())], { content: "Knowingly." })).toMatchObject({
      kind: "updated",
    });
  });

  test("deletes no post that was changed since the version that was read", async () => {
    const { context, author, save, change } = await setting();
    await save({ draft: true });
    const version = versionOf((await readPost(context, "a-draft", author)) ?? expect.fail("no post"));
    await change({ content: "Two." });
    const present = versionOf((await readPost(context, "a-draft", author)) ?? expect.fail("no post"));
    const remove = (versions: readonly string[]) =>
      deletePost(context, { slug: "a-draft", user: author, now: morning, versions });
    expect(await remove([version])).toEqual({ kind: "outdated", version: present });
    expect(await readPost(context, "a-draft", author)).toMatchObject({ content: "Two." });
    expect(await remove([version, present])).toEqual({ kind: "deleted" });
  });

  test("of two changes at once that are based on one version, one is saved", async () => {
    const { context, author, save } = await setting();
    await save({ draft: true });
    const version = versionOf((await readPost(context, "a-draft", author)) ?? expect.fail("no post"));
    const outcomes = await Promise.all(
      ["One.", "Two."].map((content) =>
        updatePost(context, {
          user: author,
          slug: "a-draft",
          address,
          input: { content },
          now: morning,
          versions: [version],
        }),
      ),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["outdated", "updated"]);
  });

  test("a scheduled post that is published keeps its version, so an open form still saves it", async () => {
    const { context, author, save } = await setting();
    await save({ publishAt: new Date(morning + 9).toISOString() });
    const version = versionOf((await readPost(context, "a-draft", author)) ?? expect.fail("no post"));
    await publishDue({ ...context, whoMayWrite: "anyone" }, morning + 9);
    expect(
      await updatePost(context, {
        ...{ user: author, slug: "a-draft", address, now: morning + 10, versions: [version] },
        input: { content: "Later." },
      }),
    ).toMatchObject({ kind: "updated", isPublished: true });
  });

  test("publishing counts as a new post under the limit, and saving a draft again does not", async () => {
    const limits = limitsWith({
      LIMITS: JSON.stringify({ "post.user": { capacity: 2, leakPerSecond: 0.0001 } }),
    });
    const { save, change } = await setting(limits);
    await save({ draft: true });
    for (const content of ["One.", "Two."])
      expect(await change({ content, draft: true })).toMatchObject({ kind: "updated" });
    expect(await save({ title: "Another" })).toMatchObject({ kind: "created" });
    expect(await change({ draft: false })).toMatchObject({ kind: "limited" });
    expect(await change({ draft: false }, morning + 86_400_000)).toMatchObject({ isPublished: true });
  });

  test("a user has at most a hundred drafts, and publishes all the same", async () => {
    const { database, author, save } = await setting();
    const text = { title: "D", content: "D", html: null, renderer: 0, searchTitle: "d", searchContent: "d" };
    for (let number = 1; number < draftsMaximum; number += 1)
      await database.transaction(() =>
        database.posts.insert({
          ...text,
          slug: `d-${number}`,
          authorId: author.id,
          createdAt: morning,
          publishedAt: null,
        }),
      );
    const twice = await Promise.all([save({ draft: true }), save({ draft: true })]);
    expect(twice.map(({ kind }) => kind).toSorted()).toEqual(["created", "too-many-drafts"]);
    expect(await save({})).toMatchObject({ kind: "created", isPublished: true });
  });

  test("the list of drafts has pages, as an import may bring more than a hundred", async () => {
    const { database, context, author, reader } = await setting();
    const text = { title: "D", content: "D", html: null, renderer: 0, searchTitle: "d", searchContent: "d" };
    for (let number = 1; number <= 5; number += 1)
      await database.transaction(() =>
        database.posts.insert({
          ...text,
          slug: `d-${number}`,
          authorId: author.id,
          createdAt: morning + Math.floor(number / 3),
          publishedAt: null,
        }),
      );
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await draftsOf(context, { user: author, cursor, limit: 2 });
      if (!page) expect.fail("The cursor leads nowhere.");
      pages.push(page.items.map(({ slug }) => slug));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([["d-5", "d-4"], ["d-3", "d-2"], ["d-1"]]);
    expect(await draftsOf(context, { user: author, cursor: "x", limit: 2 })).toBeNull();
    expect(await draftsOf(context, { user: reader, limit: 2 })).toEqual({ items: [], nextCursor: null });
  });

  test("a user who may not write any more keeps a draft, changes it, and cannot publish it", async () => {
    const { database, context, author, save } = await setting();
    await save({ draft: true });
    await database.transaction(() => database.users.setWriter(author.id, false));
    const invited = { ...context, whoMayWrite: "invited" as const };
    const change = (input: object) =>
      updatePost(invited, { user: author, slug: "a-draft", address, input, now: morning });
    expect(await change({ content: "Other." })).toMatchObject({ kind: "updated", isPublished: false });
    expect(await change({ draft: false })).toEqual({ kind: "not-a-writer" });
    expect(await readPost(context, "a-draft", author)).toMatchObject({ publishedAt: null });
  });

  test("a user who may not write any more cannot publish or reschedule a scheduled post", async () => {
    const { database, context, author, save } = await setting();
    const iso = (at: number) => new Date(at).toISOString();
    await save({ publishAt: iso(morning + 9) });
    await database.transaction(() => database.users.setWriter(author.id, false));
    const approved = { ...context, whoMayWrite: "approved" as const };
    const change = (input: object, now = morning + 1) =>
      updatePost(approved, { user: author, slug: "a-draft", address, input, now });
    for (const input of [
      { draft: false },
      { draft: false, publishAt: iso(morning + 8) },
      { publishAt: iso(morning) },
    ])
      expect(await change(input)).toEqual({ kind: "not-a-writer" });
    expect(await change({ content: "Other." })).toMatchObject({
      isPublished: false,
      publishAt: morning + 9,
    });
    expect(await change({ draft: true })).toMatchObject({ isPublished: false, publishAt: null });
    expect(await readPost(context, "a-draft", author)).toMatchObject({ publishedAt: null });
  });

  test("an unlisted post is read and rated by its link, and is in no list but its author's", async () => {
    const { database, context, keeper, author, reader, listed } = await setting();
    const text = { content: "Water.", html: "Water.", renderer: 1 };
    await database.transaction(() =>
      database.posts.insert({
        ...text,
        title: "Quiet",
        searchTitle: "quiet",
        searchContent: "water.",
        slug: "quiet",
        authorId: author.id,
        createdAt: morning,
        isUnlisted: true,
      }),
    );
    expect(await readPost(context, "quiet", null)).toMatchObject({ title: "Quiet" });
    const rating = { slug: "quiet", user: reader, address, input: { score: 5 }, now: morning };
    expect(await createRating(context, rating)).toMatchObject({ kind: "saved" });
    expect(await listed()).toEqual([]);
    expect(await listed({ search: "water" })).toEqual([]);
    expect(await listed({ viewer: reader, authorId: author.id })).toEqual([]);
    expect(await database.posts.recent(9)).toEqual([]);
    for (const viewer of [author, keeper])
      expect(await listed({ viewer, authorId: author.id })).toEqual(["quiet"]);
    const decision = { decision: "feature", why: "Good." };
    expect(
      await decideOnPost(context, { actor: keeper, slug: "quiet", input: decision, now: morning }),
    ).toEqual({ kind: "not-applicable" });
  });
});

test.each(upgradedDatabases)(
  "posts from before drafts are published when they were created, on %s",
  async (_, open) => {
    const database = await open(
      "drafts_and_tags",
      `insert into users (id, username, username_key, email, email_key, password_hash, created_at) values (1, 'a', 'a', 'a', 'a', 'x', 0);
    insert into posts (id, slug, title, author_id, created_at, updated_at) values (1, 'old', 'Old', 1, ${morning}, ${morning + 5});`,
    );
    expect(await database.posts.bySlug("old")).toMatchObject({
      publishedAt: morning,
      updatedAt: morning + 5,
    });
  },
);
