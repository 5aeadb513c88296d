// Over 200 lines: archives of three programs, as they write them.

/** Imports: each format, a round trip, and content that cannot be imported. */
import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { craftedZip } from "../../testing/crafted-zip.ts";
import { temporaryDatabase, temporaryFolder } from "../../testing/database.ts";
import { intricateText } from "../../testing/intricate-texts.ts";
import { zipOf } from "../archive/zip.ts";
import { createImageEncoder } from "../media/encoder.ts";
import { mediaFolder } from "../media/folder.ts";
import { uploadImage } from "../media/upload.ts";
import { createPost, updatePost } from "../posts/index.ts";
import { publishDue } from "../posts/publishing.ts";
import { siteDefaults } from "../site/schema.ts";
import { siteFiles } from "../site-export/index.ts";
import { administrator, operator } from "../users/roles.ts";
import { openSource } from "./archive.ts";
import { type ImportLine, type ImportRequest, importPosts } from "./index.ts";

const imageEncoder = createImageEncoder({ wallMaximumMs: 600_000 });
/** The accounts of the authors, unless a test gives others. */
const authors = { jane: "jane", birch: "birch", nobody: "nobody" };

async function setting(database: Database) {
  const folder = mediaFolder(join(temporaryFolder(), "media"));
  await folder.prepare();
  const context = contextOf(database, limitsWith());
  const uploads = { ...context, mediaFolder: folder, imageEncoder, mediaBytesPerUser: 1e9 };
  const run = async (
    path: string,
    request: Partial<ImportRequest> & Pick<ImportRequest, "format">,
    encoder = imageEncoder,
  ) => {
    const source = await openSource(path);
    try {
      const lines = [];
      const given = { isTrial: false, by: operator, authors, now: morning, ...request, source };
      const changed = {
        ...context,
        uploads: { ...uploads, imageEncoder: encoder },
        ...(encoder !== imageEncoder && { busyMaximumMs: 0 }),
      };
      for await (const line of importPosts(changed, given)) lines.push(line);
      return lines;
    } finally {
      await source.close();
    }
  };
  /** As `run`, to be broken off. */
  const begin = async function* (path: string) {
    yield* importPosts(
      { ...context, uploads },
      {
        format: "markdown",
        isTrial: false,
        by: operator,
        authors,
        now: morning,
        source: await openSource(path),
      },
    );
  };
  return { context, uploads, folder, run, begin };
}

