/** The lab compares algorithms on a trace, with JavaScript and without. */
import type { Page } from "playwright/test";
import { publish, rate, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("a visitor compares algorithms with their own settings, and the link holds all of them", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  await page.goto("/how-scores-work");
  await page.getByRole("main").getByRole("link", { name: "the lab" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "A flood after a quiet day" })).toBeVisible();
  await expect(page).toHaveURL("/lab");
  // A chart of the score for this site's limits and for each limit, and one of its decisions.
  const limits = await page.locator("[name=lane]").count();
  await expect(page.getByRole("img")).toHaveCount(1 + 2 * limits);
  const scores = page.getByRole("region", { name: "Where the score goes" }).last();
  await expect(scores.getByRole("row").filter({ hasText: "No limit" })).toBeVisible();
  // The widest table fits, without scrolling.
  const comparison = page.getByRole("region", { name: "Comparison" });
  expect(await comparison.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

  await page.getByLabel("Ratings", { exact: true }).selectOption("100 calls 0.1 s apart");
  await page.getByText("Limits and their settings").first().click();
  for (const box of await page.getByRole("checkbox", { name: /^Show / }).all()) await box.uncheck();
  for (const name of ["Leaky bucket", "Token bucket", "Fixed window", "Sliding log"])
    await page.getByRole("checkbox", { name: `Show ${name}` }).check();
  await page.getByText("Fixed window 20 per second").click();
  await page.getByRole("textbox", { name: "Most in a window" }).fill("5");
  await page.getByRole("textbox", { name: "Seconds of a window" }).fill("0.8");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(
    "/lab?trace=locker&lane=leaky-bucket&lane=token-bucket&lane=fixed-window&lane=sliding-log" +
      "&FIXED_WINDOW_LIMIT=5&FIXED_WINDOW_SECONDS=0.8#results",
  );

  const friend = await openBrowser();
  for (const each of [page, friend]) {
    if (each === friend) await friend.goto(page.url());
    await expect(each.getByRole("img")).toHaveCount(4);
    await expect(row(each, "Fixed window")).toHaveText(/Fixed window\s*64\s*36\s*7\s*0\.3 sec/);
    await expect(row(each, "Leaky bucket")).toHaveText(/Leaky bucket\s*100\s*0\s*10\s*–/);
  }
  // With so many charts, a table is on the page only where a reader wants it.
  await friend.getByRole("link", { name: "Fixed window as a table" }).click();
  await expect(friend).toHaveURL(/&table=fixed-window#fixed-window$/);
  const tries = friend.getByRole("region", { name: "Fixed window as a table" }).getByRole("row");
  await expect(tries.nth(5)).toHaveText(/0\.4 s\s*accepted\s*4 of 5 in this window/);
  await expect(tries.nth(6)).toHaveText(/0\.5 s\s*refused\s*5 of 5 in this window/);
});

test("the site's limits decide together, or those that a visitor chooses", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await page.goto("/lab?lane=leaky-bucket");
  const scores = page.getByRole("region", { name: "Where the score goes" }).last();
  const rowOf = (name: string) => scores.getByRole("row", { name });
  await expect(rowOf("alone").first()).toHaveText(/^Ratings per post alone/);
  await expect(rowOf("Changed ratings per person alone")).toHaveText(/\d\.\d\d\s*0\s*0\D/);
  await rowOf("Holding floods of the same rating alone").getByRole("link").click();
  await expect(page).toHaveURL("/lab?lane=leaky-bucket&limit=floods#site-scores");
  await expect(page.getByText("Nothing limits how fast a post is rated, and floods")).toBeVisible();
  await expect(rowOf("alone")).toHaveCount(0);

  await page.getByRole("checkbox", { name: /^Ratings per post/ }).check();
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL("/lab?lane=leaky-bucket&limit=rating.post&limit=floods#results");
  await expect(rowOf("alone")).toHaveCount(2);
  await page.getByRole("link", { name: "The score under: This site’s limits, as a table" }).click();
  const table = page.getByRole("region", { name: "The score under: This site’s limits, as a table" });
  await expect(table.getByRole("rowheader").first()).toHaveText(/^00:0/);
});

test("a demonstration sets its own settings, and part of a trace can be shown", async ({ page }) => {
  await page.goto("/lab?trace=edge");
  await page.getByRole("link", { name: "Try it with 3 per 5 seconds" }).click();
  await expect(row(page, "Fixed window")).toHaveText(/Fixed window\s*6\s*0/);
  await expect(row(page, "Sliding log")).toHaveText(/Sliding log\s*4\s*2/);
  await page.goto("/lab?trace=flood&lane=ema");
  await expect(page.getByText("19:59:00 to 20:09:00")).toBeVisible();
  await page.getByRole("link", { name: "The whole time" }).click();
  await expect(page.getByText("00:00 to 24:00")).toBeVisible();
  await expect(page).toHaveURL("/lab?from=0&lane=ema#part");
});

