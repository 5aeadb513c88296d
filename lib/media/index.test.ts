import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryFolder } from "../../testing/database.ts";
import { createPost, deletePost, updatePost } from "../posts/index.ts";
import { removeAll } from "../removals/index.ts";
import type { User } from "../users/index.ts";
import { filesOf, imageAddress, markdownOf } from "./address.ts";
import { cleanMediaFolder } from "./clean.ts";
import { createImageEncoder } from "./encoder.ts";
import { mediaFolder } from "./folder.ts";
import { describeImage, listImages, removeImage } from "./index.ts";
import { uploadImage } from "./upload.ts";

const imageEncoder = createImageEncoder({ imagesPerOwner: 4, wallMaximumMs: 600_000 });
const address = "192.0.2.1";
let file: Uint8Array;
beforeAll(async () => {
  file = await sharp({ create: { width: 20, height: 10, channels: 3, background: "#88aacc" } })
    .png()
    .toBuffer();
});

async function contextOn(database: Database, limits = limitsWith()) {
  const folder = mediaFolder(join(temporaryFolder(), "media"));
  await folder.prepare();
  return { ...contextOf(database, limits), mediaFolder: folder, imageEncoder, mediaBytesPerUser: 10_000 };
}

describe.each(newDatabases)("on %s", (_name, open) => {
  test("saves an image with its files, private on the disk, in its writer's list", async () => {
    const context = await contextOn(await open());
    const user = await addUser(context.database, "writer");
    const input = { file, alt: " A wall " };
    const outcome = await uploadImage(context, { user, address, input, now: morning });
    if (outcome.kind !== "uploaded") throw new Error(outcome.kind);
    expect(outcome.image).toMatchObject({ width: 20, height: 10, alt: "A wall", isAnimated: false });
    const { path } = context.mediaFolder;
    expect(readdirSync(path).toSorted()).toEqual(filesOf(outcome.image).toSorted());
    expect(statSync(path).mode & 0o777).toBe(0o700);
    const sizes = readdirSync(path).map((name) => statSync(join(path, name)));
    expect(sizes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600]);
    expect(sizes.reduce((total, { size }) => total + size, 0)).toBe(outcome.image.bytes);
    const { images } = await listImages(context, { user, limit: 10 });
    expect(images).toEqual([{ ...outcome.image, uses: [] }]);
  });

  test("takes the last room once, of two uploads at one moment", async () => {
    const context = await contextOn(await open());
    const user = await addUser(context.database, "writer");
    const upload = (mediaBytesPerUser: number) =>
      uploadImage(
        { ...context, mediaBytesPerUser },
        { user, address, input: { file, alt: "" }, now: morning },
      );
    const first = await upload(10_000);
    if (first.kind !== "uploaded") throw new Error(first.kind);
    const room = 2.5 * first.image.bytes;
    const kinds = (await Promise.all([upload(room), upload(room)])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["invalid", "uploaded"]);
    expect(readdirSync(context.mediaFolder.path)).toHaveLength(4);
  });

  test("keeps an image that a post of its owner uses, and removes it with the last one", async () => {
    const context = await contextOn(await open());
    const { database } = context;
    const user = await addUser(database, "writer");
    const other = await addUser(database, "other");
    const outcome = await uploadImage(context, { user, address, input: { file, alt: "" }, now: morning });
    if (outcome.kind !== "uploaded") throw new Error(outcome.kind);
    const { image } = outcome;
    const content = `Look: ${markdownOf(image)}`;
    // Another's post does not keep its owner from removing it.
    await addPost(database, other, { title: "Theirs", content });
    const first = await addPost(database, user, { title: "First", content });
    const second = await addPost(database, user, { title: "Second", content: "Words." });
    await updatePost(context, { user, slug: second.slug, address, input: { content }, now: morning });
    expect(await removeImage(context, { user, id: image.id })).toEqual({
      kind: "image-used",
      uses: [
        { mediaId: image.id, slug: "first", title: "First", lang: null },
        { mediaId: image.id, slug: "second", title: "Second", lang: null },
      ],
    });
    expect(await removeImage(context, { user: other, id: image.id })).toEqual({ kind: "no-such-image" });
    await deletePost(context, { user, slug: first.slug, now: morning });
    await removeAll(context, () => morning);
    expect((await listImages(context, { user, limit: 1 })).images).toMatchObject([
      { uses: [{ slug: "second" }] },
    ]);
    await deletePost(context, { user, slug: second.slug, now: morning });
    await removeAll(context, () => morning);
    expect((await listImages(context, { user, limit: 1 })).images).toEqual([]);
  });

  test("takes as a cover one of the author's own images only", async () => {
    const context = await contextOn(await open());
    const { database } = context;
    const user = await addUser(database, "writer");
    const other = await addUser(database, "other");
    const outcome = await uploadImage(context, {
      user,
      address,
      input: { file, alt: "A wall" },
      now: morning,
    });
    if (outcome.kind !== "uploaded") throw new Error(outcome.kind);
    const cover = imageAddress(outcome.image);
    const save = (author: User, change: object) =>
      createPost(context, {
        user: author,
        address,
        input: { title: "A post", content: "Words.", ...change },
        now: morning,
      });
    expect(await save(other, { cover })).toMatchObject({
      kind: "invalid",
      errors: { cover: [expect.any(String)] },
    });
    expect(await save(user, { cover: "/media/x.webp" })).toMatchObject({ kind: "invalid" });
    expect(await save(user, { cover: cover.replace("20x10", "30x10") })).toMatchObject({ kind: "invalid" });
    const { slug } = await addPost(database, user);
    const change = (input: object) => updatePost(context, { user, slug, address, input, now: morning });
    const read = () => database.posts.bySlug(slug);
    await change({ cover });
    expect(await read()).toMatchObject({ cover, coverAlt: "A wall" });
    await change({ content: "Other words." });
    expect(await read()).toMatchObject({ cover });
    expect(await removeImage(context, { user, id: outcome.image.id })).toMatchObject({ kind: "image-used" });
  });

  test("removes an image with its files when no post uses it", async () => {
    const context = await contextOn(await open());
    const user = await addUser(context.database, "writer");
    const outcome = await uploadImage(context, { user, address, input: { file, alt: "" }, now: morning });
    if (outcome.kind !== "uploaded") throw new Error(outcome.kind);
    const remove = () => removeImage(context, { user, id: outcome.image.id });
    expect(await remove()).toEqual({ kind: "removed" });
    expect(readdirSync(context.mediaFolder.path)).toEqual([]);
    expect(await remove()).toEqual({ kind: "no-such-image" });
  });

  test("cleans up files without a row that are older than an hour, and no other file", async () => {
    const context = await contextOn(await open());
    const user = await addUser(context.database, "writer");
    const outcome = await uploadImage(context, { user, address, input: { file, alt: "" }, now: morning });
    if (outcome.kind !== "uploaded") throw new Error(outcome.kind);
    const { path } = context.mediaFolder;
    const names = [...filesOf(outcome.image), `${"a".repeat(25)}-10x10.webp`, "notes.txt"];
    const young = `${"b".repeat(25)}-10x10.webp`;
    for (const name of [...names.slice(2), young]) writeFileSync(join(path, name), "x");
    for (const name of names) utimesSync(join(path, name), 1_000, 1_000);
    expect(await cleanMediaFolder(context.database, context.mediaFolder)).toBe(1);
    expect(readdirSync(path).toSorted()).toEqual([...filesOf(outcome.image), young, "notes.txt"].toSorted());
  });
});