/** A folder with these files. */
function folderOf(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

test("a published post is not announced when it is imported or listed, and a scheduled one is when it is due", async () => {
  const database = temporaryDatabase();
  const { context, run } = await setting(database);
  const jane = await addUser(database, "jane");
  const head = "---\nauthor: jane\n";
  const lines = await run(
    folderOf({
      "old.md": `${head}title: Old\ndate: 2026-02-28\nunlisted: true\n---\nText`,
      "later.md": `${head}title: Later\ndate: 2026-03-02\nstatus: scheduled\n---\nText`,
    }),
    { format: "markdown" },
  );
  expect(lines.map(({ result }) => result)).toEqual(["imported", "imported"]);
  const input = { unlisted: false };
  await updatePost(context, { user: jane, slug: "old", address: "192.0.2.1", input, now: morning });
  await publishDue({ ...context, whoMayWrite: "anyone" }, morning + 86_400_000);
  const everything = { after: 0, until: morning + 86_400_000, limit: 9 };
  expect(await database.subscribers.announced(everything)).toMatchObject([{ slug: "later" }]);
});

test("an intricate text with a picture fails in bounded time, and the next post is imported", async () => {
  const database = temporaryDatabase();
  const { run } = await setting(database);
  await addUser(database, "jane");
  const post = (title: string, text: string) =>
    `---\nauthor: jane\ntitle: ${title}\ndate: 2026-02-28\n---\n![A picture](a.png)\n\n${text}`;
  const folder = folderOf({ "a.md": post("A", intricateText(49_000)), "b.md": post("B", "Text") });
  const lines = await run(folder, { format: "markdown", isTrial: true });
  expect(lines).toMatchObject([
    // No note on its picture, which is not searched for.
    { source: "a.md", result: "failed", reason: expect.stringContaining("too intricate"), notes: [] },
    { source: "b.md", result: "would-import" },
  ]);
});

const allOf = (database: Database) => database.exports.posts({ after: 0, limit: 100 });

test("an exported site is the same posts on an empty one, and a second import adds none", async () => {
  const [from, to] = [temporaryDatabase(), temporaryDatabase()];
  const { context, uploads, folder } = await setting(from);
  const birch = await addUser(from, "birch");
  const picture = await sharp({ create: { width: 20, height: 10, channels: 3, background: "#8ac" } })
    .png()
    .toBuffer();
  const uploaded = await uploadImage(uploads, {
    user: birch,
    address: "192.0.2.1",
    input: { file: picture, alt: "A wall" },
    now: morning,
  });
  const name = uploaded.kind === "uploaded" ? uploaded.image.name : expect.fail(uploaded.kind);
  const inputs = [
    {
      title: "Still: #water",
      content: `# Deep\n\n---\n\n![A wall](/media/${name}-20x10.webp)`,
      tags: ["Ponds", "آب"],
      excerpt: "A 'line'",
      cover: `/media/${name}-20x10.webp`,
    },
    { title: "نوشتهٔ فارسی", content: "متن نوشته.", lang: "fa", slug: "neveshte" },
    { title: "A draft", content: "Not yet.", draft: true },
    { title: "Hidden", content: "By link.", unlisted: true },
    { title: "Later", content: "Tomorrow.", publishAt: "2026-03-02T09:00:00Z" },
    { title: "Long", content: "An address of 400 bytes.", slug: "آب".repeat(100) },
  ];
  for (const input of inputs) {
    const outcome = await createPost(context, { user: birch, address: "192.0.2.1", input, now: morning });
    expect(outcome.kind).toBe("created");
  }
  const [first] = await allOf(from);
  for (const slug of ["former", "Former_1.0"])
    await from.posts.addFormerSlug(first?.id ?? 0, { slug, changedAt: morning });
  const file = join(temporaryFolder(), "site.zip");
  const site = {
    database: from,
    mediaFolder: folder,
    settings: siteDefaults,
    now: morning,
    includesEmails: false,
  };
  await pipeline(zipOf(siteFiles(site)), createWriteStream(file));

  await addUser(to, "birch");
  const target = await setting(to);
  const trial = await target.run(file, { format: "markdown", isTrial: true });
  expect(trial.map(({ result }) => result)).toEqual(inputs.map(() => "would-import"));
  expect(await allOf(to)).toEqual([]);
  const lines = await target.run(file, { format: "markdown" });
  expect(lines.map(({ result, notes }) => [result, notes])).toEqual(inputs.map(() => ["imported", []]));
  const compared = async (database: Database) => {
    const posts = await allOf(database);
    const tags = await database.tags.ofPosts(posts.map(({ id }) => id));
    return posts
      .map(({ id, content, updatedAt: _, ...post }) => ({
        ...post,
        tags: tags.get(id),
        content: content.replace(/[a-z0-9]{25}/, "ID"),
        cover: post.cover?.replace(/[a-z0-9]{25}/, "ID"),
        id: 0,
      }))
      .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  };
  expect(await compared(to)).toEqual(await compared(from));
  for (const slug of ["former", "Former_1.0"]) expect(await to.posts.presentSlug(slug)).toBe(first?.slug);
  expect((await target.context.database.media.after(0, 10)).map(({ alt }) => alt)).toEqual(["A wall"]);

  expect((await target.run(file, { format: "markdown" })).map(({ result }) => result)).toEqual(
    inputs.map(() => "skipped"),
  );
  expect(await to.mails.figures()).toMatchObject({ waiting: 0 });
});

test.each([
  {
    format: "markdown" as const,
    filesWith: (picture: string) => ({
      "a.md": `---\ntitle: A\nauthor: jane\ndate: 2020-01-01\ncover: ${picture}\n---\n![](${picture})\n\n<img src="${picture}">`,
    }),
  },
  {
    format: "ghost" as const,
    filesWith: (picture: string) => {
      const shape = { status: "published", visibility: "public", type: "post" };
      const dates = { published_at: "2020-05-01T10:00:00.000Z", created_at: "2020-04-01T10:00:00.000Z" };
      const html = `<img src="${picture}">`;
      const posts = [{ id: "1", title: "A", slug: "a", ...shape, ...dates, html, feature_image: picture }];
      const users = [{ id: "u1", name: "Jane", slug: "jane" }];
      const data = { posts, users, posts_authors: [{ post_id: "1", author_id: "u1" }] };
      return { "ghost.json": JSON.stringify({ db: [{ data }] }) };
    },
  },
  {
    format: "wordpress" as const,
    filesWith: (picture: string) => ({
      "wp.xml": `<rss><channel><item><title>A</title><dc:creator>jane</dc:creator><content:encoded><![CDATA[<img src="${picture}">]]></content:encoded><wp:post_name>a</wp:post_name><wp:post_date_gmt>2015-01-02 03:04:05</wp:post_date_gmt><wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>7</wp:meta_value></wp:postmeta></item><item><title>b</title><dc:creator>jane</dc:creator><wp:post_id>7</wp:post_id><wp:post_type>attachment</wp:post_type><wp:attachment_url>${picture}</wp:attachment_url></item></channel></rss>`,
    }),
  },
])("an import of $format fetches no picture from elsewhere, and notes it", async ({ format, filesWith }) => {
  const database = temporaryDatabase();
  await addUser(database, "jane");
  const { run } = await setting(database);
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? "");
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const picture = `http://127.0.0.1:${port}/a.png`;
  for (const isTrial of [true, false]) {
    const lines = await run(folderOf(filesWith(picture)), { format, isTrial });
    expect(lines.flatMap(({ notes }) => notes)).toEqual([
      `The picture ${picture} is not in the archive, so it stays where it is.`,
      `Its cover ${picture} is not in the archive.`,
    ]);
  }
  expect((await allOf(database))[0]).toMatchObject({
    cover: null,
    content: expect.stringContaining(picture),
  });
  // The server takes requests, and this is the first.
  await fetch(`${picture}?after`);
  expect(received).toEqual(["/a.png?after"]);
});

