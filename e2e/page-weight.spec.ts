/**
 * The weight of pages in the browser, for a visitor with an empty cache.
 * Compressed bytes as transferred, except for a page's own HTML. `npm run bench -- page-weight` measures more pages.
 */
import type { Browser, Page } from "playwright/test";
import { manyAccounts } from "../testing/registration.ts";
import { makeAdministrator, type Person, postPath, publish, signUp } from "./people.ts";
import { photo } from "./picture.ts";
import { expect, mainServer, test } from "./test.ts";

const limits = { ...manyAccounts, "post.user": { capacity: 30 } };
const words = "Some words about *rivers*, and how a weir slows them down. ".repeat(8);
const code = "```js\nconst level = (inflow, outflow) => inflow - outflow;\n```";

test("pages for visitors stay light, in both languages", async ({ startServer, openBrowser, browser }) => {
  const server = await startServer({ LIMITS: JSON.stringify(limits) });
  const author = await signUp(await openBrowser(server), "author");
  let slug = "";
  // More than a page of the list.
  for (let count = 0; count < 21; count += 1) {
    slug = await publish(author, { content: words });
    expect((await author.page.request.put(`/api/posts/${slug}/bookmark`)).status()).toBe(204);
  }
  const bookmarks = await author.page.request.get("/account/bookmarks");
  expect((await bookmarks.body()).length).toBeLessThan(40_000);
  const persian = await publish(author, {
    title: "رود و سد: گزارشی از آب",
    content: "آب از سد می‌گذرد و در رود *weir* پیش می‌رود. ".repeat(8),
  });
  const hungarian = await publish(author, { title: "Gyűrű, őz és ağaç", content: words });
  for (const locale of ["en", "fa"]) {
    const weigh = (path: string) => weightOf(browser, { url: `${server.origin}${path}`, locale });
    const home = await weigh("/");
    expect(home.total).toBeLessThan(200_000);
    expect(home.html).toBeLessThan(40_000);
    const post = await weigh(postPath(slug));
    expect(post.script).toBeGreaterThan(0);
    expect(post.script).toBeLessThan(2_000);
    const explainer = await weigh("/how-scores-work");
    const lab = await weigh("/lab");
    expect(lab.html).toBeLessThan(90_000);
    for (const { script } of [home, explainer, lab]) expect(script).toBe(0);
    const otherScripts = await Promise.all([persian, hungarian].map((each) => weigh(postPath(each))));
    for (const { fonts } of [home, post, explainer, lab, ...otherScripts])
      expect(fonts).toBeLessThanOrEqual(2);
    expect((await weigh("/login")).script).toBeLessThan(155_000);
  }
});

test("posts with covers, tags, code and pictures stay light, in both languages", async ({
  startServer,
  openBrowser,
  browser,
}) => {
  const server = await startServer({ LIMITS: JSON.stringify(limits) });
  const author = await signUp(await openBrowser(server), "author");
  const slugs: string[] = [];
  for (let count = 0; count < 21; count += 1) slugs.push(await publishRich(author, count));
  const [slug = ""] = slugs.slice(-1);
  const year = new Date().getUTCFullYear();
  for (const locale of ["en", "fa"]) {
    const weigh = (path: string, width: number) =>
      weightOf(browser, { url: `${server.origin}${path}`, locale, width });
    const post = await weigh(postPath(slug), 375);
    expect(post.script).toBeLessThan(2_000);
    expect(post.fonts).toBeLessThanOrEqual(2);
    for (const path of [
      "/",
      `/archive/${year}`,
      "/archive",
      "/tags/water",
      "/?q=rivers",
      `/users/${author.username}`,
    ]) {
      const { total, html, script, fonts } = await weigh(path, 375);
      expect(total, path).toBeLessThan(200_000);
      // Rows are lower there, so that the browser loads more of the covers below.
      expect((await weigh(path, 1_280)).total, path).toBeLessThan(200_000);
      expect(html, path).toBeLessThan(40_000);
      expect(script, path).toBe(0);
      expect(fonts, path).toBeLessThanOrEqual(2);
    }
  }
});

test("a page for a user has the framework's scripts only where a form needs them", async ({
  page,
  openBrowser,
  faults,
}) => {
  const user = await signUp(page);
  const slug = await publish(user);
  const administrator = await signUp(await openBrowser(), "administrator");
  await makeAdministrator(mainServer, administrator);
  const ofUsers = [
    "/",
    "/how-scores-work",
    "/lab",
    `/users/${user.username}`,
    "/account/ratings",
    `${postPath(slug)}/activity`,
    `${postPath(slug)}/revisions`,
  ];
  const ofAdministrators = ["posts", "images", "decisions", "system", "archive"].map(
    (name) => `/admin/${name}`,
  );
  const scripts = (at: Page) => at.locator("script[src^='/_next/']");
  for (const [at, paths] of [
    [page, ofUsers],
    [administrator.page, [...ofAdministrators, `/users/${user.username}`]],
  ] as const)
    for (const path of paths) {
      const response = await at.goto(path);
      await expect(at.locator("h1, .page-title").first(), path).toBeVisible();
      await expect(scripts(at), path).toHaveCount(0);
      if (path === "/") expect((await response?.body())?.length).toBeLessThan(40_000);
    }
  for (const [status, path] of [
    [404, "/nothing/here"],
    [404, "/posts/nothing-here"],
    [403, "/admin/system"],
  ] as const) {
    faults.expectStatus(status);
    expect((await page.goto(path))?.status()).toBe(status);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(scripts(page), path).toHaveCount(0);
  }
  await page.goto("/posts/new");
  await expect(scripts(page)).not.toHaveCount(0);
});

/** Publishes a post with a cover, tags, code and a picture. */
async function publishRich({ page: { request } }: Person, number: number): Promise<string> {
  const file = { name: "lake.jpg", mimeType: "image/jpeg", buffer: await photo() };
  const upload = await request.post("/api/media", { multipart: { file, alt: "A lake" } });
  const { address, markdown }: { address: string; markdown: string } = await upload.json();
  const content = [words, code, markdown, words].join("\n\n");
  const data = { title: `A post ${number}`, content, cover: address, tags: ["Water", "Walks", "Maps"] };
  const { slug }: { slug: string } = await (await request.post("/api/posts", { data })).json();
  return slug;
}

interface Weight {
  script: number;
  fonts: number;
  total: number;
  html: number;
}

async function weightOf(
  browser: Browser,
  { url, locale, width = 1_280 }: { url: string; locale: string; width?: number },
): Promise<Weight> {
  const context = await browser.newContext({ locale, viewport: { width, height: 720 } });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const types = new Map<string, string>();
  const weight = { script: 0, fonts: 0, total: 0 };
  devTools.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    weight.total += encodedDataLength;
    if (type === "Script") weight.script += encodedDataLength;
    if (type === "Font") weight.fonts += 1;
  });
  await devTools.send("Network.enable");
  const response = await page.goto(url, { waitUntil: "networkidle" });
  const html = (await response?.body())?.length ?? Number.NaN;
  await context.close();
  return { ...weight, html };
}