test("a bad value is reported at its field and kept, and the other rows are drawn", async ({ page }) => {
  await page.goto("/lab?trace=crowd&lane=tiered&lane=sliding-log&TIERED_LIMIT=many&SLIDING_LOG_SECONDS=2");
  const field = page.getByRole("textbox", { name: "Most, up to 1,000" });
  await expect(field).toHaveValue("many");
  await expect(field).toHaveAccessibleDescription(/Must be a number above 0\. TIERED_LIMIT/);
  await expect(page.getByText("Tiered is left out: TIERED_LIMIT must be a number above 0.")).toBeVisible();
  await expect(page.getByRole("img")).toHaveCount(3);
  await expect(row(page, "Sliding log")).toBeVisible();
  await field.fill("3");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(row(page, "Tiered")).toBeVisible();
  await expect(page).toHaveURL(/TIERED_LIMIT=3/);
  await expect(page).toHaveURL(/SLIDING_LOG_SECONDS=2/);
});

test("reports a part whose start is not a number, also when the times are unreadable", async ({ page }) => {
  await page.goto("/lab?trace=times&times=soon&from=x");
  await expect(page.getByText("Part of the time cannot be shown")).toBeVisible();
});

test("pasted times are a trace; unreadable lines are named by number", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await page.goto("/lab");
  const times = page.getByLabel("Times", { exact: true });
  await expect(times).toBeHidden();
  await page.getByLabel("Ratings", { exact: true }).selectOption("A pasted list of times");
  await times.fill("0\n0.5\nsoon\n1");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByText("Line 3, “soon”: neither a number")).toBeVisible();
  await expect(times).toHaveValue("0\n0.5\nsoon\n1");
  await expect(page.getByRole("img")).toHaveCount(0);
  await times.fill("1\n0.5, 0\n250ms");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByText("4 times, as pasted.")).toBeVisible();
  await expect(row(page, "Leaky bucket")).toHaveText(/Leaky bucket\s*4\s*0\s*3/);
});

test("pasted ratings show where each limit leads their score, and a bad row is named", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await page.goto(
    "/lab?trace=crowd&lane=leaky-bucket&LEAKY_BUCKET_CAPACITY=5&LEAKY_BUCKET_LEAK_PER_SECOND=1",
  );
  await page.getByRole("link", { name: /^Paste ratings as CSV/ }).click();
  const field = page.getByRole("textbox", { name: "Ratings" });
  const liked = Array.from({ length: 30 }, (_, minute) => `${60 * minute},4`).join("\n");
  await field.fill(`${liked}\n1800,9`);
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(field).toHaveAccessibleDescription(
    /Line 31, “1800,9”: the score must be 0, 1, 2, 3, 4 or 5\./,
  );
  await expect(field).toHaveValue(`${liked}\n1800,9`);
  await field.fill(`${liked}\n${"1800,0\n".repeat(20)}`);
  await page.getByRole("button", { name: "Compare" }).click();
  const table = page.getByRole("region", { name: "Where the score goes" }).last();
  await expect(table.getByRole("row").filter({ hasText: "No limit" })).toContainText("2.40");
  await expect(table.getByRole("row").filter({ hasText: "Leaky bucket" })).toHaveText(
    /Leaky bucket[\s\d.]*15\s*0/,
  );
  await field.fill(`${liked}\n${"1800,5\n".repeat(30)}`);
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(table.getByRole("row").filter({ hasText: "No limit" })).toContainText("4.50");
});

test("the form takes 100,000 ratings with users", async ({ request, baseURL }) => {
  const path = "/lab/ratings?lane=leaky-bucket";
  const page = await (await request.get(path)).text();
  const [form = ""] = /<form[^>]*>(?:(?!<\/form>).)*<textarea.*?<\/form>/s.exec(page) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)];
  const start = Date.UTC(2026, 0, 5);
  const rows = Array.from(
    { length: 100_000 },
    (_, second) => `${new Date(start + 1_000 * second).toISOString().replace(".000", "")},4,alice${second}`,
  );
  const multipart = {
    ...Object.fromEntries(hidden.map(([, name, value = ""]) => [name, value.replaceAll("&quot;", '"')])),
    ratings: rows.join("\n"),
  };
  let answer: string;
  // A busy machine may not compare them in time.
  do {
    const response = await request.post(path, { multipart, headers: { Origin: baseURL ?? "" }, timeout: 0 });
    expect(response.status()).toBe(200);
    answer = await response.text();
  } while (/This takes too long to compute|Other comparisons are being computed/.test(answer));
  const words = answer.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  expect(words).toContain("No limit 4.00 4.00 0 0");
  expect(words).toContain("Leaky bucket 4.00 4.00 0 0");
});