describe.each(newDatabases)("an import on %s", (_, open) => {
  test("of Ghost's export has its texts, dates, tags, authors and pictures", async () => {
    const database = await open();
    await addUser(database, "jane");
    const { run } = await setting(database);
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    const post = {
      id: "1",
      title: "Hello",
      slug: "hello",
      status: "published",
      visibility: "public",
      type: "post",
    };
    const dates = { published_at: "2020-05-01T10:00:00.000Z", created_at: "2020-04-01T10:00:00.000Z" };
    const html =
      '<h2>Two</h2><p>See <a href="__GHOST_URL__/about/">us</a>, <strong>now</strong>.</p><img src="__GHOST_URL__/content/images/a.png" alt="A"><img src="__GHOST_URL__/content/images/gone.png"><script>alert(1)</script>';
    const data = {
      posts: [
        { ...post, ...dates, html, feature_image: "__GHOST_URL__/content/images/a.png" },
        {
          ...{ ...post, ...dates, id: "2", slug: "secret", visibility: "paid", html: "<p>x</p>" },
          ...{ feature_image: "__GHOST_URL__/content/images/a.png", feature_image_alt: "A pond" },
        },
        { id: "3", title: 5 },
      ],
      tags: [
        { id: "t1", name: "Ponds" },
        { id: "t2", name: "#internal" },
      ],
      users: [{ id: "u1", name: "Jane Doe", slug: "jane-doe" }],
      posts_tags: [
        { post_id: "1", tag_id: "t1" },
        { post_id: "1", tag_id: "t2" },
      ],
      posts_meta: [{ id: "m1", post_id: "1", feature_image_alt: "A weir", meta_title: null }],
      posts_authors: ["1", "2"].map((post_id) => ({ post_id, author_id: "u1" })),
    };
    const folder = folderOf({
      "ghost.json": JSON.stringify({ db: [{ data }] }),
      "content/images/a.png": png,
    });
    const unknown = await run(folder, { format: "ghost" });
    expect(unknown.map(({ reason }) => reason)).toEqual([
      "No account is chosen for its author jane-doe.",
      "No account is chosen for its author jane-doe.",
      expect.stringMatching(/^title: /),
    ]);
    const lines = await run(folder, { format: "ghost", authors: { "jane-doe": "Jane" } });
    expect(lines.map(({ result, slug }) => [result, slug])).toEqual([
      ["imported", "hello"],
      ["imported", "secret"],
      ["failed", undefined],
    ]);
    expect(lines[0]?.notes).toEqual(["The picture /content/images/gone.png is not in the archive."]);
    const [hello, secret] = await allOf(database);
    expect(hello).toMatchObject({
      publishedAt: Date.parse(dates.published_at),
      author: "jane",
      excerpt: null,
    });
    expect(hello?.content).toMatch(
      /^## Two\n\nSee \[us\]\(\/about\/\), \*\*now\*\*\.\n\n!\[A\]\(\/media\/[a-z0-9]{25}-8x8\.webp\)!\[\]\(\/content\/images\/gone\.png\)$/,
    );
    expect(hello?.cover).toMatch(/^\/media\/[a-z0-9]{25}-8x8\.webp$/);
    expect(hello?.coverAlt).toBe("A weir");
    expect(secret).toMatchObject({ publishedAt: null, coverAlt: "A pond" });
    expect((await database.tags.ofPosts([hello?.id ?? 0])).get(hello?.id ?? 0)).toEqual([
      { slug: "ponds", name: "Ponds" },
    ]);
  });

  test("of WordPress' export has posts, pages and drafts, and no attachments", async () => {
    const database = await open();
    await addUser(database, "jane");
    const { run } = await setting(database);
    const meta = (key: string, value: string) =>
      `<wp:postmeta><wp:meta_key><![CDATA[${key}]]></wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
    const item = (inner: string) => `<item>${inner}<dc:creator><![CDATA[jane]]></dc:creator></item>`;
    const xml = `<?xml version="1.0" encoding="UTF-8" ?><rss version="2.0" xmlns:wp="x"><channel><title>B</title>
${item(`<title>Salt &amp; water</title><content:encoded><![CDATA[First line.\n\nSecond <em>line</em> &lt;b&gt;.]]></content:encoded><wp:post_name>salt</wp:post_name><wp:post_date_gmt>2015-01-02 03:04:05</wp:post_date_gmt><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><category domain='category'><![CDATA[Uncategorized]]></category><category domain='post_tag' nicename='x'><![CDATA[Salt]]></category>${meta("_thumbnail_id", "7")}${meta("_wp_old_slug", "salz")}${meta("_wp_old_slug", "/../ ?")}`)}
${item("<title>About</title><content:encoded><![CDATA[<p>Us</p>]]></content:encoded><wp:post_name>about</wp:post_name><wp:post_date_gmt>2015-01-02 03:04:05</wp:post_date_gmt><wp:status>publish</wp:status><wp:post_type>page</wp:post_type>")}
${item("<title>007</title><content:encoded>x</content:encoded><wp:post_name></wp:post_name><wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt><wp:status>draft</wp:status><wp:post_type>post</wp:post_type>")}
${item(`<title>a.png</title><wp:post_id>7</wp:post_id><wp:post_type>attachment</wp:post_type><wp:attachment_url>https://b.example/wp-content/uploads/2015/01/a.png</wp:attachment_url>${meta("_wp_attachment_image_alt", "A salt pan")}`)}
</channel></rss>`;
    const image = { create: { width: 8, height: 8, channels: 3, background: "#fff" } } as const;
    const folder = folderOf({ "wp.xml": xml, "uploads/2015/01/a.png": await sharp(image).png().toBuffer() });
    const lines = await run(folder, { format: "wordpress" });
    expect(lines.map(({ result, slug }) => [result, slug])).toEqual([
      ["imported", "salt"],
      ["imported", "about"],
      ["imported", "007"],
    ]);
    const [salt, about, draft] = await allOf(database);
    expect(salt).toMatchObject({
      title: "Salt & water",
      content: "First line.\n\nSecond *line* \\<b>.",
      publishedAt: Date.UTC(2015, 0, 2, 3, 4, 5),
    });
    expect(salt?.cover).toMatch(/^\/media\/[a-z0-9]{25}-8x8\.webp$/);
    expect(salt?.coverAlt).toBe("A salt pan");
    expect((await database.posts.formerSlugsOf([salt?.id ?? 0])).get(salt?.id ?? 0)).toEqual(["salz"]);
    expect(about).toMatchObject({ isUnlisted: true, cover: null });
    expect(draft).toMatchObject({ title: "007", publishedAt: null });
    expect((await run(folder, { format: "wordpress" })).map(({ result }) => result)).toEqual([
      "skipped",
      "skipped",
      "skipped",
    ]);
  });

  test("reports posts that cannot be imported, and imports the rest", async () => {
    const database = await open();
    await addUser(database, "jane");
    const { run } = await setting(database);
    const head = (lines: string) => `---\nauthor: jane\n${lines}\n---\n\nText.`;
    const folder = folderOf({
      "a-bomb.md": `---\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\nx`,
      "a-code.md": head("title: !!js/function 'function(){}'\ndate: 2020-01-01"),
      "b-date.md": head("title: B\ndate: yesterday"),
      "c-early.md": head("title: C\ndate: 1950-01-01"),
      "d-empty.md": "---\ntitle: D\nauthor: jane\ndate: 2020-01-01\n---\n",
      "e-future.md": head("title: E\ndate: 2027-01-01"),
      "f-long.md": `${head("title: F\ndate: 2020-01-01")}${"x".repeat(60_000)}`,
      "g-unknown.md": "---\ntitle: G\nauthor: nobody\ndate: 2020-01-01\n---\nx",
      "h-good.md": head(`title: H\nslug: h\ndate: 2020-01-01\ntags: [${"x".repeat(50)}, good]`),
      "i-same.md": head("title: I\nslug: h\ndate: 2021-01-01"),
      "j-yaml.md": "---\ntitle: [\n---\nx",
      "notes.txt": "not a post",
    });
    const lines = await run(folder, { format: "markdown" });
    expect(lines.map(({ source, result, slug }) => [source, result, slug])).toEqual([
      ["a-bomb.md", "failed", undefined],
      ["a-code.md", "imported", "a-code"],
      ["b-date.md", "failed", undefined],
      ["c-early.md", "failed", undefined],
      ["d-empty.md", "failed", undefined],
      ["e-future.md", "imported", "e-future"],
      ["f-long.md", "failed", undefined],
      ["g-unknown.md", "failed", undefined],
      ["h-good.md", "imported", "h"],
      ["i-same.md", "imported", "h-2"],
      ["j-yaml.md", "failed", undefined],
    ]);
    const notesOf = (name: string) => lines.find(({ source }) => source === name)?.notes.join(" ");
    expect(notesOf("e-future.md")).toMatch("Its date is in the future; it is a draft here.");
    expect(notesOf("h-good.md")).toMatch("Tags longer than 40 characters");
    expect(notesOf("i-same.md")).toMatch("Another post has the address h; its own is h-2.");
    const again = await run(folder, { format: "markdown" });
    expect(again.filter(({ result }) => result === "imported")).toEqual([]);
  });

  test("waits for its pictures, and leaves a post out whose pictures the server has no time for", async () => {
    const database = await open();
    const jane = await addUser(database, "jane");
    const { run } = await setting(database);
    const image = { create: { width: 8, height: 8, channels: 3, background: "#fff" } } as const;
    const png = await sharp(image).png().toBuffer();
    const folder = folderOf({
      "a.png": png,
      "cover.md": "---\ntitle: Cover\nauthor: jane\ndate: 2020-01-01\ncover: a.png\n---\nText.",
      "text.md": "---\ntitle: Text\nauthor: jane\ndate: 2020-01-01\n---\n![A](a.png)",
    });
    const busy = createImageEncoder({ imagesMaximum: 0 });
    const failed = { result: "failed", reason: expect.stringMatching(/^The server had no time to prepare/) };
    expect(await run(folder, { format: "markdown" }, busy)).toMatchObject([failed, failed]);
    expect(await allOf(database)).toEqual([]);

    // Of one owner three images are prepared at once.
    const others = Array.from({ length: 3 }, () => imageEncoder.encode(png, String(jane.id)));
    expect(await run(folder, { format: "markdown" })).toMatchObject([
      { result: "imported", notes: [] },
      { result: "imported", notes: [] },
    ]);
    expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(Array(3).fill("encoded"));
    const [cover, text] = await allOf(database);
    expect([cover?.cover, text?.content]).toEqual(Array(2).fill(expect.stringContaining("/media/")));
  });

  test("that breaks off and is begun again makes no post twice", async () => {
    const database = await open();
    await addUser(database, "jane");
    const { run, begin } = await setting(database);
    const dated = Array.from({ length: 12 }, (_, index) => {
      const day = String(index + 1).padStart(2, "0");
      return [
        `${day}.md`,
        `---\ntitle: Links\nslug: links\nauthor: jane\ndate: 2020-01-${day}\n---\nText ${day}`,
      ];
    });
    const folder = folderOf({
      ...Object.fromEntries(dated),
      "later.md": "---\ntitle: Later\nauthor: jane\ndate: 2030-01-01\nstatus: scheduled\n---\nText",
      "same/index.md": "---\ntitle: Links\nslug: links\nauthor: jane\ndate: 2020-01-01\n---\nAnother text",
    });
    let count = 0;
    for await (const _ of begin(folder)) if (++count === 11) break;
    expect(await allOf(database)).toHaveLength(11);
    const counts = Map.groupBy(await run(folder, { format: "markdown" }), ({ result }) => result);
    expect([...counts].map(([result, lines]) => [result, lines.length])).toEqual([
      ["skipped", 11],
      ["imported", 2],
      ["failed", 1],
    ]);
    expect(counts.get("failed")?.[0]).toMatchObject({
      source: "same/index.md",
      reason: "Another post of this import has the same address and date.",
    });
    const posts = await allOf(database);
    expect(new Set(posts.map(({ content }) => content)).size).toBe(13);
    // No time of a past event is in the future.
    expect(posts.filter(({ createdAt, updatedAt }) => createdAt > morning || updatedAt > morning)).toEqual(
      [],
    );
    expect((await run(folder, { format: "markdown" })).filter(({ result }) => result === "imported")).toEqual(
      [],
    );
  });

  test("keeps former addresses that no other post has, and the time of the last change", async () => {
    const database = await open();
    const jane = await addUser(database, "jane");
    await addPost(database, jane, { title: "Taken" });
    const { run } = await setting(database);
    const folder = folderOf({
      "post.md":
        "---\ntitle: Present\nslug: present\nauthor: jane\ndate: 2020-01-01\nlastmod: 2021-01-01\naliases: [/posts/old, /posts/taken, /2019/old/]\n---\nText",
    });
    const [line] = await run(folder, { format: "markdown" });
    expect(line?.notes).toEqual([
      "Its former address /2019/old/ was left out: another post has it, or it is of another form.",
      "Its former address taken was left out: another post has it, or it is of another form.",
    ]);
    expect(await database.posts.presentSlug("old")).toBe("present");
    expect(await database.posts.presentSlug("taken")).toBeUndefined();
    expect((await allOf(database)).find(({ slug }) => slug === "present")?.updatedAt).toBe(
      Date.UTC(2021, 0, 1),
    );
  });
});

describe.each(["markdown", "ghost", "wordpress"] as const)("the addresses in an import from %s", (format) => {
  const long = Array.from({ length: 14 }, () => "longer")
    .join("-")
    .padEnd(98, "s");
  const tooLong = "x".repeat(201);
  const slugs = [long, "release_notes_1.2", "Release_Notes", "a b", tooLong];

  function archive(): string {
    if (format === "markdown")
      return folderOf(
        Object.fromEntries(
          slugs.map((slug, index) => [
            `${index}.md`,
            `---\ntitle: T${index}\nslug: ${slug}\nauthor: jane\ndate: 2020-01-0${index + 1}\n---\nText`,
          ]),
        ),
      );
    if (format === "ghost") {
      const posts = slugs.map((slug, index) => ({
        ...{ id: `${index}`, title: `T${index}`, slug, html: "<p>x</p>", status: "published" },
        ...{ published_at: `2020-01-0${index + 1}T10:00:00.000Z`, author_id: "u" },
      }));
      return folderOf({ "g.json": JSON.stringify({ data: { posts, users: [{ id: "u", slug: "jane" }] } }) });
    }
    const items = slugs.map(
      (slug, index) =>
        `<item><title>T${index}</title><dc:creator>jane</dc:creator><content:encoded>x</content:encoded><wp:post_name>${slug}</wp:post_name><wp:post_date_gmt>2020-01-0${index + 1} 10:00:00</wp:post_date_gmt></item>`,
    );
    return folderOf({ "w.xml": `<rss><channel>${items.join("")}</channel></rss>` });
  }

  test("stay, and those that cannot are noted and lead to the new ones", async () => {
    const database = temporaryDatabase();
    await addUser(database, "jane");
    const { run } = await setting(database);
    const folder = archive();
    const expected = [
      [long, []],
      ["release_notes_1.2", []],
      ["release_notes", ["Its address Release_Notes is release_notes here; the former one leads to it."]],
      ["a-b", ["Its address a b is a-b here, and links to the former one lead nowhere."]],
      [tooLong.slice(1), [`Its address ${tooLong} is ${tooLong.slice(1)} here; the former one leads to it.`]],
    ];
    const addresses = (lines: ImportLine[]) => lines.map(({ slug, notes }) => [slug, notes]);
    expect(addresses(await run(folder, { format, isTrial: true }))).toEqual(expected);
    expect(addresses(await run(folder, { format }))).toEqual(expected);
    expect(await database.posts.presentSlug("Release_Notes")).toBe("release_notes");
    expect(await database.posts.presentSlug(tooLong)).toBe(tooLong.slice(1));
    const again = await run(folder, { format });
    expect(again.map(({ result }) => result)).toEqual(slugs.map(() => "skipped"));
  });
});

test("files as Hugo and Jekyll write them are read", async () => {
  const database = temporaryDatabase();
  await addUser(database, "jane");
  const { run } = await setting(database);
  const folder = folderOf({
    "2020-01-02-day.md": "---\ntitle: Day\ndescription:\ntags:\nauthor: jane\n---\nText",
    "content/bundle/index.md": "---\ntitle: Bundle\ndate: 2020-01-01T10:00:00+02:00\nauthor: jane\n---\nText",
    "toml.md": '+++\ntitle = "x"\n+++\nText',
    "proto.md": "---\n__proto__: {title: x}\ntitle: Own\nauthor: jane\ndate: 2020-01-01\n---\nText",
    "deep.md": `---\na: ${"[".repeat(6_000)}\n---\nx`,
    "long.md": `---\ntitle: Long\nauthor: jane\ndate: 2020-01-01\nx: ${"x".repeat(8_192)}\n---\nText`,
  });
  const lines = await run(folder, { format: "markdown" });
  expect(lines.map(({ source, result, slug }) => [source, result, slug])).toEqual([
    ["2020-01-02-day.md", "imported", "day"],
    ["content/bundle/index.md", "imported", "bundle"],
    ["deep.md", "failed", undefined],
    ["long.md", "failed", undefined],
    ["proto.md", "imported", "proto"],
    ["toml.md", "failed", undefined],
  ]);
  const long = lines.find(({ source }) => source === "long.md");
  expect(long?.reason).toBe("The lines at its top, before the text, are longer than 8,192 characters.");
});

test("a post that fails unexpectedly stops no other, and a database that takes nothing stops the import", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const database = temporaryDatabase();
  await addUser(database, "jane");
  const { run } = await setting(database);
  database.sqlite.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON posts WHEN NEW.slug = 'b' BEGIN SELECT RAISE(ABORT, 'refused'); END",
  );
  const head = (slug: string) => `---\ntitle: ${slug}\nauthor: jane\ndate: 2020-01-01\n---\nText`;
  const folder = folderOf({ "a.md": head("a"), "b.md": head("b"), "c.md": head("c") });
  const lines = await run(folder, { format: "markdown" });
  expect(lines.map(({ result, reason }) => [result, reason])).toEqual([
    ["imported", undefined],
    ["failed", "An unexpected error stopped it; the log has the details."],
    ["imported", undefined],
  ]);
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: "refused" }));
  logged.mockRestore();
  database.sqlite.pragma("query_only = on");
  await expect(run(folder, { format: "markdown" })).rejects.toThrow("readonly");
});

test("the description of a cover is one line of a bounded length", async () => {
  const database = temporaryDatabase();
  await addUser(database, "jane");
  const { run } = await setting(database);
  const image = { create: { width: 8, height: 8, channels: 3, background: "#fff" } } as const;
  const head = (slug: string, alt: string) =>
    `---\ntitle: ${slug}\nauthor: jane\ndate: 2020-01-01\ncover: a.png\ncoverAlt: ${JSON.stringify(alt)}\n---\nText`;
  const folder = folderOf({
    "a.md": head("a", "A\u0007pan"),
    "b.md": head("b", `${"x".repeat(499)}😀${"y".repeat(7_000)}`),
    "c.md": head("c", "A pan"),
    "a.png": await sharp(image).png().toBuffer(),
  });
  const note = "The description of its cover was changed: one is a line of at most 500 characters.";
  const lines = await run(folder, { format: "markdown" });
  expect(lines.map(({ result, notes }) => [result, notes])).toEqual([
    ["imported", [note]],
    ["imported", [note]],
    ["imported", []],
  ]);
  expect((await allOf(database)).map(({ coverAlt }) => coverAlt)).toEqual([
    "A pan",
    "x".repeat(499),
    "A pan",
  ]);
});

test("a trial suggests the account of an author's name, and an import takes none that is not chosen", async () => {
  const database = temporaryDatabase();
  const jane = await addUser(database, "jane");
  const staff = await addUser(database, "alder", { isAdministrator: true });
  const { run } = await setting(database);
  const long = "x".repeat(400);
  const head = (author: string) =>
    `---\ntitle: T\nauthor: ${JSON.stringify(author)}\ndate: 2020-01-01\n---\nText`;
  const folder = folderOf({ "a.md": head("Jane"), "b.md": head("Jo\u0000  \n hn"), "c.md": head(long) });
  const request = { format: "markdown", authors: {}, by: administrator(staff) } as const;
  const of = (lines: ImportLine[]) =>
    lines.map(({ author, account, result, reason }) => [author, account, result, reason]);
  expect(of(await run(folder, { ...request, isTrial: true }))).toEqual([
    ["Jane", "jane", "would-import", undefined],
    ["Jo hn", undefined, "failed", "No account here is named Jo hn, as its author is."],
    [long.slice(0, 300), undefined, "failed", expect.stringContaining("No account here")],
  ]);
  expect(of(await run(folder, request))).toEqual([
    ["Jane", "jane", "failed", "No account is chosen for its author Jane."],
    ["Jo hn", undefined, "failed", "No account is chosen for its author Jo hn."],
    [long.slice(0, 300), undefined, "failed", expect.stringContaining("No account is chosen")],
  ]);
  expect(await allOf(database)).toEqual([]);
  const chosen = { Jane: "jane", "Jo hn": "alder", [long]: "jane" };
  expect((await run(folder, { ...request, authors: chosen })).map(({ result }) => result)).toEqual([
    "imported",
    "imported",
    "imported",
  ]);
  expect((await database.users.byId(jane.id))?.isWriter).toBe(true);
  const changes = await database.accountChanges.latest(9, undefined, "all");
  expect(changes.map(({ kind, by }) => [kind, by])).toEqual([
    ["make-writer", "alder"],
    ["make-writer", "alder"],
  ]);
});

test("an account that waits for approval or is disabled gets no posts, and may not write by an import", async () => {
  const database = temporaryDatabase();
  const waiting = await addUser(database, "willow", { pendingSince: morning });
  const disabled = await addUser(database, "dogwood");
  await database.transaction(() => database.users.setAllDisabledAt([disabled.id], morning));
  const { run } = await setting(database);
  const head = (author: string) => `---\ntitle: T\nauthor: ${author}\ndate: 2020-01-01\n---\nText`;
  const folder = folderOf({ "a.md": head("willow"), "b.md": head("dogwood") });
  const chosen = { willow: "willow", dogwood: "dogwood" };
  for (const isTrial of [true, false]) {
    const lines = await run(folder, { format: "markdown", isTrial, authors: chosen });
    expect(lines.map(({ reason, account }) => [reason, account])).toEqual([
      ["The account willow is disabled or waits for approval: it gets no posts.", undefined],
      ["The account dogwood is disabled or waits for approval: it gets no posts.", undefined],
    ]);
  }
  for (const { id } of [waiting, disabled]) expect((await database.users.byId(id))?.isWriter).toBe(false);
});

describe("an export of WordPress'", () => {
  const rss = (title: string) =>
    `<rss><channel><item><title>${title}</title><dc:creator>jane</dc:creator><content:encoded>x</content:encoded><wp:post_name>a</wp:post_name><wp:post_date_gmt>2015-01-02 03:04:05</wp:post_date_gmt></item></channel></rss>`;
  const entities = '<!DOCTYPE r [<!ENTITY a "AAAA"><!ENTITY b SYSTEM "file:///etc/passwd">]>';

  async function linesOf(files: Record<string, string>) {
    const database = temporaryDatabase();
    await addUser(database, "jane");
    const { run } = await setting(database);
    const lines = await run(folderOf(files), { format: "wordpress" });
    return { lines, posts: await allOf(database) };
  }

  test.each([
    ["at the top", entities + rss("&a;")],
    ["after a long comment", `<?xml version="1.0"?><!-- ${"x".repeat(20_000)} -->${entities}${rss("&a;")}`],
  ])("that declares a document type %s is refused", async (_, xml) => {
    const { lines, posts } = await linesOf({ "wp.xml": xml });
    expect(lines[0]?.reason).toBe("It declares a document type, which no export does.");
    expect(posts).toEqual([]);
  });

  test("has no entities but those of XML", async () => {
    const inside = rss("&a;").replace("<channel>", '<channel><!DOCTYPE r [<!ENTITY a "AAAA">]>');
    expect((await linesOf({ "wp.xml": inside })).posts[0]?.title ?? "none").not.toContain("AAAA");
    const { posts } = await linesOf({ "wp.xml": rss("Don&#8217;t &#x2014; &lt;b&gt; &amp;amp; &#x110000;") });
    expect(posts[0]?.title).toBe("Don’t — <b> &amp; &#x110000;");
  });

  test.each([
    ["nested 100,000 deep", "<a>".repeat(100_000)],
    ["with a reserved name", `<rss><__proto__><x>1</x></__proto__></rss>`],
    ["cut off", "<rss><channel><item><title><![CDATA[x"],
  ])("%s is not an export", async (_, xml) => {
    const { lines } = await linesOf({ "wp.xml": xml });
    expect(lines.map(({ result }) => result)).toEqual(["failed"]);
  });
});

test("a damaged or malformed export of Ghost's is reported", async () => {
  const database = temporaryDatabase();
  const { run } = await setting(database);
  const bomb = { name: "ghost.json", content: " ".repeat(1_000), isDeflated: true, statedBytes: 10 };
  const file = join(temporaryFolder(), "ghost.zip");
  writeFileSync(file, craftedZip([bomb]));
  const reasons = async (path: string) => (await run(path, { format: "ghost" })).map(({ reason }) => reason);
  const none = "There is no JSON file that Ghost has exported.";
  expect(await reasons(file)).toEqual(["Its bytes are damaged.", none]);
  for (const text of ["", "{", "[]", '{"db":[]}', '{"db":[{"data":{"posts":{}}}]}', "[".repeat(100_000)])
    expect(await reasons(folderOf({ "ghost.json": text }))).toEqual([none]);
});
