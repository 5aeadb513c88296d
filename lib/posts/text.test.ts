import { join } from "node:path";
import Sqlite from "better-sqlite3";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { migrate as migratePostgres } from "../../db/dialects/postgres/migrate.ts";
import { migrate as migrateSqlite } from "../../db/dialects/sqlite/migrate.ts";
import { type Database, openDatabase } from "../../db/index.ts";
import { reportPageChanges } from "../../db/page-changes.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryFolder } from "../../testing/database.ts";
import { intricateText } from "../../testing/intricate-texts.ts";
import { migrationsBefore } from "../../testing/migrations.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { accessRules } from "../limits/access-rules.ts";
import { createRenderer, type RendererSettings, rendererVersion } from "../markdown/index.ts";
import { createPost, listPosts, readPost, updatePost } from "./index.ts";
import { renderMissing } from "./text.ts";

const address = "192.0.2.1";

function newRenderer(settings: RendererSettings = { cpuMaximumMs: 200 }) {
  const renderer = createRenderer({ wallMaximumMs: 600_000, ...settings });
  onTestFinished(() => renderer.close());
  return renderer;
}

const htmlOf = async (database: Database, slug: string) => (await readPost({ database }, slug, null))?.html;

test("saves a post and its changes with their HTML", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const { slug } = await addPost(database, author, { content: "*Before*" });
  expect(await htmlOf(database, slug)).toBe("<p><em>Before</em></p>");
  const change = (input: unknown) =>
    updatePost(contextOf(database), { user: author, slug, address, input, now: morning });
  await change({ content: "*After*" });
  await change({ title: "Other" });
  expect(await htmlOf(database, slug)).toBe("<p><em>After</em></p>");
});

test("detects a post's language from its text, until the author chooses one", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const content = "دیواری کوتاه در پهنای رود که آب باید از روی آن بگذرد.";
  const { slug } = await addPost(database, author, { content });
  const langAfter = async (input: unknown) => {
    await updatePost(contextOf(database), { user: author, slug, address, input, now: morning });
    return (await readPost({ database }, slug, null))?.lang;
  };
  expect(await langAfter({ title: "Weir" })).toBe("fa");
  expect(await langAfter({ lang: "ar" })).toBe("ar");
  expect(await langAfter({ title: "Other" })).toBe("ar");
  expect(await langAfter({ lang: "" })).toBe("fa");
  expect(await langAfter({ content: "A low wall across a stream, and the water goes over it." })).toBe("en");
});

test.each([["x"], ["not a tag"], [42], ["en-".repeat(30)]])("refuses %j as a language", async (lang) => {
  const database = temporaryDatabase();
  const user = await addUser(database, "author");
  const input = { title: "A title", content: "Words.", lang };
  const outcome = await createPost(contextOf(database), { user, address, input, now: morning });
  expect(outcome).toMatchObject({
    kind: "invalid",
    errors: { lang: [expect.stringContaining("Lang must be")] },
  });
});

test("refuses a text that is too intricate, and saves nothing", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const { slug } = await addPost(database, author, { content: "Before." });
  const context = { ...contextOf(database), renderer: newRenderer() };
  const request = {
    user: author,
    address,
    input: { title: "A title", content: intricateText() },
    now: morning,
  };
  const refusal = {
    kind: "invalid",
    errors: { content: [expect.stringContaining("too intricate")] },
  };
  expect(await createPost(context, request)).toEqual(refusal);
  expect(await updatePost(context, { ...request, slug })).toEqual(refusal);
  expect((await listPosts({ database }, { sort: "newest", limit: 5 }))?.items).toHaveLength(1);
  expect(await readPost({ database }, slug, null)).toMatchObject({
    content: "Before.",
    html: "<p>Before.</p>",
  });
});

test("saves nothing while too many texts wait to be rendered", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const { slug } = await addPost(database, author, { content: "Before." });
  const context = { ...contextOf(database), renderer: newRenderer({ textsMaximum: 0 }) };
  const request = { user: author, address, input: { title: "A title", content: "After." }, now: morning };
  expect(await createPost(context, request)).toEqual({ kind: "busy" });
  expect(await updatePost(context, { ...request, slug })).toEqual({ kind: "busy" });
  expect(await readPost({ database }, slug, null)).toMatchObject({ content: "Before." });
});

test("counts every text to be rendered, also one that is too intricate, and renders none over the limit", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const { slug } = await addPost(database, author, { content: "Before." });
  const limits = limitsWith({ LIMITS: '{"post.render": {"capacity": 3, "leakPerSecond": 0.1}}' });
  const request = { user: author, slug, address, now: morning + 10_000 };
  const send = (content: string, settings?: RendererSettings) => {
    const context = { ...contextOf(database, limits), renderer: newRenderer(settings) };
    return {
      publish: () => createPost(context, { ...request, input: { title: "Another", content } }),
      edit: () => updatePost(context, { ...request, input: { content } }),
    };
  };
  const refusal = { kind: "limited", refusal: { policy: "post.render", decision: { retryAfterMs: 10_000 } } };
  expect((await send(intricateText()).publish()).kind).toBe("invalid");
  expect((await send(intricateText()).edit()).kind).toBe("invalid");
  expect((await send("After.", { textsMaximum: 0 }).edit()).kind).toBe("busy");
  expect(await send("After.").publish()).toMatchObject(refusal);
  expect(await send("After.").edit()).toMatchObject(refusal);
  const retitle = { ...request, input: { title: "Other" } };
  expect((await updatePost(contextOf(database, limits), retitle)).kind).toBe("updated");
  expect(await readPost({ database }, slug, null)).toMatchObject({ title: "Other", content: "Before." });
});

