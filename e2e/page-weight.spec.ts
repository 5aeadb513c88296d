/**
 * The weight of pages in the browser, for a visitor with an empty cache.
 * Compressed bytes as transferred, except for a page's own HTML. `npm run bench -- page-weight` measures more pages.
 */
import type { Browser, Page } from "playwright/test";
import { userNamed } from "../db/contract/setting.ts";
import type { Database } from "../db/index.ts";
import { openWindow } from "../lib/ratings/floods/flood-window.ts";
import { manyAccounts } from "../testing/registration.ts";
import {
  addImage,
  inDatabase,
  makeAdministrator,
  type Person,
  postPath,
  publish,
  signUp,
  signUpAdministrator,
} from "./people.ts";
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
  for (let count = 0; count < 21; count += 1) slug = await publish(author, { content: words });
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
    // In Persian 91.5 kB, over 1 kB of which load the footer's script (`app/_components/form-script.tsx`).
    expect(lab.html).toBeLessThan(92_000);
    for (const { script } of [home, explainer, lab]) expect(script).toBe(0);
    const otherScripts = await Promise.all([persian, hungarian].map((each) => weigh(postPath(each))));
    for (const { fonts } of [home, post, explainer, lab, ...otherScripts])
      expect(fonts).toBeLessThanOrEqual(2);
    expect((await weigh("/login")).script).toBeLessThan(6_000);
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

/** Bounds of the HTML of lists for their readers, each with a full page of entries. */
const lists = [
  "/account/bookmarks",
  "/account/media",
  "/account/posts",
  "/account/ratings",
  "/admin",
  "/admin/decisions",
  "/admin/images",
  "/admin/people",
  "/admin/posts",
  "/admin/subscribers",
  "/admin/webhooks/1",
];

test("full lists of a user and an administrator stay light, in both languages", async ({
  startServer,
  openBrowser,
}) => {
  const many = { capacity: 90 };
  const server = await startServer({
    LIMITS: JSON.stringify({ ...limits, "post.user": many, "post.render": many }),
  });
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { request } = administrator.page;
  for (let count = 0; count < 21; count += 1) {
    const slug = await publish(administrator, { title: `A walk along the river, part ${count}` });
    expect((await request.put(`/api/posts/${slug}/bookmark`)).status()).toBe(204);
    expect((await request.post(`/api/posts/${slug}/rating`, { data: { score: 4 } })).status()).toBe(201);
    const draft = { title: `A draft of another walk, part ${count}`, content: words, draft: true };
    expect((await request.post("/api/posts", { data: draft })).status()).toBe(201);
  }
  const webhook = { url: "https://receiver.example.org/hooks/weir", events: ["post.published"] };
  expect(await (await request.post("/api/webhooks", { data: webhook })).json()).toMatchObject({ id: 1 });
  await inDatabase(server, fillLists);
  for (const locale of ["en", "fa"])
    for (const path of lists) {
      const answer = await request.get(path, { headers: { "Accept-Language": locale } });
      expect.soft((await answer.body()).length, `${path}, ${locale}`).toBeLessThan(40_000);
    }
  for (const [path, list] of [
    ["/admin", "#floods"],
    ["/admin/decisions", "#excluded"],
    ["/admin/decisions", "#counted"],
  ] as const)
    expect(await linksOfPages(administrator.page, path, list), list).toHaveLength(floodsOfEachStatus);
});

test("full lists of posts with long Persian titles stay light, in both languages", async ({
  startServer,
  openBrowser,
}) => {
  const many = { capacity: 90 };
  const server = await startServer({
    LIMITS: JSON.stringify({ ...limits, "post.user": many, "post.render": many, "rating.user": many }),
  });
  const author = await signUp(await openBrowser(server), "author");
  const { request } = author.page;
  for (let count = 0; count < 51; count += 1) {
    // Each letter is six characters of its address.
    const title = `گزارشی از رود و سد و پل‌های کنار آن، و آنچه مردم روستا می‌گویند، بخش ${count}`;
    const slug = await publish(author, { title, content: "آب از سد می‌گذرد و در رود پیش می‌رود. ".repeat(8) });
    expect((await request.post(`/api/posts/${slug}/rating`, { data: { score: 4 } })).status()).toBe(201);
  }
  for (const locale of ["en", "fa"])
    for (const path of [`/archive/${new Date().getUTCFullYear()}`, "/account/ratings"]) {
      const answer = await request.get(path, { headers: { "Accept-Language": locale } });
      const html = await answer.text();
      expect(html.match(/<bdi lang="fa"/g), path).toHaveLength(50);
      expect.soft(Buffer.byteLength(html), `${path}, ${locale}`).toBeLessThan(40_000);
    }
});

