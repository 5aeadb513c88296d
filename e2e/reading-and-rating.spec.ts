import type { Page } from "playwright/test";
import { dayMs, hourMs } from "../lib/time/units.ts";
import { gather } from "./crowd.ts";
import { ratePast } from "./past-ratings.ts";
import { giveStars, newName, password, postPath, publish, rate, ratingPath, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("a person registers, is logged in at once, logs out and logs in again", {
  tag: "@without-javascript",
}, async ({ page }) => {
  const username = newName("ada");
  await page.goto("/");
  await page.getByRole("link", { name: "Register" }).click();
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("link", { name: `Your account, ${username}` })).toBeVisible();

  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("button", { name: "Log out" })).toHaveCount(0);
  await page.getByRole("link", { name: "Log in" }).first().click();
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("link", { name: `Your account, ${username}` })).toBeVisible();
});

test("the header's log-in leads back to the page that it is on, through registration too", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  const reader = await signUp(await openBrowser());
  const slug = await publish(reader);
  const header = page.getByRole("banner");
  await page.goto(`${postPath(slug)}?utm_source=elsewhere`);
  await header.getByRole("link", { name: "Register" }).click();
  await header.getByRole("link", { name: "Log in" }).click();
  await expect(page.getByText("After that you return to the page you came from.")).toBeVisible();
  await logIn(page, reader.username);
  await expect(header.getByRole("link", { name: `Your account, ${reader.username}` })).toBeVisible();
  await expect(page).toHaveURL(postPath(slug));
});

test("a post is written, read by a stranger, and nothing dangerous in its Markdown does anything", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  const author = await signUp(page, "author");
  const title = newName("Markdown");
  await page.goto("/posts/new");
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.getByRole("textbox", { name: "Content" }).fill(dangerousMarkdown);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByText("Your post is published.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Your post is published.")).toHaveCount(0);

  const stranger = await openBrowser();
  const requestedUrls: string[] = [];
  stranger.on("request", (request) => requestedUrls.push(request.url()));
  await stranger.goto("/");
  await stranger.goto(page.url());
  const article = stranger.getByRole("article");
  await expect(article.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(article.getByRole("link", { name: author.username })).toBeVisible();
  await expect(article.getByRole("heading", { name: "A heading" })).toBeVisible();
  await expect(article.getByRole("strong")).toHaveText("strong");
  await expect(article.getByRole("listitem")).toHaveText(["one", "two"]);
  await expect(article.getByRole("cell", { name: "in a table" })).toBeVisible();
  const fine = article.getByRole("link", { name: "a fine link" });
  await expect(fine).toHaveAttribute("href", "https://example.org/");
  await expect(fine).toHaveAttribute("rel", /nofollow/);

  await expect(article.getByText("a bad link")).toBeVisible();
  await expect(article.getByRole("link", { name: "a bad link" })).toHaveCount(0);
  const html = await article.innerHTML();
  for (const forbidden of ["<script", "onerror", "javascript:", "<iframe", "<style"])
    expect(html.toLowerCase()).not.toContain(forbidden);
  await expect(stranger).toHaveTitle(`${title} · Weir`);
  expect(requestedUrls.filter((url) => url.includes("evil"))).toEqual([]);
  // No analytics either: nothing comes from another origin.
  expect(new Set(requestedUrls.map((url) => new URL(url).origin))).toEqual(
    new Set([new URL(page.url()).origin]),
  );
});

test("a rating is given, changed and withdrawn; score, count and histogram follow", {
  tag: "@without-javascript",
}, async ({ page, openBrowser, javaScriptEnabled }) => {
  const author = await signUp(await openBrowser(), "author");
  const slug = await publish(author);
  await rate(author, slug, 2);
  await signUp(page);
  await page.goto(postPath(slug));
  const score = page.getByRole("region", { name: "Score" });
  await score.getByText("As a table").click();
  await expect(score.getByRole("row")).toHaveText(tableOf({ 2: 1 }));

  await giveStars(page, "5 stars", javaScriptEnabled);
  await expect(score.getByRole("status")).toContainText("Counted as 5 stars");
  await expect(score).toContainText("3.50");
  await expect(score).toContainText("2 ratings");
  await expect(page.getByRole("radio", { name: "5 stars" })).toBeChecked();
  await page.reload();
  await expect(page.getByText("Counted as 5 stars")).toHaveCount(0);
  await page.goto(postPath(slug));
  await expect(score.getByRole("img", { name: "How many gave each number of stars" })).toBeVisible();
  await score.getByText("As a table").click();
  await expect(score.getByRole("row")).toHaveText(tableOf({ 2: 1, 5: 1 }));

  await giveStars(page, "1 star", javaScriptEnabled);
  await expect(score).toContainText("1.50");
  await expect(page.getByRole("radio", { name: "1 star" })).toBeChecked();

  await page.getByRole("button", { name: "Withdraw rating" }).click();
  await expect(score.getByRole("status")).toContainText("Your rating is withdrawn");
  await expect(score).toContainText("2.00");
  await expect(score).toContainText("1 rating");
  await expect(page.getByRole("button", { name: "Withdraw rating" })).toHaveCount(0);
  for (const radio of await page.getByRole("radio").all()) await expect(radio).not.toBeChecked();
});

