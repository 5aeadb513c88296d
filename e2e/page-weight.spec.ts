/**
 * The weight of pages in the browser, for a visitor with an empty cache.
 * Compressed bytes as transferred, except for a page's own HTML. `npm run bench -- page-weight` measures more pages.
 */
import type { Browser } from "playwright/test";
import { manyAccounts } from "../testing/registration.ts";
import { postPath, publish, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

const limits = { ...manyAccounts, "post.user": { capacity: 30 } };
const words = "Some words about *rivers*, and how a weir slows them down. ".repeat(8);

test("pages for visitors stay light, in both languages", async ({ startServer, openBrowser, browser }) => {
  const server = await startServer({ LIMITS: JSON.stringify(limits) });
  const author = await signUp(await openBrowser(server), "author");
  let slug = "";
  // More than a page of the list.
  for (let count = 0; count < 21; count += 1) slug = await publish(author, { content: words });
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
    for (const { fonts } of [home, post, explainer]) expect(fonts).toBeLessThanOrEqual(2);
    expect((await weigh("/login")).script).toBeLessThan(155_000);
  }
});

test("a page for a user has the framework's scripts only where a form needs them", async ({ page }) => {
  const { username } = await signUp(page);
  const scripts = page.locator("script[src^='/_next/']");
  for (const path of ["/", "/how-scores-work", "/lab", `/users/${username}`]) {
    const response = await page.goto(path);
    await expect(scripts).toHaveCount(0);
    if (path === "/") expect((await response?.body())?.length).toBeLessThan(40_000);
  }
  await page.goto("/posts/new");
  await expect(scripts).not.toHaveCount(0);
});

interface Weight {
  script: number;
  fonts: number;
  total: number;
  html: number;
}

async function weightOf(browser: Browser, { url, locale }: { url: string; locale: string }): Promise<Weight> {
  const context = await browser.newContext({ locale });
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