describe("refuses", () => {
  const upload = async (changes: object, input: object = {}, sender: object = {}) => {
    const context = await contextOn((await newDatabases[0]?.[1]()) ?? expect.fail());
    const user = { ...(await addUser(context.database, "writer")), ...sender };
    const request = { user, address, input: { file, alt: "", ...input }, now: morning };
    return { outcome: await uploadImage({ ...context, ...changes }, request), ...context };
  };

  test("a reader, and an account that waits for approval", async () => {
    expect((await upload({ whoMayWrite: "approved" })).outcome).toEqual({ kind: "not-a-writer" });
    expect((await upload({}, {}, { isPending: true })).outcome).toEqual({ kind: "denied", isPending: true });
  });

  test.each<[string, object, RegExp]>([
    ["no file", { file: undefined }, /^Choose an image file/],
    ["an empty file", { file: new Uint8Array() }, /^Choose an image file/],
    ["a large file", { file: new Uint8Array(10 * 1024 * 1024 + 1) }, /at most 10 MB/],
    ["text", { file: Buffer.from("text") }, /not a JPEG, PNG, WebP, AVIF or GIF image/],
  ])("%s, and leaves nothing behind", async (_, input, fault) => {
    const { outcome, mediaFolder } = await upload({}, input);
    expect(outcome).toMatchObject({ kind: "invalid", errors: { file: [expect.stringMatching(fault)] } });
    expect(readdirSync(mediaFolder.path)).toEqual([]);
  });

  test("a long description", async () => {
    const { outcome } = await upload({}, { alt: "x".repeat(501) });
    expect(outcome).toEqual({
      kind: "invalid",
      errors: { alt: ["Description must have at most 500 characters."] },
    });
  });

  test("the 61st image at one moment", async () => {
    const limits = limitsWith({ LIMITS: '{"media.user": {"capacity": 0.5}}' });
    expect((await upload({ limits })).outcome).toMatchObject({ kind: "limited" });
  });

  test("any image while the disk is full", async () => {
    const context = await contextOn((await newDatabases[0]?.[1]()) ?? expect.fail());
    const full = { ...context.mediaFolder, freeBytes: async () => 1_000 };
    expect((await upload({ mediaFolder: full })).outcome).toEqual({ kind: "disk-full" });
  });

  test("a description by another user", async () => {
    const { outcome, ...context } = await upload({});
    if (outcome.kind !== "uploaded") throw new Error(outcome.kind);
    const other = await addUser(context.database, "other");
    const { id } = outcome.image;
    expect(await describeImage(context, { user: other, id, input: { alt: "x" } })).toEqual({
      kind: "no-such-image",
    });
  });
});
