/** The feed, a page's metadata and the icon, read by the browser's own parsers. */
import { newName, postPath, publish, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("the feed is well-formed Atom with any post content", async ({ page, baseURL }) => {
  const author = await signUp(page, "author");
  const title = `${newName("Feed")} <b>&amp; "quotes" ]]> 🙂 \uFFFE\uFFFF`;
  const slug = await publish(author, { title, content: "Text & <script>alert(1)</script>\n\n\uFFFF end" });
  const answer = await page.request.get("/feed.xml");
  expect(answer.headers()["content-type"]).toBe("application/atom+xml; charset=utf-8");
  const xml = await answer.text();
  await page.goto("/how-scores-work");
  const address = `${baseURL}${postPath(slug)}`;
  const feed = await page.evaluate(
    ([text = "", id]) => {
      const parsed = new DOMParser().parseFromString(text, "application/xml");
      const atom = "http://www.w3.org/2005/Atom";
      const textOf = (parent: Document | Element | undefined, name: string) =>
        parent?.getElementsByTagNameNS(atom, name)[0]?.textContent;
      // Other tests publish posts, too.
      const entries = Array.from(parsed.getElementsByTagNameNS(atom, "entry"));
      const entry = entries.find((each) => textOf(each, "id") === id);
      return {
        error: parsed.querySelector("parsererror")?.textContent ?? null,
        root: parsed.documentElement.localName,
        updated: textOf(parsed, "updated"),
        entries: Array.from(parsed.getElementsByTagNameNS(atom, "id"), (id) => id.textContent),
        author: textOf(entry, "name"),
        content: textOf(entry, "content"),
        lang: parsed.documentElement.getAttribute("xml:lang"),
      };
    },
    [xml, address],
  );
  expect(feed.error).toBeNull();
  expect(feed.root).toBe("feed");
  expect(Date.parse(feed.updated ?? "")).toBeGreaterThan(Date.now() - 600_000);
  expect(feed.lang).toBe("en");
  expect(feed.content).toContain("<p>Text &#x26; alert(1)</p>");
  expect(feed.content).not.toContain("script>");
  expect(feed.entries).toContain(address);
  expect(xml).toContain(title.split(" ")[0]);
});

test("a post's metadata has title, description, author, address, feed and icon", async ({
  page,
  baseURL,
}) => {
  const author = await signUp(page, "author");
  const title = newName("Described");
  const slug = await publish(author, {
    title,
    content: `## Heading\n\n*First* words. ${"More. ".repeat(100)}`,
  });
  await page.goto(postPath(slug));
  await expect(page).toHaveTitle(`${title} · Weir`);
  const head = await page.evaluate(() => {
    const content = (selector: string) => document.head.querySelector(selector)?.getAttribute("content");
    const href = (selector: string) => document.head.querySelector(selector)?.getAttribute("href");
    return {
      description: content("meta[name=description]"),
      author: content("meta[name=author]"),
      type: content("meta[property='og:type']"),
      canonical: href("link[rel=canonical]"),
      feed: href("link[rel=alternate][type='application/atom+xml']"),
      icon: href("link[rel=icon]"),
      language: document.documentElement.lang,
    };
  });
  expect(head).toMatchObject({ author: author.username, type: "article", language: "en" });
  expect(head.description).toMatch(/^First words\. More\./);
  expect(head.canonical).toBe(`${baseURL}${postPath(slug)}`);
  expect(new URL(head.feed ?? "", baseURL).pathname).toBe("/feed.xml");
  const icon = await page.request.get(head.icon ?? "/no-icon");
  expect(icon.status()).toBe(200);
  expect(icon.headers()["content-type"]).toContain("image/svg+xml");
});

test("a shared post has an image that is kept as long as it shows the same", async ({ page, baseURL }) => {
  const author = await signUp(page, "author");
  const title = newName("سدی بر رود");
  const slug = await publish(author, { title });
  await page.goto(postPath(slug));
  const content = (property: string) =>
    page.locator(`meta[property="${property}"], meta[name="${property}"]`).first().getAttribute("content");
  expect(await content("og:image:width")).toBe("1200");
  expect(await content("og:image:height")).toBe("630");
  expect(await content("og:image:alt")).toBe(`${title} · ${author.username} · Not rated yet`);
  expect(await content("og:site_name")).toBe("Weir");
  expect(await content("twitter:card")).toBe("summary_large_image");
  const address = (await content("og:image")) ?? "";
  expect(address).toContain(`${baseURL}${postPath(slug)}/image.png?v=`);

  const image = await page.request.get(address);
  expect(image.status()).toBe(200);
  expect(image.headers()).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
  });
  await page.setContent(`<img src="${address}">`);
  await expect(page.locator("img")).toHaveJSProperty("naturalWidth", 1200);
  const etag = image.headers().etag ?? "";
  const again = await page.request.get(address, { headers: { "If-None-Match": `W/${etag}, "other"` } });
  expect(again.status()).toBe(304);
  const older = await page.request.get(`${postPath(slug)}/image.png?v=older`);
  expect(older.headers()["cache-control"]).toBe("public, max-age=300");

  await author.page.request.patch(`/api/posts/${encodeURIComponent(slug)}`, {
    data: { title: newName("A") },
  });
  expect((await page.request.get(address)).headers().etag).not.toBe(etag);
  expect((await page.request.get("/posts/nowhere-at-all/image.png")).status()).toBe(404);
});
