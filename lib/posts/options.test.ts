import { describe, expect, test } from "vitest";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { dayMs } from "../time/units.ts";
import { decideOnPost } from "./administration.ts";
import { createPost, deletePost, draftsOf, listPosts, presentSlugOf, readPost, updatePost } from "./index.ts";
import { formerSlugsMaximum } from "./lengths.ts";
import { publishDue } from "./publishing.ts";
import { tagNames } from "./tag-names.ts";
import { findTag } from "./tags.ts";

const address = "192.0.2.1";
const iso = (at: number) => new Date(at).toISOString();

describe.each(newDatabases)("options of posts on %s", (_, open) => {
  async function setting() {
    const database = await open();
    const context = contextOf(database, limitsWith({ LIMITS: '{"post.render": {"mode": "off"}}' }));
    const keeper = await addUser(database, "keeper", { isAdministrator: true });
    const author = await addUser(database, "author");
    const other = await addUser(database, "other");
    const save = (input: object, now = morning, user = author) =>
      createPost(context, { user, address, input: { title: "A post", content: "Water.", ...input }, now });
    const change = (input: object, { slug = "a-post", now = morning, user = author } = {}) =>
      updatePost(context, { user, slug, address, input, now });
    const read = (slug = "a-post", viewer: typeof author | null = author) => readPost(context, slug, viewer);
    const listed = async (request: Partial<Parameters<typeof listPosts>[1]> = {}) =>
      (await listPosts(context, { sort: "newest", limit: 9, ...request }))?.items.map(({ slug }) => slug);
    return { database, context, keeper, author, other, save, change, read, listed };
  }

  test("a post with a date in the future is published when its time comes, once, with that date", async () => {
    const { context, author, other, save, read, listed } = await setting();
    const publishAt = morning + dayMs;
    expect(await save({ publishAt: iso(publishAt) })).toEqual({
      kind: "created",
      slug: "a-post",
      isPublished: false,
      publishAt,
    });
    expect(await read("a-post", other)).toBeNull();
    await publishDue(context, publishAt - 1);
    expect(await read()).toMatchObject({ publishedAt: null, publishAt });
    await Promise.all([1, 2, 3].map(() => publishDue(context, publishAt + 5)));
    expect(await read("a-post", null)).toMatchObject({
      publishedAt: publishAt,
      publishAt: null,
      updatedAt: publishAt,
      createdAt: morning,
    });
    expect(await listed()).toEqual(["a-post"]);
    expect((await draftsOf(context, { user: author, limit: 9 }))?.items).toEqual([]);
  });

  test("more drafts than a transaction publishes are all published in one round", async () => {
    const { database, context, author, listed } = await setting();
    for (let number = 1; number <= 45; number += 1)
      await database.transaction(() =>
        database.posts.insert({
          ...{ title: "D", content: "D", html: null, renderer: 0, searchTitle: "d", searchContent: "d" },
          ...{ slug: `d-${number}`, authorId: author.id, createdAt: morning },
          ...{ publishedAt: null, publishAt: morning + number },
        }),
      );
    await publishDue(context, morning + 44);
    expect(await listed({ limit: 50 })).toHaveLength(44);
  });

  test("a scheduled post can be published now, scheduled again or not at all", async () => {
    const { context, save, change, read } = await setting();
    await save({ publishAt: iso(morning + dayMs) });
    expect(await change({ publishAt: iso(morning + 2 * dayMs) })).toMatchObject({
      isPublished: false,
      publishAt: morning + 2 * dayMs,
    });
    for (const input of [{ publishAt: null }, { draft: true }]) {
      await change({ publishAt: iso(morning + dayMs) });
      expect(await change(input)).toMatchObject({ isPublished: false, publishAt: null });
    }
    await publishDue(context, morning + 9 * dayMs);
    expect(await read()).toMatchObject({ publishedAt: null });
    await change({ publishAt: iso(morning + dayMs) });
    expect(await change({ draft: false }, { now: morning + 5 })).toMatchObject({ isPublished: true });
    expect(await read()).toMatchObject({ publishedAt: morning + 5, publishAt: null });
  });

  test.each(["not a writer", "disabled"])(
    "a draft that is due stays one, with the date that it missed, when its author is %s",
    async (why) => {
      const { database, context, author, save, change, read } = await setting();
      await save({ publishAt: iso(morning + 1) });
      await database.transaction(async () => {
        if (why === "disabled") await database.users.setDisabledAt(author.id, morning);
        else await database.users.setWriter(author.id, false);
      });
      await publishDue({ database, whoMayWrite: "invited" }, morning + 5);
      expect(await read()).toMatchObject({ publishedAt: null, publishAt: null, missedAt: morning + 1 });
      await publishDue(context, morning + 5);
      expect(await read()).toMatchObject({ publishedAt: null });
      await database.users.setDisabledAt(author.id, null);
      expect(await change({ draft: false }, { now: morning + 9 })).toMatchObject({ isPublished: true });
      expect(await read()).toMatchObject({ missedAt: null, publishedAt: morning + 9 });
    },
  );

  test("a deleted post is not published", async () => {
    const { database, context, author, save } = await setting();
    await save({ publishAt: iso(morning + 1) });
    await deletePost(context, { user: author, slug: "a-post", now: morning });
    await publishDue(context, morning + 5);
    expect(await database.posts.list({ sort: "newest", limit: 9, of: "all" })).toEqual([]);
  });

  test("a date in the past sorts a post, without a change that readers would see", async () => {
    const { database, author, save, change, read, listed } = await setting();
    await save({ publishAt: iso(morning - 9 * dayMs) });
    await addPost(database, author, { title: "Between", now: morning - 5 * dayMs });
    expect(await read()).toMatchObject({
      publishedAt: morning - 9 * dayMs,
      updatedAt: morning - 9 * dayMs,
      createdAt: morning,
    });
    expect(await listed()).toEqual(["between", "a-post"]);
    expect(await change({ publishAt: iso(morning - dayMs) })).toMatchObject({ isPublished: true });
    expect(await read()).toMatchObject({ publishedAt: morning - dayMs, updatedAt: morning - dayMs });
    expect(await listed()).toEqual(["a-post", "between"]);
    await change({ content: "Other.", publishAt: iso(morning - 2 * dayMs) });
    expect(await read()).toMatchObject({ publishedAt: morning - 2 * dayMs, updatedAt: morning });
  });

  test("a later date, which moves a post up, is for writers and counts as a new post", async () => {
    const database = await open();
    const limits = limitsWith({ LIMITS: '{"post.user": {"capacity": 2, "leakPerSecond": 0.001}}' });
    const context = contextOf(database, limits);
    const author = await addUser(database, "author");
    const input = { title: "A post", content: "Water.", publishAt: iso(morning - 9 * dayMs) };
    await createPost(context, { user: author, address, input, now: morning });
    const date = (days: number, changed: { whoMayWrite?: "invited" } = {}) =>
      updatePost(
        { ...context, ...changed },
        {
          user: author,
          slug: "a-post",
          address,
          input: { publishAt: iso(morning - days * dayMs) },
          now: morning,
        },
      );
    await database.users.setWriter(author.id, false);
    expect(await date(8, { whoMayWrite: "invited" })).toEqual({ kind: "not-a-writer" });
    expect(await date(10, { whoMayWrite: "invited" })).toMatchObject({ kind: "updated" });
    expect(await date(9)).toMatchObject({ kind: "updated" });
    expect(await date(8)).toMatchObject({ kind: "limited" });
    expect(await date(11)).toMatchObject({ kind: "updated" });
  });

  test("refuses dates that make no sense, and changes nothing", async () => {
    const { save, change, read } = await setting();
    for (const publishAt of ["soon", "2026-02-30", "1969-12-31T23:59Z", "+275760-01-01T00:00:00Z", 5, {}])
      expect(await save({ publishAt })).toMatchObject({
        kind: "invalid",
        errors: { publishAt: expect.any(Array) },
      });
    expect(await save({ draft: true, publishAt: iso(morning) })).toMatchObject({ kind: "invalid" });
    await save({});
    expect(await change({ title: "Other", publishAt: iso(morning + 1) })).toMatchObject({
      kind: "invalid",
      errors: { publishAt: [expect.stringContaining("past")] },
    });
    expect(await read()).toMatchObject({ title: "A post", publishedAt: morning });
    expect(await change({ publishAt: null })).toMatchObject({ isPublished: true });
  });

  test("a changed address leads on from the former one, which only its post can have again", async () => {
    const { database, context, other, save, change, read } = await setting();
    await save({});
    expect(await change({ slug: " My Néw Address " })).toMatchObject({ slug: "my-néw-address" });
    expect(await read("a-post")).toBeNull();
    expect(await presentSlugOf(context, "a-post", null)).toBe("my-néw-address");
    expect(await save({ slug: "a-post" }, morning, other)).toMatchObject({
      kind: "invalid",
      errors: { slug: [expect.stringContaining("Another post")] },
    });
    expect((await addPost(database, other)).slug).toBe("a-post-2");
    expect(await change({ slug: "a-post" }, { slug: "my-néw-address" })).toMatchObject({ slug: "a-post" });
    expect(await presentSlugOf(context, "my-néw-address", null)).toBe("a-post");
    expect(await presentSlugOf(context, "a-post", null)).toBeNull();
    expect(await change({ slug: "a-post-2" })).toMatchObject({ kind: "invalid" });
    // As an import keeps it: saving the form unchanged must not change it.
    const kept = `release_notes_1.2-${"x".repeat(180)}`;
    expect(await change({ slug: kept })).toMatchObject({ slug: kept });
    expect(await change({ slug: kept }, { slug: kept })).toMatchObject({ slug: kept });
    expect(await change({ slug: "a-post" }, { slug: kept })).toMatchObject({ slug: "a-post" });
    for (const slug of ["new", "—", "x".repeat(210)])
      expect(await change({ slug })).toMatchObject({ kind: "invalid", errors: { slug: expect.any(Array) } });
  });

  test("two posts that claim one address at once: one gets it", async () => {
    const { save, other } = await setting();
    const outcomes = await Promise.all([
      save({ slug: "claimed" }),
      save({ slug: "claimed" }, morning, other),
      save({ slug: "claimed" }),
    ]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["created", "invalid", "invalid"]);
  });

  test("a former address leads nowhere for readers who do not see the post, and is free once it is deleted", async () => {
    const { context, keeper, author, other, save, change } = await setting();
    await save({});
    await change({ slug: "other" });
    const input = { decision: "unpublish", why: "Spam." };
    await decideOnPost(context, { actor: keeper, slug: "other", input, now: morning });
    expect(await presentSlugOf(context, "a-post", null)).toBeNull();
    expect(await presentSlugOf(context, "a-post", author)).toBe("other");
    await deletePost(context, { user: author, slug: "other", now: morning });
    expect(await presentSlugOf(context, "a-post", author)).toBeNull();
    expect(await save({ slug: "a-post" }, morning, other)).toMatchObject({ kind: "created", slug: "a-post" });
  });

  test("an address is changed a limited number of times, and then among the former ones", async () => {
    const { save, change } = await setting();
    await save({ slug: "s-0" });
    for (let number = 1; number <= formerSlugsMaximum; number += 1)
      expect(await change({ slug: `s-${number}` }, { slug: `s-${number - 1}` })).toMatchObject({
        kind: "updated",
      });
    const last = { slug: `s-${formerSlugsMaximum}` };
    expect(await change({ slug: "one-more" }, last)).toMatchObject({ kind: "invalid" });
    expect(await change({ slug: "s-0" }, last)).toMatchObject({ kind: "updated", slug: "s-0" });
  });

  test("the address of a draft follows its title until its author chooses one, and leaves nothing behind", async () => {
    const { context, save, change } = await setting();
    await save({ draft: true });
    expect(await change({ title: "Later" })).toMatchObject({ slug: "later" });
    expect(await presentSlugOf(context, "a-post", null)).toBeNull();
    expect(await change({ slug: "mine" }, { slug: "later" })).toMatchObject({ slug: "mine" });
    expect(await change({ title: "Last" }, { slug: "mine" })).toMatchObject({ slug: "mine" });
    await change({ draft: false }, { slug: "mine" });
    expect(await change({ title: "Published" }, { slug: "mine" })).toMatchObject({ slug: "mine" });
  });

  test("tags are found in any case, keep their first name, and go with their last post", async () => {
    const { context, save, change, read, listed } = await setting();
    await save({ tags: ["Water", " river  bank ", "WATER", "آب"] });
    await save({ title: "Second", tags: ["water"] });
    expect((await read())?.tags).toEqual([
      { slug: "river-bank", name: "river bank" },
      { slug: "water", name: "Water" },
      { slug: "آب", name: "آب" },
    ]);
    expect((await read("second"))?.tags).toEqual([{ slug: "water", name: "Water" }]);
    expect(await listed({ tag: "water" })).toEqual(["second", "a-post"]);
    expect(await listed({ tag: "river-bank", search: "water" })).toEqual(["a-post"]);
    expect(await listed({ tag: "none" })).toEqual([]);
    await change({ unlisted: true });
    expect(await listed({ tag: "water" })).toEqual(["second"]);
    await change({ tags: [] });
    expect((await read())?.tags).toEqual([]);
    expect(await findTag(context, "river-bank")).toBeNull();
    expect(await findTag(context, "water")).toEqual({ slug: "water", name: "Water" });
  });

  test("a tag's name has no decoration, which all later posts with the tag would have", async () => {
    const { save, read } = await setting();
    await save({
      tags: ["!! Water 💩\u202e (x)", "C++", "R&D", "Node.js", "می\u200cروم", "d\u2066rops\ufe0f"],
    });
    const names = (await read())?.tags.map(({ name }) => name);
    expect(names?.toSorted()).toEqual(
      ["C++", "Node.js", "R&D", "Water x", "drops", "می\u200cروم"].toSorted(),
    );
  });

  test("leaves the names of tags in use alone when a post keeps its own", async () => {
    const { save, change, read } = await setting();
    await save({ tags: ["Water", "river"] });
    await change({ tags: ["river", "WATER"], content: "Other words." });
    expect((await read())?.tags.map(({ name }) => name)).toEqual(["river", "Water"]);
  });

  test("a tag has the name that the first published post gave it, whatever drafts call it", async () => {
    const { save, change, read } = await setting();
    const namesOf = async (slug: string) => (await read(slug))?.tags.map(({ name }) => name);
    await save({ title: "Draft", tags: ["wAtEr", "C"], draft: true });
    expect(await namesOf("draft")).toEqual(["C", "wAtEr"]);
    await save({ title: "First", tags: ["Water", "C++", "C#"] });
    expect(await namesOf("first")).toEqual(["C++", "C#", "Water"]);
    await save({ title: "Second", tags: ["WATER", "c"] });
    expect(await namesOf("second")).toEqual(["c", "Water"]);
    await change({ draft: false, tags: ["wAtEr", "C"] }, { slug: "draft" });
    expect(await namesOf("draft")).toEqual(["c", "Water"]);
    await save({ title: "Own", tags: ["river"], draft: true });
    await change({ draft: false, tags: ["River"] }, { slug: "own" });
    expect(await namesOf("own")).toEqual(["River"]);
  });

  test("a post keeps a tag with the slug that it was saved with", async () => {
    const { database, save, change, read } = await setting();
    await save({});
    const { id } = (await read()) ?? expect.fail("There is no post.");
    await database.transaction(() => database.tags.setOf(id, [{ slug: "c", name: "C++" }], { names: true }));
    await change({ tags: ["C++", "C"], content: "Other words." });
    expect((await read())?.tags).toEqual([{ slug: "c", name: "C++" }]);
  });

  test("posts that give and take one tag at once keep a whole set of tags", async () => {
    const { save, change, read } = await setting();
    await save({ tags: ["one"] });
    await save({ title: "Second" });
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all([
        change({ tags: round % 2 ? ["one"] : [] }),
        change({ tags: round % 2 ? [] : ["one"] }, { slug: "second" }),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(["updated", "updated"]);
      const [one, two] = [await read(), await read("second")];
      expect([...(one?.tags ?? []), ...(two?.tags ?? [])]).toHaveLength(1);
    }
  });

  test("refuses tags that are too many, too long or no names", async () => {
    const { save } = await setting();
    const many = Array.from({ length: 11 }, (_, number) => `tag ${number}`);
    for (const tags of [many, ["x".repeat(41)], ["—"], ["a\0b"], [""], [5], "water", ["\ud800a"]])
      expect(await save({ tags })).toMatchObject({ kind: "invalid", errors: { tags: expect.any(Array) } });
    expect(await save({ tags: many.slice(1) })).toMatchObject({ kind: "created" });
    expect(tagNames("water, river bank،آب,, ")).toEqual(["water", "river bank", "آب"]);
  });

  test("an author's own excerpt is shown in place of the text's beginning until it is emptied", async () => {
    const { save, change, read } = await setting();
    await save({ excerpt: "About water." });
    expect(await read()).toMatchObject({ excerpt: "About water.", updatedAt: morning });
    await change({ content: "Other words." }, { now: morning + 1 });
    expect(await read()).toMatchObject({ excerpt: "About water." });
    await change({ excerpt: " " });
    expect(await read()).toMatchObject({
      excerpt: "Other words.",
      chosenExcerpt: null,
      updatedAt: morning + 1,
    });
    expect(await change({ excerpt: "x".repeat(301) })).toMatchObject({ kind: "invalid" });
  });

  test("a featured post that becomes unlisted is featured no longer", async () => {
    const { context, keeper, save, change, read } = await setting();
    await save({});
    const input = { decision: "feature", why: "Good." };
    await decideOnPost(context, { actor: keeper, slug: "a-post", input, now: morning });
    expect(await read()).toMatchObject({ featuredAt: morning });
    await change({ unlisted: true });
    expect(await read()).toMatchObject({ featuredAt: null, isUnlisted: true });
    await change({ unlisted: false });
    expect(await read()).toMatchObject({ featuredAt: null, isUnlisted: false });
  });
});