test("shows a post's recorded attempts to its author only", async ({ page, openBrowser, faults }) => {
  const author = await signUp(page, "author");
  const slug = await publish(author);
  await page.goto("/lab?trace=post");
  await page.getByLabel("Post", { exact: true }).selectOption({ index: 1 });
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByText("There have been no attempts to rate this post yet.")).toBeVisible();

  const reader = await signUp(await openBrowser());
  await rate(reader, slug, 3);
  await rate(author, slug, 5);
  await page.reload();
  await expect(row(page, "Leaky bucket")).toHaveText(/Leaky bucket\s*2\s*0/);
  const address = page.url();
  faults.expectStatus(403);
  expect((await reader.page.goto(address))?.status()).toBe(403);
  faults.expectStatus(404);
  expect((await page.goto("/lab?trace=post&post=nowhere"))?.status()).toBe(404);
  const visitor = await openBrowser();
  await visitor.goto(address);
  await expect(visitor).toHaveURL(/\/login\?next=%2Flab%3Ftrace%3Dpost%26post%3D/);
  await visitor.goto("/lab?trace=post");
  await expect(visitor.getByRole("main").getByRole("link", { name: "Log in" })).toBeVisible();
});

test("chosen settings become the lines that enable them", async ({ page }) => {
  await page.goto("/lab?lane=tiered&TIERED_LIMIT=5&LIMITER_TIME_ZONE=Asia/Tehran");
  await page.getByRole("link", { name: "Tiered: use it" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Use this limit" })).toBeVisible();
  await expect(page.locator("pre").first()).toHaveText(
    "RATING_LIMITER=tiered\nTIERED_FREE_PER_DAY=1000\nTIERED_LIMIT=5\nTIERED_SECONDS=1\nLIMITER_TIME_ZONE=Asia/Tehran",
  );
  await expect(page.locator("pre").nth(1)).toHaveText(/^LIMITS='\{"rating\.post\.second":\{"mode":"shadow",/);
  await expect(page.locator("pre").last()).toContainText('"algorithm": "tiered"');
  await expect(page.getByRole("link", { name: "Download limiter.json" })).toHaveAttribute(
    "download",
    "limiter.json",
  );
  await page.getByRole("main").getByRole("link", { name: "Lab" }).click();
  await expect(page).toHaveURL(/TIERED_LIMIT=5/);
});

test("names the rating limits in LIMITS where they override the lines, and where they do not", async ({
  page,
  openBrowser,
  startServer,
}) => {
  await page.goto("/lab/environment?lane=ema");
  await expect(page.getByText("may be left out unless your .env sets them already")).toBeVisible();
  await expect(page.getByText("On this blog LIMITS")).toHaveCount(0);
  await page.goto("/lab");
  await expect(page.getByText("At first every setting is this blog’s own.")).toBeVisible();

  const LIMITS = JSON.stringify({
    "rating.post": { capacity: 5 },
    "rating.post.ema": { mode: "shadow", algorithm: "ema" },
  });
  const other = await openBrowser(await startServer({ LIMITS }));
  await other.goto("/lab/environment?lane=ema");
  await expect(
    other.getByText("On this blog LIMITS sets rating.post already, and takes precedence over these lines."),
  ).toBeVisible();
  await expect(other.getByText("On this blog LIMITS also has rating.post.ema")).toBeVisible();
  await other.goto("/lab");
  await expect(
    other.getByText("except for limits on ratings that its administrator has added or replaced"),
  ).toBeVisible();
});

/** The row of the comparison. */
function row(page: Page, name: string) {
  return page
    .getByRole("region", { name: "Comparison" })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name }) });
}

test("comparisons over the limit get a 429 with the time to try again, also for cached results", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser, faults }) => {
  faults.expectStatus(429);
  const limit = { "lab.address": { capacity: 2, leakPerSecond: 1 / 3_600 } };
  const page = await openBrowser(await sharedServer({ LIMITS: JSON.stringify(limit) }));
  const addresses = [
    "/lab?trace=locker",
    "/lab?trace=tokens",
    "/lab?trace=locker&lane=tiered",
    "/lab?trace=locker",
  ];
  const answers = [];
  for (const address of addresses) answers.push(await page.goto(address));
  const statuses = answers.map((answer) => answer?.status());
  expect(statuses).toEqual([200, 200, 429, 429]);
  const refused = await page.goto("/lab?trace=locker&lane=tiered");
  expect(Number(refused?.headers()["retry-after"])).toBeGreaterThan(60);
  await expect(page.getByRole("status")).toContainText(
    /Too many requests: the lab .* Try again in \d+ minutes/,
  );
  await expect(page.getByRole("button", { name: "Compare" })).toBeVisible();
});