/** The links to the entries of a list, on all of its pages. */
async function linksOfPages(page: Page, path: string, list: string): Promise<string[]> {
  const found: (string | null)[] = [];
  for (let next: string | null = path; next !== null; ) {
    await page.goto(next);
    for (const link of await page.locator(`${list} h3 a`).all()) found.push(await link.getAttribute("href"));
    const older = page.locator(`${list} a[rel=next]`);
    next = (await older.count()) > 0 ? await older.getAttribute("href") : null;
  }
  return [...new Set(found)].flatMap((href) => href ?? []);
}

const floodsOfEachStatus = 100;

/** Adds more entries than one page of each list of `lists` has. */
async function fillLists(database: Database): Promise<void> {
  const now = Date.now();
  for (let count = 0; count < 51; count += 1) {
    const name = `a-person-of-the-village-${count}`;
    const waiting = count < 31 ? { pendingSince: now } : {};
    await database.users.insert(userNamed(name, { createdAt: now, ...waiting }));
    const by = { email: `${name}@example.org`, emailKey: `${name}@example.org`, createdAt: now };
    await database.subscribers.add({ ...by, locale: "en" });
    const alt = `A lake with reeds at its shore, and a boat, number ${count}`;
    const shape = { width: 1_200, height: 600, isAnimated: false, bytes: 240_000 };
    const name25 = String(count).padStart(25, "0");
    await database.media.insert({ ...shape, name: name25, userId: 1, alt, createdAt: now });
    await database.accountChanges.record(
      { kind: "end-sessions", at: now, actor: "administrator", byUserId: 1, why: "A phone was lost." },
      [],
    );
    await database.transaction(() =>
      // Still to be sent, so that the page has its form.
      database.webhooks.queue(1, {
        messageId: `msg_${crypto.randomUUID()}`,
        event: "post.published",
        body: "{}",
        createdAt: now + 3_600_000,
      }),
    );
  }
  const posts = await database.posts.recent(20);
  for (let count = 0; count < floodsOfEachStatus; count += 1)
    for (const [index, status] of (["held", "excluded", "counted"] as const).entries()) {
      const postId = posts[count % posts.length]?.id ?? 0;
      const number = 3 * count + index + 1;
      const at = now - 86_400_000 + number * 60_000;
      await database.floodWindows.save(postId, {
        ...openWindow(number, at, 3_600_000, []),
        lastAt: at + 30_000,
        closedAt: at + 59_000,
        recentGapMs: 1,
        counts: [130, 7, 5, 3, 2, 13],
        status,
      });
      const why = "A channel with many followers called for zeros, and they came within a few minutes.";
      if (status === "held") await database.reviewRequests.insert(postId, { window: number, at, why });
      else
        await database.floodWindows.recordDecision(postId, {
          ...{ window: number, at, status, why, ratings: 160 },
          ...{ decidedBy: "person", userId: 1, role: "administrator" },
        });
    }
}

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
    "/account/bookmarks",
    "/account/media",
    "/account/ratings",
    `${postPath(slug)}/activity`,
    `${postPath(slug)}/revisions`,
  ];
  const ofAdministrators = ["people", "posts", "images", "subscribers", "decisions", "system", "archive"].map(
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
async function publishRich({ page }: Person, number: number): Promise<string> {
  const { address, markdown } = await addImage(page, { content: await photo() });
  const content = [words, code, markdown, words].join("\n\n");
  const data = { title: `A post ${number}`, content, cover: address, tags: ["Water", "Walks", "Maps"] };
  const { slug }: { slug: string } = await (await page.request.post("/api/posts", { data })).json();
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
