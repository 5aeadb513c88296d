import { expect, test } from "vitest";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { accessRules } from "../limits/access-rules.ts";
import { createRating } from "../ratings/index.ts";
import { removeAll } from "../removals/index.ts";
import type { User } from "../users/index.ts";
import { createPost, deletePost, listPosts, readPost, updatePost } from "./index.ts";

const address = "192.0.2.1";

async function blog(limits = limitsWith()) {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const stranger = await addUser(database, "stranger");
  const administrator = await addUser(database, "administrator", { isAdministrator: true });
  const context = contextOf(database, limits);
  const publish = (user: User, input: unknown, now = morning) =>
    createPost(context, { user, address, input, now });
  return { context, database, author, stranger, administrator, publish };
}

test("publishes a post under its title's slug, with its content unchanged", async () => {
  const { database, author, publish } = await blog();
  const input = { title: " نهر و رودخانه ", content: "# Heading\r\n\r\nText. " };
  expect(await publish(author, input)).toMatchObject({ kind: "created", slug: "نهر-و-رودخانه" });
  expect(await readPost({ database }, "نهر-و-رودخانه", null)).toMatchObject({
    title: "نهر و رودخانه",
    content: "# Heading\n\nText.",
    author: "author",
    createdAt: morning,
    updatedAt: morning,
    counts: [0, 0, 0, 0, 0, 0],
    myScore: null,
  });
  expect(await readPost({ database }, "nowhere", null)).toBeNull();
});

test("gives posts with the same title, and one called New, different addresses", async () => {
  const { database, author } = await blog();
  const slugOf = async (title: string) => (await addPost(database, author, { title })).slug;
  const slugs: string[] = [];
  for (let number = 1; number <= 11; number += 1) slugs.push(await slugOf("Water"));
  expect(new Set(slugs).size).toBe(11);
  expect(slugs.slice(0, 3)).toEqual(["water", "water-2", "water-3"]);
  expect(await slugOf("New")).toBe("new-2");
  expect(await slugOf("🌊")).toBe("post");
});

test("keeps the slug when the title changes, and fields that the change omits", async () => {
  const { context, database, author } = await blog();
  const { slug } = await addPost(database, author, { title: "Before", content: "Text." });
  const change = (input: unknown) =>
    updatePost(context, { user: author, slug, address, input, now: morning + 5 });
  expect(await change({ title: "After" })).toMatchObject({ kind: "updated" });
  expect(await readPost({ database }, "before", author)).toMatchObject({
    title: "After",
    content: "Text.",
    createdAt: morning,
    updatedAt: morning + 5,
  });
  expect(await change({ content: "Other." })).toMatchObject({ kind: "updated" });
  expect(await readPost({ database }, "before", author)).toMatchObject({ title: "After", content: "Other." });
});

test("lets the author edit, the author and administrators delete, and forbids all others", async () => {
  const { context, database, author, stranger, administrator } = await blog();
  const { slug: first } = await addPost(database, author, { title: "First" });
  const { slug: second } = await addPost(database, author, { title: "Second" });
  const input = { title: "Mine now" };
  for (const user of [stranger, administrator]) {
    const edit = (sent: unknown) =>
      updatePost(context, { user, slug: first, address, input: sent, now: morning });
    expect(await edit(input)).toEqual({ kind: "forbidden" });
    // A user who may not edit gets no validation errors.
    expect(await edit({})).toEqual({ kind: "forbidden" });
  }
  expect(await deletePost({ database }, { user: stranger, slug: first, now: morning })).toEqual({
    kind: "forbidden",
  });
  expect((await readPost({ database }, first, null))?.title).toBe("First");
  expect(await deletePost({ database }, { user: administrator, slug: first, now: morning })).toEqual({
    kind: "deleted",
  });
  expect(await deletePost({ database }, { user: author, slug: second, now: morning })).toEqual({
    kind: "deleted",
  });
  expect(await deletePost({ database }, { user: author, slug: second, now: morning })).toEqual({
    kind: "no-such-post",
  });
  const edit = { user: author, slug: second, address, input, now: morning };
  expect(await updatePost(context, edit)).toEqual({ kind: "no-such-post" });
});