test("one click on a star saves it, and Undo restores the rating before", async ({ page, openBrowser }) => {
  const slug = await publish(await signUp(await openBrowser(), "author"), {
    content: "A line.\n\n".repeat(60),
  });
  await signUp(page);
  await page.goto(postPath(slug));
  const status = page.getByRole("region", { name: "Score" }).getByRole("status");
  const four = page.getByRole("radio", { name: "4 stars" });
  await four.scrollIntoViewIfNeeded();
  const place = await four.boundingBox();
  await four.check();
  await expect(status).toHaveText("Counted as 4 stars · Undo");
  await expect(page.getByRole("region", { name: "Score" })).toContainText("1 rating so far");
  expect(await four.boundingBox()).toEqual(place);
  await expect(four).toBeFocused();
  await expect(page).toHaveURL(postPath(slug));

  await page.getByRole("radio", { name: "2 stars" }).check();
  await expect(status).toHaveText("Counted as 2 stars · Undo");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(status).toHaveText("Counted as 4 stars · Undo");
  await expect(four).toBeChecked();
  await expect(four).toBeFocused();
  expect(await savedScore(page, slug)).toBe(4);

  await page.getByRole("button", { name: "Withdraw rating" }).click();
  await expect(status).toHaveText("Your rating is withdrawn · Undo");
  await expect(page.getByRole("radio", { name: "0 stars" })).toBeFocused();
  expect(await savedScore(page, slug)).toBeNull();
  await page.getByRole("radio", { name: "5 stars" }).check();
  await expect(status).toHaveText("Counted as 5 stars · Undo");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(status).toHaveText("Your rating is withdrawn · Undo");
  for (const radio of await page.getByRole("radio").all()) await expect(radio).not.toBeChecked();
  expect(await savedScore(page, slug)).toBeNull();
});

test("of several clicks during a slow request the last is saved", async ({ page, openBrowser }) => {
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await signUp(page);
  await page.goto(postPath(slug));
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const sent: (string | null)[] = [];
  await page.route(postPath(slug), async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent.push(route.request().postData());
    arrived.resolve();
    await answered.promise;
    await route.continue();
  });
  await page.getByRole("radio", { name: "3 stars" }).check();
  await arrived.promise;
  await page.getByRole("radio", { name: "5 stars" }).check();
  await page.getByRole("radio", { name: "1 star" }).check();
  answered.resolve();
  await expect(page.getByRole("status").filter({ hasText: "Counted as 1 star" })).toBeVisible();
  await expect(page.getByRole("radio", { name: "1 star" })).toBeChecked();
  expect(sent).toHaveLength(2);
  expect(await savedScore(page, slug)).toBe(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your rating is withdrawn" })).toBeVisible();
});

test("clicks that lead back to the saved rating leave nothing to undo", async ({ page, openBrowser }) => {
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await signUp(page);
  await page.goto(postPath(slug));
  await giveStars(page, "3 stars");
  const status = page.getByRole("region", { name: "Score" }).getByRole("status");
  await expect(status).toHaveText("Counted as 3 stars · Undo");
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route(postPath(slug), async (route) => {
    arrived.resolve();
    await answered.promise;
    await route.continue();
  });
  await giveStars(page, "5 stars");
  await arrived.promise;
  await giveStars(page, "3 stars");
  answered.resolve();
  await expect(status).toHaveText("Counted as 3 stars");
  expect(await savedScore(page, slug)).toBe(3);
});

