import { describe, expect, test } from "vitest";
import type { FloodWindow } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { latestChanges } from "../account-changes/index.ts";
import { auditLog } from "../audit-log/index.ts";
import { activityOf } from "../ratings/decisions/activity.ts";
import { uncountedRatingsOf, undecidedFloods } from "../ratings/decisions/undecided-floods.ts";
import { openWindow } from "../ratings/floods/flood-window.ts";
import { createRating, withdrawRating } from "../ratings/index.ts";
import type { User } from "../users/index.ts";
import { decideOnPost, postsForAdministrators } from "./administration.ts";
import { deletePost, featuredMaximum, findPost, listPosts, readPost, updatePost } from "./index.ts";
import type { PostDecision } from "./schema.ts";

const address = "192.0.2.1";
const heldWindow: FloodWindow = {
  ...openWindow(1, morning, 60_000, []),
  closedAt: morning,
  recentGapMs: 10,
  counts: [0, 0, 0, 0, 1, 0],
};

describe.each(newDatabases)("posts of administrators on %s", (_, open) => {
  async function setting(count = 1) {
    const database = await open();
    const context = contextOf(database);
    const keeper = await addUser(database, "keeper", { isAdministrator: true });
    const author = await addUser(database, "author");
    const reader = await addUser(database, "reader");
    const moderator = await addUser(database, "moderator", { isModerator: true });
    const slugs: string[] = [];
    for (let number = 1; number <= count; number += 1)
      slugs.push((await addPost(database, author, { title: `Post ${number}` })).slug);
    const decide = (decision: PostDecision, slug = slugs[0] ?? "", actor = keeper, why = "It is spam.") =>
      decideOnPost(context, { actor, slug, input: { decision, why }, now: morning });
    const titles = async (request: Partial<Parameters<typeof listPosts>[1]> = {}) =>
      (await listPosts(context, { sort: "newest", limit: 3, ...request }))?.items.map(({ title }) => title);
    return { context, database, keeper, author, reader, moderator, slugs, decide, titles };
  }

  test("an unpublished post is gone for readers and moderators, and stays for its author and administrators", async () => {
    const { context, database, keeper, author, reader, moderator, slugs, decide, titles } = await setting();
    const [slug = ""] = slugs;
    const rated = await createRating(context, {
      slug,
      user: reader,
      address,
      input: { score: 4 },
      now: morning,
    });
    expect(rated.kind).toBe("saved");
    const { id } = (await findPost(context, slug, null)) ?? expect.fail("no post");
    await database.floodWindows.save(id, heldWindow);
    await database.ratings.setWindow(id, reader.id, heldWindow.number);
    const floodsSeenBy = async (user: User) =>
      (await undecidedFloods(context, user)).floods.map(({ title }) => title);
    const uncounted = async () => (await uncountedRatingsOf(context, reader)).map(({ title }) => title);
    for (const viewer of [moderator, author, keeper]) expect(await floodsSeenBy(viewer)).toEqual(["Post 1"]);
    expect(await uncounted()).toEqual(["Post 1"]);
    expect(await decide("unpublish")).toEqual({ kind: "done" });
    expect([await floodsSeenBy(moderator), await uncounted()]).toEqual([[], []]);
    for (const viewer of [author, keeper]) expect(await floodsSeenBy(viewer)).toEqual(["Post 1"]);
    for (const viewer of [null, reader, moderator])
      expect([await findPost(context, slug, viewer), await readPost(context, slug, viewer)]).toEqual([
        null,
        null,
      ]);
    for (const viewer of [author, keeper])
      expect(await readPost(context, slug, viewer)).toMatchObject({
        title: "Post 1",
        unpublishedAt: morning,
      });
    expect(await titles()).toEqual([]);
    expect(await titles({ search: "post" })).toEqual([]);
    expect(await titles({ authorId: author.id, viewer: reader })).toEqual([]);
    for (const viewer of [author, keeper])
      expect(await titles({ authorId: author.id, viewer })).toEqual(["Post 1"]);
    expect(await database.posts.recent(9)).toEqual([]);

    const gone = { kind: "no-such-post" };
    const rating = { slug, user: reader, address, input: { score: 5 }, now: morning };
    expect(await createRating(context, rating)).toEqual(gone);
    expect(await withdrawRating(context, { slug, userId: keeper.id, now: morning })).toEqual(gone);
    const change = { slug, address, input: { title: "Other" }, now: morning };
    expect(await updatePost(context, { ...change, user: reader })).toEqual(gone);
    expect(await deletePost(context, { slug, user: reader, now: morning })).toEqual(gone);
    const activity = (user: User) => activityOf(context, { slug, user, span: "day", now: morning });
    expect(await activity(moderator)).toEqual(gone);
    expect((await activity(author)).kind).toBe("activity");
    expect(await updatePost(context, { ...change, user: author })).toMatchObject({ kind: "updated" });
    // Its slug stays its own.
    expect((await addPost(database, author, { title: "Post 1" })).slug).not.toBe(slug);

    expect(await decide("publish")).toEqual({ kind: "done" });
    expect(await readPost(context, slug, reader)).toMatchObject({
      title: "Other",
      myScore: 4,
      unpublishedAt: null,
    });
  });

  test("the author and administrators read why a post is unpublished, other readers nothing", async () => {
    const { context, author, keeper, reader, slugs, decide } = await setting(2);
    const [slug = "", other = ""] = slugs;
    await decide("unpublish", slug, keeper, "It is spam.");
    await decide("publish", slug, keeper, "A mistake.");
    await decide("unpublish", slug, keeper, "It is an advertisement.");
    await decide("unpublish", other, keeper, "Not yours.");
    for (const viewer of [author, keeper]) {
      expect(await readPost(context, slug, viewer)).toMatchObject({
        unpublishedWhy: "It is an advertisement.",
      });
      const list = await listPosts(context, { sort: "newest", limit: 3, authorId: author.id, viewer });
      expect(list?.items.map(({ unpublishedWhy }) => unpublishedWhy)).toEqual([
        "Not yours.",
        "It is an advertisement.",
      ]);
    }
    expect(await readPost(context, slug, reader)).toBeNull();
    await decide("publish", slug, keeper, "A mistake again.");
    for (const viewer of [reader, author])
      expect(await readPost(context, slug, viewer)).toMatchObject({ unpublishedWhy: null });
  });

  test("a rater withdraws a rating from an unpublished post", async () => {
    const { context, author, reader, slugs, decide } = await setting();
    const [slug = ""] = slugs;
    await createRating(context, { slug, user: reader, address, input: { score: 4 }, now: morning });
    await decide("unpublish");
    const withdrawal = { slug, userId: reader.id, now: morning };
    expect(await withdrawRating(context, withdrawal)).toEqual({ kind: "withdrawn" });
    expect((await findPost(context, slug, author))?.counts).toEqual([0, 0, 0, 0, 0, 0]);
    // Without a rating, the post is gone.
    expect(await withdrawRating(context, withdrawal)).toEqual({ kind: "no-such-post" });
  });

  test("featured posts come first once, and pages leave no post out", async () => {
    const { context, slugs, decide, titles } = await setting(6);
    await decide("feature", slugs[0]);
    await decide("feature", slugs[4]);
    const first = await listPosts(context, { sort: "newest", limit: 3, featuredFirst: true });
    expect(first?.items.map(({ title }) => title)).toEqual([
      "Post 5",
      "Post 1",
      "Post 6",
      "Post 4",
      "Post 3",
    ]);
    expect(await titles({ featuredFirst: true, cursor: first?.nextCursor ?? "" })).toEqual(["Post 2"]);
    expect(await titles()).toEqual(["Post 6", "Post 5", "Post 4"]);
    await decide("unpublish", slugs[4]);
    await decide("publish", slugs[4]);
    expect(await titles({ featuredFirst: true, limit: 1 })).toEqual(["Post 1", "Post 6"]);
  });

  test("features no more than the maximum at once, and lists every post that is not put first", async () => {
    const { database, slugs, decide, titles } = await setting(featuredMaximum + 3);
    const outcomes = await Promise.all(slugs.map((slug) => decide("feature", slug)));
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(featuredMaximum);
    for (const { id } of await database.posts.list({ sort: "newest", limit: 20 }))
      await database.posts.setFeaturedAt(id, morning);
    const all = await titles({ featuredFirst: true, limit: 20 });
    expect(all?.toSorted()).toEqual(slugs.map((_, index) => `Post ${index + 1}`));
  });

  test("finds posts for administrators by text and kind, page by page", async () => {
    const { context, keeper, reader, slugs, decide } = await setting(21);
    await decide("unpublish", slugs[2]);
    await decide("feature", slugs[3]);
    const find = async (request: Parameters<typeof postsForAdministrators>[2]) => {
      const found = await postsForAdministrators(context, keeper, request);
      return found.kind === "posts" ? found : expect.fail(found.kind);
    };
    const first = await find({});
    const second = await find({ cursor: first.next ?? "" });
    expect([...first.posts, ...second.posts]).toHaveLength(21);
    expect(second.next).toBeNull();
    expect((await find({ kind: "unpublished" })).posts.map(({ title }) => title)).toEqual(["Post 3"]);
    expect((await find({ kind: "featured" })).posts.map(({ title }) => title)).toEqual(["Post 4"]);
    expect((await find({ search: "3" })).posts.map(({ title }) => title)).toEqual(["Post 3"]);
    expect(await postsForAdministrators(context, reader, {})).toEqual({ kind: "forbidden" });
  });

  test("records each decision with its reason, and refuses those that do not apply", async () => {
    const { context, keeper, author, moderator, slugs, decide } = await setting(featuredMaximum + 1);
    expect(await decide("unpublish", slugs[0], keeper, " ")).toEqual({
      kind: "invalid",
      errors: { why: ["Say why in a sentence."] },
    });
    for (const actor of [author, moderator, { ...author, isAdministrator: true }])
      expect(await decide("unpublish", slugs[0], actor)).toEqual({ kind: "forbidden" });
    expect(await decide("publish")).toEqual({ kind: "not-applicable" });
    expect(await decide("unpublish", "missing")).toEqual({ kind: "no-such-post" });
    for (const slug of slugs.slice(1)) expect((await decide("feature", slug)).kind).toBe("done");
    expect(await decide("feature")).toEqual({ kind: "too-many-featured" });
    expect((await decide("unfeature", slugs[1])).kind).toBe("done");
    expect((await decide("unpublish")).kind).toBe("done");
    expect(await decide("feature")).toEqual({ kind: "not-applicable" });
    const { entries } = await auditLog(context, keeper);
    expect(entries.slice(0, 2)).toMatchObject([
      { kind: "unpublish", by: "keeper", why: "It is spam.", post: { slug: slugs[0], title: "Post 1" } },
      { kind: "unfeature", post: { slug: slugs[1] } },
    ]);
    // The list of changes of accounts has none of these.
    expect((await latestChanges(context, keeper)).changes).toEqual([]);
    await deletePost(context, { slug: slugs[0] ?? "", user: author, now: morning });
    expect((await auditLog(context, keeper)).entries[0]).toMatchObject({ kind: "unpublish", post: null });
  });
});