test("deletes a post with its content, ratings and attempts", async () => {
  const { context, database, author, stranger } = await blog();
  const { slug } = await addPost(database, author);
  await createRating(context, { slug, user: stranger, address, input: { score: 3 }, now: morning });
  await deletePost({ database }, { user: author, slug, now: morning });
  await removeAll(context, () => morning, { pauseMs: 0 });
  for (const table of ["post_contents", "ratings", "attempts"])
    expect(database.sqlite.prepare(`select * from ${table}`).all(), table).toEqual([]);
});

test.each([
  ["a title that is missing", { content: "x" }, { title: ["Give your post a title."] }],
  ["an empty title", { title: " ", content: "x" }, { title: ["Give your post a title."] }],
  ["a title of joiners", { title: "\u200C", content: "x" }, { title: ["Give your post a title."] }],
  [
    "a title of 5 MB",
    { title: "x".repeat(5_000_000), content: "x" },
    { title: ["Title must have at most 200 characters."] },
  ],
  [
    "content of 5 MB",
    { title: "x", content: "x".repeat(5_000_000) },
    { content: ["Content must have at most 50,000 characters."] },
  ],
  [
    "a lone surrogate",
    { title: "x", content: "a\uD800" },
    { content: ["Content has a broken character: delete it and type it again."] },
  ],
  [
    "a control character",
    { title: "a\u0000b", content: "x" },
    { title: ["Title must be on one line, without control characters."] },
  ],
  [
    "wrong types",
    { title: {}, content: 5 },
    { title: ["Title must be text."], content: ["Content must be text."] },
  ],
  ["no object", "title", { form: ["A post is an object with title and content."] }],
])("a post with %s is refused by name, costs nothing and saves nothing", async (_, input, errors) => {
  const { database, author, publish } = await blog();
  expect(await publish(author, input)).toEqual({ kind: "invalid", errors });
  expect(database.sqlite.prepare("select * from limiter_states").all()).toEqual([]);
  expect((await listPosts({ database }, { sort: "newest", limit: 5 }))?.items).toEqual([]);
});

test("refuses an empty change and bad values, and names the fields", async () => {
  const { context, database, author } = await blog();
  const { slug } = await addPost(database, author, { title: "Kept" });
  const change = (input: unknown) =>
    updatePost(context, { user: author, slug, address, input, now: morning });
  expect(await change({})).toEqual({
    kind: "invalid",
    errors: { form: [expect.stringMatching(/^Send at least one of title, content, lang, .*\.$/)] },
  });
  expect(await change({ title: "" })).toMatchObject({
    kind: "invalid",
    errors: { title: expect.anything() },
  });
  expect(await change(null)).toMatchObject({ kind: "invalid", errors: { form: expect.anything() } });
  expect((await readPost({ database }, slug, null))?.title).toBe("Kept");
});

test("refuses to publish or edit for a user denied by an access rule", async () => {
  const { database, author } = await blog();
  const { slug } = await addPost(database, author, { title: "Kept" });
  const context = contextOf(database, limitsWith(), { rules: accessRules("deny user author") });
  const request = { user: author, slug, address, input: { title: "Spam", content: "Spam" }, now: morning };
  expect(await createPost(context, request)).toEqual({ kind: "denied" });
  expect(await updatePost(context, request)).toEqual({ kind: "denied" });
  expect(
    (await listPosts({ database }, { sort: "newest", limit: 5 }))?.items.map(({ title }) => title),
  ).toEqual(["Kept"]);
});

test("limits a user's posts without affecting other users", async () => {
  const limits = limitsWith({ LIMITS: '{"post.user": {"capacity": 2, "leakPerSecond": 0.1}}' });
  const { author, stranger, publish } = await blog(limits);
  const post = (user: User, now: number) => publish(user, { title: "Water", content: "x" }, now);
  expect((await post(author, morning)).kind).toBe("created");
  expect((await post(author, morning)).kind).toBe("created");
  expect(await post(author, morning + 9_999)).toMatchObject({
    kind: "limited",
    refusal: { policy: "post.user", decision: { retryAfterMs: 1 } },
  });
  expect((await post(stranger, morning)).kind).toBe("created");
  expect((await post(author, morning + 10_000)).kind).toBe("created");
});
