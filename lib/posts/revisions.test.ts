import { describe, expect, test } from "vitest";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { createPost, readPost, updatePost } from "./index.ts";
import { revisionBounds } from "./lengths.ts";
import { compareRevision, readRevision, restoreRevision, revisionsOf } from "./revisions.ts";
import { shortened, textChanges } from "./text-changes.ts";
import { versionOf } from "./version.ts";

const address = "192.0.2.1";

describe.each(newDatabases)("revisions on %s", (_, open) => {
  async function setting() {
    const database = await open();
    const context = contextOf(database, limitsWith({ LIMITS: '{"post.render": {"mode": "off"}}' }));
    const author = await addUser(database, "author");
    const keeper = await addUser(database, "keeper", { isAdministrator: true });
    const reader = await addUser(database, "reader");
    const { slug, id } = await addPost(database, author, { content: "One two three." });
    const change = (input: object, now = morning) =>
      updatePost(context, { user: author, slug, address, input, now });
    const titles = async () => {
      const found = await revisionsOf(context, { slug, user: author });
      return found.kind === "revisions" ? found.revisions.map(({ title }) => title) : found.kind;
    };
    return { database, context, author, keeper, reader, slug, id, change, titles };
  }

  test("each change of title or text keeps the one before, and other changes keep none", async () => {
    const { context, author, slug, id, change, titles, database } = await setting();
    await change({ title: "Second" }, morning + 1);
    await change({ content: "One 2 three." }, morning + 2);
    await change({ title: "Second", tags: ["water"], excerpt: "Short." }, morning + 3);
    expect(await titles()).toEqual(["Second", "A post"]);
    const [latest] = await database.postRevisions.ofPost(id);
    expect(await compareRevision(context, { slug, user: author, id: latest?.id ?? 0 })).toMatchObject({
      savedAt: morning + 1,
      isSame: false,
      content: [
        { kind: "same", text: "One " },
        { kind: "removed", text: "two" },
        { kind: "added", text: "2" },
        { kind: "same", text: " three." },
      ],
    });
  });

  test("a revision shows how many of its images were removed since", async () => {
    const { database, context, author, slug, id, change } = await setting();
    const kept = "k".repeat(25);
    const shown = [kept, "g".repeat(25), "h".repeat(25)].map((name) => `![](/media/${name}-9x9.webp)`);
    await database.media.insert({
      ...{ name: kept, userId: author.id, width: 9, height: 9, isAnimated: false },
      ...{ bytes: 1, alt: "", createdAt: morning },
    });
    await change({ content: shown.join(" ") }, morning + 1);
    await change({ content: "No image." }, morning + 2);
    const missing = async (revision: number | undefined) => {
      const compared = await compareRevision(context, { slug, user: author, id: revision ?? 0 });
      return compared.kind === "compared" ? compared.missingImages : compared.kind;
    };
    const [latest, first] = await database.postRevisions.ofPost(id);
    expect([await missing(latest?.id), await missing(first?.id)]).toEqual([2, 0]);
  });

  test("a draft keeps no revision", async () => {
    const { database, context, author } = await setting();
    const input = { title: "Draft", content: "One.", draft: true };
    await createPost(context, { user: author, address, input, now: morning });
    const change = { user: author, slug: "draft", address, now: morning };
    await updatePost(context, { ...change, input: { content: "Two." } });
    const draft = await database.posts.idOf("draft");
    expect(await database.postRevisions.ofPost(draft?.id ?? 0)).toEqual([]);
  });

  test("restoring brings the text back and keeps the present one as a revision", async () => {
    const { database, context, author, keeper, reader, slug, id, change, titles } = await setting();
    await change({ title: "Second", content: "Other." }, morning + 1);
    const [first] = await database.postRevisions.ofPost(id);
    const restore = (user = author, revision = first?.id ?? 0) =>
      restoreRevision(context, { slug, user, id: revision, address, now: morning + 2 });
    expect(await restore(reader)).toEqual({ kind: "forbidden" });
    expect(await restore(keeper)).toEqual({ kind: "forbidden" });
    expect(await restore(author, 999)).toEqual({ kind: "nothing-there" });
    expect(await restore()).toMatchObject({ kind: "updated" });
    expect(await readPost(context, slug, null)).toMatchObject({ title: "A post", content: "One two three." });
    expect(await titles()).toEqual(["Second", "A post"]);
  });

  test("restoring changes no post that was changed since the version that was read", async () => {
    const { database, context, author, slug, id, change } = await setting();
    const read = async () => (await readPost(context, slug, author)) ?? expect.fail("no post");
    await change({ content: "Second." }, morning + 1);
    const version = versionOf(await read());
    const [first] = await database.postRevisions.ofPost(id);
    await change({ tags: ["water"] }, morning + 2);
    const restore = (versions: readonly string[]) =>
      restoreRevision(context, {
        slug,
        user: author,
        id: first?.id ?? 0,
        address,
        now: morning + 3,
        versions,
      });
    const present = versionOf(await read());
    expect(await restore([version])).toEqual({ kind: "outdated", version: present });
    expect(await read()).toMatchObject({ content: "Second." });
    expect(await restore([present])).toMatchObject({ kind: "updated" });
  });

  test("author and administrators see revisions, other readers do not", async () => {
    const { database, context, keeper, reader, slug, id, change } = await setting();
    await change({ title: "Second" });
    const [first] = await database.postRevisions.ofPost(id);
    expect(await revisionsOf(context, { slug, user: keeper })).toMatchObject({ kind: "revisions" });
    expect(await revisionsOf(context, { slug, user: reader })).toEqual({ kind: "forbidden" });
    expect(await compareRevision(context, { slug, user: reader, id: first?.id ?? 0 })).toEqual({
      kind: "forbidden",
    });
    const read = (user: typeof keeper, revision = first?.id ?? 0) =>
      readRevision(context, { slug, user, id: revision });
    expect(await read(keeper)).toMatchObject({ kind: "revision", revision: { content: "One two three." } });
    expect(await read(keeper, 999)).toEqual({ kind: "nothing-there" });
    expect(await read(reader)).toEqual({ kind: "forbidden" });
    const other = await addPost(database, keeper, { title: "Other" });
    const request = { slug: other.slug, user: keeper, id: first?.id ?? 0 };
    expect(await compareRevision(context, request)).toEqual({ kind: "nothing-there" });
  });

  test("the oldest revisions go beyond their number and their characters", async () => {
    const { database, id } = await setting();
    const keep = (content: string) =>
      database.transaction(() =>
        database.postRevisions.insert({ postId: id, title: "T", content, savedAt: morning }, revisionBounds),
      );
    for (let number = 1; number <= revisionBounds.count + 2; number += 1) await keep(`${number}`);
    const kept = await database.postRevisions.ofPost(id);
    expect(kept).toHaveLength(revisionBounds.count);
    for (let number = 1; number <= 12; number += 1) await keep("x".repeat(50_000));
    expect(await database.postRevisions.ofPost(id)).toHaveLength(9);
  });
});

test("compares words of any script, and gives up on long texts without anything in common", () => {
  expect(textChanges("آب و سنگ", "آب و خاک", "fa")).toEqual([
    { kind: "same", text: "آب و " },
    { kind: "removed", text: "سنگ" },
    { kind: "added", text: "خاک" },
  ]);
  expect(textChanges("", "", null)).toEqual([]);
  const words = (word: string) => Array.from({ length: 8_000 }, (_, index) => `${word}${index}`).join(" ");
  expect(textChanges(words("a"), words("b"), "en")).toBeNull();
});

test("leaves out the middle of a long unchanged part", () => {
  const long = "water ".repeat(1_000);
  const parts = textChanges(`${long}one ${long}`, `${long}two ${long}`, "en") ?? [];
  const shown = shortened(parts);
  expect(shown[0]).toBeNull();
  expect(shown.at(-1)).toBeNull();
  const text = shown.map((part) => part?.text ?? "").join(" ");
  expect(text.length).toBeLessThan(1_000);
  // No word is cut.
  expect(new Set(text.trim().split(/\s+/))).toEqual(new Set(["water", "one", "two"]));
});