test("a rating that does not move the shown score explains why", { tag: "@without-javascript" }, async ({
  sharedServer,
  openBrowser,
  javaScriptEnabled,
}) => {
  const server = await sharedServer({});
  const author = await signUp(await openBrowser(server), "author");
  const slug = await publish(author);
  await ratePast(server, slug, [{ scores: [4, 5], count: 40, agoMs: 20 * dayMs, everyMs: 6 * hourMs }]);
  await author.page.goto(postPath(slug));
  await giveStars(author.page, "1 star", javaScriptEnabled);
  await expect(author.page.getByRole("status").filter({ hasText: "Counted as 1 star" })).toContainText(
    "Your 1 is counted. Scores here move slowly, so that a sudden crowd can’t swing them.",
  );
});

/** The reader's rating on the server; null without one. */
async function savedScore(page: Page, slug: string): Promise<number | null> {
  const response = await page.request.get(ratingPath(slug));
  return response.status() === 404 ? null : (await response.json()).score;
}

test("shows a score of 0 on the post, and counts it in the list", async ({ page }) => {
  const author = await signUp(page, "author");
  const title = newName("Nought");
  const slug = await publish(author, { title });
  await page.goto(postPath(slug));
  const score = page.getByRole("region", { name: "Score" });
  await expect(score).toContainText("Not rated yet");
  await giveStars(page, "0 stars");
  await expect(score).toContainText("0.00");
  await expect(score).toContainText("1 rating");
  await expect(score).not.toContainText("Not rated yet");

  await page.goto(`/?q=${title}`);
  const item = page.getByRole("listitem").filter({ hasText: title });
  await expect(item).toContainText("1 rating so far");
  await expect(item).not.toContainText("0.0");
  await expect(item).toContainText("You gave 0");
});

test("a reader's own rating is in the list, and only theirs", async ({ page, openBrowser }) => {
  const author = await signUp(await openBrowser(), "author");
  const title = newName("Listed");
  const slug = await publish(author, { title });
  await rate(await signUp(page), slug, 4);
  await page.goto(`/?q=${title}`);
  const item = page.getByRole("listitem").filter({ hasText: title });
  await expect(item).toContainText("1 rating so far");
  await expect(item).toContainText("You gave 4");
  await expect(item.getByRole("link", { name: author.username })).toBeVisible();
  await author.page.goto(`/?q=${title}`);
  await expect(author.page.getByRole("listitem").filter({ hasText: title })).not.toContainText("You gave");
});

test("the stars that a visitor chooses are saved by logging in", { tag: "@without-javascript" }, async ({
  page,
  openBrowser,
  javaScriptEnabled,
}) => {
  const reader = await signUp(await openBrowser());
  const slug = await publish(reader);
  await page.goto(postPath(slug));
  await expect(page.getByRole("radio")).toHaveCount(0);
  await page.getByRole("group", { name: "Rate this post" }).getByRole("button", { name: "4 stars" }).click();
  await expect(page.getByText("Log in, and your rating of 4 stars is saved.")).toBeVisible();
  expect(await savedScore(reader.page, slug)).toBeNull();
  await logIn(page, reader.username);
  const status = page.getByRole("status").filter({ hasText: "Counted as 4 stars" });
  await expect(status).toBeVisible();
  await expect(page.getByRole("radio", { name: "4 stars" })).toBeChecked();
  expect(await savedScore(page, slug)).toBe(4);

  if (!javaScriptEnabled) return;
  await expect(page).toHaveURL(`${postPath(slug)}#your-rating`);
  await giveStars(page, "5 stars");
  await expect(page.getByText("Counted as 5 stars")).toBeVisible();
  await expect(page.getByRole("radio", { name: "5 stars" })).toBeFocused();
  await page.reload();
  await expect(page.getByRole("radio", { name: "5 stars" })).toBeChecked();
  await expect(page.getByText("Counted as")).toHaveCount(0);
});

test("the stars that a visitor chooses are saved by registering", async ({ page, openBrowser }) => {
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await page.goto(postPath(slug));
  await page.getByRole("button", { name: "2 stars" }).click();
  const kept = page.getByText("Log in, and your rating of 2 stars is saved.");
  await expect(kept).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Register" }).click();
  await expect(page.getByRole("textbox", { name: "Email" })).toBeVisible();
  await expect(
    page.getByText("Your rating of 2 stars is saved as soon as you have your account."),
  ).toBeVisible();
  const username = newName("late");
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Counted as 2 stars" })).toBeVisible();
  expect(await savedScore(page, slug)).toBe(2);
});