test("renders nothing for an author denied by an access rule", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const { slug } = await addPost(database, author);
  const rules = accessRules("deny user author");
  // It would be busy with any text.
  const context = {
    ...contextOf(database, limitsWith(), { rules }),
    renderer: newRenderer({ textsMaximum: 0 }),
  };
  const request = { user: author, slug, address, input: { title: "A title", content: "x" }, now: morning };
  expect(await createPost(context, request)).toEqual({ kind: "denied" });
  expect(await updatePost(context, request)).toEqual({ kind: "denied" });
});

test("renders nothing for a user who may not edit", async () => {
  const database = temporaryDatabase();
  const { slug } = await addPost(database, await addUser(database, "author"));
  const user = await addUser(database, "stranger");
  const context = { ...contextOf(database), renderer: newRenderer({ textsMaximum: 0 }) };
  const request = { user, slug, address, input: { content: "Mine." }, now: morning };
  expect(await updatePost(context, request)).toEqual({ kind: "forbidden" });
});

test("saves the HTML of the content that it saves when changes race", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const { slug } = await addPost(database, author);
  const context = { ...contextOf(database), renderer: newRenderer({ threads: 2 }) };
  const inputs = Array.from({ length: 12 }, (_, index) =>
    index % 3 === 0
      ? { title: `Title ${index}` }
      : { content: `Text ${index} `.repeat(1 + (index % 4) * 300) },
  );
  const outcomes = await Promise.all(
    inputs.map((input, index) =>
      // More at once than one author may have: some may be refused as busy.
      updatePost(context, { user: author, slug, address, input, now: morning + index }),
    ),
  );
  expect(outcomes.map(({ kind }) => kind)).toContain("updated");
  const saved = await readPost({ database }, slug, null);
  expect(saved?.html).toBe(`<p>${saved?.content.trimEnd()}</p>`);
});

const userAndPosts = `
  insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (1, 'a', 'a', 'a', 'a', 'x', 0);
  insert into posts (id, slug, title, author_id, created_at, updated_at)
    values (1, 'plain', 'Plain', 1, 0, 0), (2, 'intricate', 'Intricate', 1, 0, 0);
  insert into post_contents (post_id, content)
    values (1, '*Plain* words'), (2, '${intricateText()}');
`;

/**
 * A database from before posts were rendered, by its address.
 * `execute` changes it as a node of that version does.
 */
const earlierBlogs = {
  async SQLite() {
    const file = join(temporaryFolder(), "weir.db");
    const sqlite = new Sqlite(file);
    onTestFinished(() => void sqlite.close());
    migrateSqlite(sqlite, migrationsBefore("sqlite", "rendered_posts"));
    sqlite.pragma("journal_mode = wal");
    return { url: `file:${file}`, execute: async (text: string) => void sqlite.exec(text) };
  },
  async PostgreSQL() {
    const url = await (await sharedPostgres()).newDatabase();
    await migratePostgres(url, migrationsBefore("postgres", "rendered_posts"));
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    onTestFinished(() => sql.end());
    return { url, execute: async (text: string) => void (await sql.unsafe(text)) };
  },
};

test.each(Object.entries(earlierBlogs))(
  "renders the posts of a %s blog from before, and those that a node of that version still changes",
  async (_, earlierBlog) => {
    const { url, execute } = await earlierBlog();
    await execute(userAndPosts);
    const database = await openDatabase(url, { timeouts: patientTimeouts });
    onTestFinished(() => database.close());
    const renderer = newRenderer();
    const render = () => renderMissing(database, renderer, () => morning);
    expect(await database.posts.textOf(1)).toEqual({ content: "*Plain* words", html: null, renderer: 0 });

    await render();
    const rendered = {
      content: "*Plain* words",
      html: "<p><em>Plain</em> words</p>",
      renderer: rendererVersion,
    };
    expect(await database.posts.textOf(1)).toEqual(rendered);
    expect(await database.posts.bySlug("plain")).toMatchObject({
      excerpt: "Plain words",
      readingMinutes: 1,
      detectedLang: null,
    });
    expect(await database.posts.bySlug("intricate")).toMatchObject({ excerpt: null, readingMinutes: null });
    expect(await database.posts.textOf(2)).toEqual({
      content: intricateText(),
      html: null,
      renderer: rendererVersion,
    });
    expect(await database.posts.textsToRender(rendererVersion, 9)).toEqual([]);

    await execute("update post_contents set content = '*Plainer* words' where post_id = 1");
    expect(await database.posts.textOf(1)).toEqual({ content: "*Plainer* words", html: null, renderer: 0 });
    await render();
    expect(await htmlOf(database, "plain")).toBe("<p><em>Plainer</em> words</p>");
  },
);

test("leaves texts for the next round while writers wait", async () => {
  const database = temporaryDatabase();
  const { slug } = await addPost(database, await addUser(database, "author"));
  database.sqlite.exec("update post_contents set renderer = 0, html = null");
  await renderMissing(database, newRenderer({ textsMaximum: 0 }), () => morning);
  expect(await htmlOf(database, slug)).toBeNull();
  await renderMissing(database, newRenderer(), () => morning);
  expect(await htmlOf(database, slug)).toBe("<p>Some words.</p>");
});

test("ends copies of pages once for each text that it renders, and not when there is none", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  for (let number = 1; number <= 3; number += 1) await addPost(database, author);
  database.sqlite.exec("update post_contents set renderer = 0, html = null");
  let changes = 0;
  const reporting = reportPageChanges(database, () => {
    changes += 1;
  });
  await renderMissing(reporting, newRenderer(), () => morning);
  expect(changes).toBe(3);
  await renderMissing(reporting, newRenderer(), () => morning);
  expect(changes).toBe(3);
});
