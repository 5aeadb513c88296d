/** Finding, saving and sharing posts. */
import { newName, postPath, publish, rate, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("a reader saves a post for later, finds it on the account page and removes it", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  const author = await signUp(await openBrowser(), "author");
  const title = newName("Saved");
  const slug = await publish(author, { title });
  await page.goto(postPath(slug));
  await page.getByRole("link", { name: "Save for later" }).click();
  expect(new URL(page.url()).searchParams.get("next")).toBe(`${postPath(slug)}#save`);
  const reader = await signUp(page);
  await rate(reader, slug, 4);
  await page.goto(postPath(slug));
  await page.getByRole("button", { name: "Save for later" }).click();
  await page.getByRole("link", { name: "saved for later" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Saved for later" })).toBeVisible();
  const item = page.getByRole("listitem").filter({ hasText: title });
  await item.getByRole("button", { name: `Remove ${title}` }).click();
  await expect(page.getByText("You have not saved any posts yet.")).toBeVisible();
  await page.goto(postPath(slug));
  await expect(page.getByRole("button", { name: "Save for later" })).toBeVisible();

  await page.goto("/account");
  await page.getByRole("link", { name: "Posts you rated" }).click();
  const rated = page.getByRole("listitem").filter({ hasText: title });
  await expect(rated).toContainText("4 stars");
  await expect(rated).toContainText("Counted");
});

test("the feeds of the site and of a user have the same entries as Atom and as JSON Feed", async ({
  page,
  request,
  baseURL,
}) => {
  const author = await signUp(page, "author");
  const title = newName("Feed");
  const slug = await publish(author, { title, content: "See [another](/posts/another)." });
  const address = `${baseURL}${postPath(slug)}`;
  for (const path of ["", `/users/${author.username}`]) {
    await page.goto(path || "/");
    const linked = page.locator("head link[rel=alternate][type='application/feed+json']");
    await expect(linked).toHaveAttribute("href", new RegExp(`${path}/feed\\.json$`));
    expect(await (await request.get(`${path}/feed.xml`)).text()).toContain(`<id>${address}</id>`);
    const answer = await request.get(`${path}/feed.json`);
    expect(answer.headers()["content-type"]).toBe("application/feed+json; charset=utf-8");
    const { items, ...feed } = await answer.json();
    expect(feed).toMatchObject({ version: "https://jsonfeed.org/version/1.1", language: "en" });
    expect(feed.feed_url).toBe(`${baseURL}${path}/feed.json`);
    const item = items.find(({ id }: { id: string }) => id === address);
    expect(item).toMatchObject({ url: address, title, authors: [{ name: author.username }] });
    expect(item.content_html).toContain(`<a href="${baseURL}/posts/another"`);
    if (path) expect(items).toHaveLength(1);
  }
  expect((await request.get(`/users/${newName("nobody")}/feed.json`)).status()).toBe(404);
});

test("a tag leads to its posts, their feed and related posts, and only with posts in the lists", async ({
  page,
  request,
}) => {
  await signUp(page, "author");
  const [tag, hidden] = [newName("Ebb & flow"), newName("hidden")];
  const titles = [newName("One"), newName("Two")];
  const [slug] = await Promise.all(
    titles.map(async (title) => {
      const data = { title, content: "Some words.", tags: [tag] };
      const answer = await page.request.post("/api/posts", { data });
      const post: { slug: string } = await answer.json();
      return post.slug;
    }),
  );
  const unlisted = { title: "Unlisted", content: "Some words.", tags: [hidden], unlisted: true };
  expect((await page.request.post("/api/posts", { data: unlisted })).status()).toBe(201);
  await page.goto(postPath(slug ?? ""));
  const nearby = page.getByRole("navigation", { name: "More posts" });
  await expect(nearby.getByRole("heading", { name: "Related posts" })).toBeVisible();
  await expect(nearby.getByRole("listitem")).toHaveText([titles[1] ?? ""]);
  await page.getByRole("article").getByRole("link", { name: tag }).click();
  await expect(page.getByRole("heading", { level: 1, name: tag })).toBeVisible();
  for (const title of titles) await expect(page.getByRole("link", { name: title })).toBeVisible();
  await page.getByRole("link", { name: "Top" }).click();
  await expect(page.getByRole("link", { name: titles[0] ?? "" })).toBeVisible();
  const path = new URL(page.url()).pathname;
  const { items } = await (await request.get(`${path}/feed.json`)).json();
  expect(items).toHaveLength(2);
  expect(items[0].tags).toEqual([tag]);
  const atom = await (await request.get(`${path}/feed.xml`)).text();
  expect(atom.match(/<entry\b/g)).toHaveLength(2);
  const sitemap = await (await request.get("/sitemap.xml")).text();
  for (const each of [path, "/privacy"]) expect(sitemap).toContain(`${each}</loc>`);
  for (const missing of [`/tags/${hidden}`, `/tags/${hidden}/feed.xml`, "/tags/none", `${path}?sort=none`])
    expect((await request.get(missing)).status()).toBe(404);
});

test("a post leads to the archive of its year, to its neighbours and to its link", async ({
  page,
  openBrowser,
}) => {
  const author = await signUp(await openBrowser(), "author");
  const [older, newer] = [newName("Older"), newName("Newer")];
  const slug = await publish(author, { title: older });
  await publish(author, { title: newer });
  await page.goto(postPath(slug));
  await expect(page.getByRole("navigation", { name: "More posts" }).getByText("Next post")).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("The link is copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url().replace(/#.*/, ""));
  await page.getByRole("contentinfo").getByRole("link", { name: "Archive" }).click();
  await page
    .getByRole("main")
    .getByRole("link", { name: String(new Date().getUTCFullYear()) })
    .click();
  await expect(page.getByRole("link", { name: newer })).toBeVisible();
  await page.getByRole("link", { name: older }).click();
  await expect(page.getByRole("heading", { level: 1, name: older })).toBeVisible();
});

test("a post's link is shared by the browser's own means, and shown when the reader changes their mind", async ({
  page,
  openBrowser,
}) => {
  const slug = await publish(await signUp(await openBrowser(), "author"), { title: newName("Shared") });
  // Chromium without a window has no means to share.
  await page.addInitScript(() => {
    const share = async (data: ShareData) => {
      const { dataset } = document.documentElement;
      if (dataset.shared !== undefined) throw new DOMException("The reader has cancelled", "AbortError");
      dataset.shared = JSON.stringify(data);
    };
    Object.defineProperty(navigator, "share", { value: share });
  });
  await page.goto(postPath(slug));
  const link = page.getByRole("link", { name: "Link to this post" });
  const button = page.getByRole("button", { name: "Share…" });
  await button.click();
  const url = new URL(postPath(slug), page.url()).href;
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  const shared = () => page.evaluate(() => document.documentElement.dataset.shared);
  await expect.poll(shared).toBe(JSON.stringify({ title, url }));
  await expect(link).toBeHidden();
  await button.click();
  await expect(link).toBeVisible();
});