test("the stars that a visitor chooses are only preselected where an older rating would be replaced", {
  tag: "@without-javascript",
}, async ({ page, openBrowser, javaScriptEnabled }) => {
  const reader = await signUp(await openBrowser());
  const slug = await publish(reader);
  await rate(reader, slug, 5);
  await page.goto(postPath(slug));
  await page.getByRole("button", { name: "1 star", exact: true }).click();
  await logIn(page, reader.username);
  await expect(page.getByText("1 star is not saved yet.")).toBeVisible();
  await expect(page.getByRole("radio", { name: "1 star", exact: true })).toBeChecked();
  expect(await savedScore(page, slug)).toBe(5);
  await page.getByRole("button", { name: "Update rating" }).click();
  await expect(page.getByText("Counted as 1 star")).toBeVisible();
  if (javaScriptEnabled) await expect(page.getByRole("radio", { name: "1 star", exact: true })).toBeFocused();
  expect(await savedScore(page, slug)).toBe(1);
});

test("a link from elsewhere preselects stars at most, and saves nothing", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  const reader = await signUp(await openBrowser());
  const slug = await publish(reader);
  const path = `${postPath(slug)}?stars=0#your-rating`;
  await page.goto(`/login?next=${encodeURIComponent(path)}`);
  await expect(page.getByText("is saved")).toHaveCount(0);
  await logIn(page, reader.username);
  await expect(page.getByText("0 stars are not saved yet.")).toBeVisible();
  await expect(page.getByRole("radio", { name: "0 stars" })).toBeChecked();
  expect(await savedScore(page, slug)).toBeNull();
  await page.getByRole("button", { name: "Rate", exact: true }).click();
  await expect(page.getByText("Counted as 0 stars")).toBeVisible();
  expect(await savedScore(page, slug)).toBe(0);
});

async function logIn(page: Page, username: string): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

const dangerousMarkdown = `
# A heading

Words that are **strong**, and [a fine link](https://example.org/).

- one
- two

| a head |
| --- |
| in a table |

[a bad link](javascript:document.title='evil')

<script>document.title = "evil"</script>
<img src="/evil.png" onerror="document.title='evil'">
<iframe src="/evil"></iframe>
<style>body { display: none }</style>
`;

/** The rows of the histogram's table: the head, then five stars first. */
function tableOf(counts: Record<number, number>): RegExp[] {
  const rows = [5, 4, 3, 2, 1, 0].map((score) => {
    return new RegExp(`^${score}\\s*${counts[score] ?? 0}$`);
  });
  return [/Stars/, ...rows];
}

test("a list, the feed and the data for search engines show a score from the fifth rating on", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({});
  const author = await signUp(await openBrowser(server), "author");
  const { page } = author;
  const title = newName("Few");
  const hostile = `${title} </script><script>document.title = "run"</script> <!-- "quoted"`;
  const slug = await publish(author, { title: hostile });
  const [last, ...readers] = await gather(server, 5);
  for (const reader of readers) await reader.rate(slug, 4);
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
  });
  const structuredData = async () => {
    await page.goto(postPath(slug));
    expect(await page.title()).toContain(title);
    const data: unknown = JSON.parse(
      (await page.locator("script[type='application/ld+json']").textContent()) ?? "",
    );
    expect(data).toMatchObject({ "@type": "BlogPosting", author: { name: author.username } });
    return data;
  };
  const inFeed = async () => {
    const feed = await (await page.request.get("/feed.xml")).text();
    return feed.split("<entry ").find((entry) => entry.includes(title));
  };
  expect(await structuredData()).not.toHaveProperty("aggregateRating");
  expect(await inFeed()).toContain("4 ratings so far");
  await page.goto(`/?q=${title}`);
  const item = page.getByRole("listitem").filter({ hasText: title });
  await expect(item).toContainText("4 ratings so far");
  await expect(item).not.toContainText("4.0");
  await last?.rate(slug, 4);
  await page.reload();
  await expect(item).toContainText("4.0");
  await expect(item).toContainText("5 ratings");
  await expect(item).not.toContainText("so far");
  expect(await structuredData()).toHaveProperty("aggregateRating", {
    "@type": "AggregateRating",
    ratingValue: 4,
    bestRating: 5,
    worstRating: 0,
    ratingCount: 5,
  });
  expect(await inFeed()).toContain("4.0 of 5 from 5 ratings");
  expect(violations).toEqual([]);
});
