import { describe, expect, test } from "vitest";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { createPost, deletePost, draftsOf, updatePost } from "./index.ts";

const address = "192.0.2.1";
const text = { title: "Water", content: "Still.", draft: true };
const day = 86_400_000;
const onePost = { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 0.001 };

describe.each(newDatabases)("idempotency keys of posts on %s", (_, open) => {
  async function setting(limits = limitsWith()) {
    const database = await open();
    const context = contextOf(database, limits);
    const user = await addUser(database, "author");
    const send = (input: object, { idempotencyKey = "a key", by = user, now = morning } = {}) =>
      createPost(context, { user: by, address, input, now, idempotencyKey });
    const slugs = async () =>
      (await draftsOf(context, { user, limit: 9 }))?.items.map(({ slug }) => slug).sort();
    return { database, context, user, send, slugs };
  }

  test("a post that is sent again is answered as before, and no other is created", async () => {
    const { database, send, slugs } = await setting();
    const answers = await Promise.all([send(text), send(text), send(text)]);
    expect([...answers, await send(text, { now: morning + 30 * day - 1 })]).toEqual(
      Array(4).fill({ kind: "created", slug: "water", isPublished: false, publishAt: null }),
    );
    expect(await slugs()).toEqual(["water"]);
    const other = await addUser(database, "other");
    expect(await send(text, { by: other })).toMatchObject({ kind: "created", slug: "water-2" });
    expect(await send(text, { idempotencyKey: "another key" })).toMatchObject({ slug: "water-3" });
    expect(await send(text, { now: morning + 30 * day })).toMatchObject({ slug: "water-4" });
  });

  test("a changed text with a used key is not saved, and the post is named", async () => {
    const { context, user, send, slugs } = await setting();
    await send(text);
    await updatePost(context, { user, slug: "water", address, input: { slug: "still" }, now: morning });
    const before = { kind: "created-before", slug: "still" };
    expect(await send({ ...text, content: "Flowing." })).toEqual(before);
    expect(await send({ ...text, draft: false })).toEqual(before);
    expect(await slugs()).toEqual(["still"]);
  });

  test("a refused or deleted post leaves its key free", async () => {
    const { context, user, send } = await setting();
    expect(await send({ ...text, title: "" })).toMatchObject({ kind: "invalid" });
    expect(await send(text)).toMatchObject({ kind: "created", slug: "water" });
    await deletePost(context, { user, slug: "water", now: morning });
    expect(await send({ ...text, title: "Rain" })).toMatchObject({ kind: "created", slug: "rain" });
  });

  test("a repeated post is answered where its author's limit would refuse another", async () => {
    const { send } = await setting(limitsWith({ LIMITS: JSON.stringify({ "post.user": onePost }) }));
    const published = { ...text, draft: false };
    const answers = await Promise.all([send(published), send(published), send(published)]);
    expect([...answers, await send(published)].map(({ kind }) => kind)).toEqual(Array(4).fill("created"));
    expect(await send(text, { idempotencyKey: "another key" })).toMatchObject({ kind: "limited" });
  });
});
