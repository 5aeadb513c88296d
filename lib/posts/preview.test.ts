import { expect, onTestFinished, test } from "vitest";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { intricateText } from "../../testing/intricate-texts.ts";
import { createRenderer, type RendererSettings } from "../markdown/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import type { User } from "../users/index.ts";
import { listPosts, readPost } from "./index.ts";
import { previewPost } from "./preview.ts";

async function setting({ limits = limitsWith(), renderer = {} as RendererSettings } = {}) {
  const database = temporaryDatabase();
  const previewRenderer = createRenderer({ threads: 1, wallMaximumMs: 600_000, ...renderer });
  onTestFinished(() => previewRenderer.close());
  const writer = await addUser(database, "writer");
  const context = { ...contextOf(database, limits), previewRenderer };
  const preview = (
    content: unknown,
    { user = writer, whoMayWrite = "anyone" }: { user?: User; whoMayWrite?: WhoMayWrite } = {},
  ) =>
    previewPost(
      { ...context, whoMayWrite },
      { user, address: "192.0.2.1", input: { content }, now: morning },
    );
  return { database, writer, context, preview };
}

test("gives the HTML that the post then has, and saves nothing", async () => {
  const { database, writer, preview } = await setting();
  const content = "# Weir\n\nA *low* wall across a stream, and the water goes over it.";
  const previewed = await preview(content);
  expect((await listPosts({ database }, { sort: "newest", limit: 5 }))?.items).toEqual([]);
  const { slug } = await addPost(database, writer, { content });
  const post = await readPost({ database }, slug, null);
  expect(previewed).toEqual({ kind: "previewed", content, html: post?.html, detectedLang: post?.lang });
});

test.each([[""], ["x".repeat(50_001)], [42]])("refuses a content that no post may have", async (content) => {
  const { preview } = await setting();
  expect(await preview(content)).toMatchObject({
    kind: "invalid",
    errors: { content: [expect.any(String)] },
  });
});

test("counts each preview, also of a text that is too intricate, apart from texts that are saved", async () => {
  const limits = limitsWith({ LIMITS: '{"post.preview": {"capacity": 2}, "post.render": {"capacity": 1}}' });
  const { database, writer, preview } = await setting({ limits, renderer: { cpuMaximumMs: 200 } });
  expect(await preview(intricateText())).toMatchObject({
    kind: "invalid",
    errors: { content: [expect.stringContaining("too intricate")] },
  });
  expect(await preview("Words.")).toMatchObject({ kind: "previewed" });
  expect(await preview("Words.")).toMatchObject({ kind: "limited", refusal: { policy: "post.preview" } });
  await addPost(database, writer, { limits });
});

test("previews for users who may write, and for authors", async () => {
  const { database, writer, preview } = await setting();
  const invited = { whoMayWrite: "invited" } as const;
  expect(await preview("Words.", invited)).toEqual({ kind: "not-a-writer" });
  expect(await preview("Words.", { ...invited, user: { ...writer, isWriter: true } })).toMatchObject({
    kind: "previewed",
  });
  expect(await preview("Words.", { user: { ...writer, isPending: true } })).toEqual({
    kind: "denied",
    isPending: true,
  });
  await addPost(database, writer);
  expect(await preview("Words.", invited)).toMatchObject({ kind: "previewed" });
});
