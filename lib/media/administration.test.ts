import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, contextOf, morning } from "../../testing/content.ts";
import { temporaryFolder } from "../../testing/database.ts";
import { latestChanges } from "../account-changes/index.ts";
import { createPost } from "../posts/index.ts";
import type { User } from "../users/index.ts";
import { imageAddress, markdownOf } from "./address.ts";
import { imageForAdministrators, imagesForAdministrators, removeAnyImage } from "./administration.ts";
import { createImageEncoder } from "./encoder.ts";
import { mediaFolder } from "./folder.ts";
import { removeImage } from "./index.ts";
import { uploadImage } from "./upload.ts";

const address = "192.0.2.1";
const imageEncoder = createImageEncoder({ wallMaximumMs: 600_000 });
let file: Uint8Array;
beforeAll(async () => {
  file = await sharp({ create: { width: 20, height: 10, channels: 3, background: "#88aacc" } })
    .png()
    .toBuffer();
});

async function contextOn(database: Database) {
  const folder = mediaFolder(join(temporaryFolder(), "media"));
  await folder.prepare();
  return { ...contextOf(database), mediaFolder: folder, imageEncoder, mediaBytesPerUser: 1_000_000 };
}

type Context = Awaited<ReturnType<typeof contextOn>>;

async function upload(context: Context, user: User, alt = "") {
  const outcome = await uploadImage(context, { user, address, input: { file, alt }, now: morning });
  return outcome.kind === "uploaded" ? outcome.image : expect.fail(outcome.kind);
}

async function people({ database }: Context) {
  return {
    actor: await addUser(database, "admin", { isAdministrator: true }),
    writer: await addUser(database, "Writer"),
    other: await addUser(database, "other"),
  };
}

describe.each(newDatabases)("on %s", (_name, open) => {
  test("lists all users' images for administrators, or one user's, without the titles of drafts", async () => {
    const context = await contextOn(await open());
    const { actor, writer, other } = await people(context);
    const image = await upload(context, writer, "A wall");
    await upload(context, other, "A pond");
    for (const input of [{ title: "Published" }, { title: "Secret", draft: true }])
      await createPost(context, {
        user: writer,
        address,
        input: { ...input, content: markdownOf(image) },
        now: morning,
      });
    const list = (request: object, by = actor) => imagesForAdministrators(context, by, request);
    expect(await list({})).toMatchObject({
      images: [
        { alt: "A pond", username: "other", uses: [] },
        { alt: "A wall", username: "Writer", uses: [{ slug: "published", title: "Published" }] },
      ],
      nextBefore: null,
    });
    expect(await list({ username: "writer" })).toMatchObject({ images: [{ id: image.id }] });
    expect(await list({ before: image.id })).toMatchObject({ images: [] });
    expect(await list({ username: "nobody" })).toEqual({ kind: "no-such-user" });
    expect(await list({}, writer)).toEqual({ kind: "forbidden" });
    expect(await imageForAdministrators(context, other, image.id)).toEqual({ kind: "forbidden" });
    expect(await imageForAdministrators(context, actor, image.id)).toMatchObject({ image: { uses: [{}] } });
  });

  test("removes an image that is used, as a cover too, with its files, and records the reason", async () => {
    const context = await contextOn(await open());
    const { database } = context;
    const { actor, writer } = await people(context);
    const image = await upload(context, writer);
    const input = { title: "A post", content: "Words.", cover: imageAddress(image) };
    await createPost(context, { user: writer, address, input, now: morning });
    const remove = (why: string, by = actor) =>
      removeAnyImage(context, { actor: by, id: image.id, input: { why }, now: morning });
    expect(await remove("Not mine.", writer)).toEqual({ kind: "forbidden" });
    expect(await remove(" ")).toMatchObject({ kind: "invalid", errors: { why: [expect.any(String)] } });
    expect(await remove("It is spam.")).toEqual({ kind: "removed", username: "Writer" });
    expect(await database.posts.bySlug("a-post")).toMatchObject({ cover: null, coverAlt: null });
    expect(readdirSync(context.mediaFolder.path)).toEqual([]);
    const { changes } = await latestChanges(context, actor);
    expect(changes).toMatchObject([
      { kind: "remove-image", by: "admin", why: "It is spam.", usernames: ["Writer"] },
    ]);
    expect(await remove("Again.")).toEqual({ kind: "no-such-image" });
  });

  test("leaves the site's own logo and icon to the settings", async () => {
    const context = await contextOn(await open());
    const { actor } = await people(context);
    const row = { width: 20, height: 10, isAnimated: false, bytes: 100, alt: "", createdAt: morning };
    const id = await context.database.media.insert({ ...row, name: "a".repeat(25), userId: null });
    expect(await imagesForAdministrators(context, actor, {})).toMatchObject({ images: [] });
    expect(await removeAnyImage(context, { actor, id, input: { why: "x" }, now: morning })).toEqual({
      kind: "no-such-image",
    });
    expect(await removeImage(context, { user: actor, id })).toEqual({ kind: "no-such-image" });
  });
});
