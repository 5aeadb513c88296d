import { gather } from "./crowd.ts";
import { newName, password, postPath, publish, rate, signUp } from "./people.ts";
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

  const stranger = await openBrowser();
  const requestedUrls: string[] = [];
  stranger.on("request", (request) => requestedUrls.push(request.url()));
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
});

test("a rating is given, changed and withdrawn; score, count and histogram follow", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  const author = await signUp(await openBrowser(), "author");
  const slug = await publish(author);
  await rate(author, slug, 2);
  await signUp(page);
  await page.goto(postPath(slug));
  const score = page.getByRole("region", { name: "Score" });
  await score.getByText("As a table").click();
  await expect(score.getByRole("row")).toHaveText(tableOf({ 2: 1 }));

  await page.getByRole("radio", { name: "5 stars" }).check();
  await page.getByRole("button", { name: "Rate", exact: true }).click();
  await expect(score.getByRole("status")).toHaveText("Your rating is saved.");
  await expect(score).toContainText("3.50");
  await expect(score).toContainText("2 ratings");
  await expect(page.getByRole("radio", { name: "5 stars" })).toBeChecked();
  await page.goto(postPath(slug));
  await expect(score.getByRole("img", { name: "How many gave each number of stars" })).toBeVisible();
  await score.getByText("As a table").click();
  await expect(score.getByRole("row")).toHaveText(tableOf({ 2: 1, 5: 1 }));

  await page.getByRole("radio", { name: "1 star" }).check();
  await page.getByRole("button", { name: "Update rating" }).click();
  await expect(score).toContainText("1.50");
  await expect(page.getByRole("radio", { name: "1 star" })).toBeChecked();

  await page.getByRole("button", { name: "Withdraw rating" }).click();
  await expect(score.getByRole("status")).toHaveText("Your rating is withdrawn.");
  await expect(score).toContainText("2.00");
  await expect(score).toContainText("1 rating");
  await expect(page.getByRole("button", { name: "Rate", exact: true })).toBeVisible();
  for (const radio of await page.getByRole("radio").all()) await expect(radio).not.toBeChecked();
});

test("shows a score of 0 on the post, and counts it in the list", async ({ page }) => {
  const author = await signUp(page, "author");
  const title = newName("Nought");
  const slug = await publish(author, { title });
  await page.goto(postPath(slug));
  const score = page.getByRole("region", { name: "Score" });
  await expect(score).toContainText("Not rated yet");
  await page.getByRole("radio", { name: "0 stars" }).check();
  await page.getByRole("button", { name: "Rate", exact: true }).click();
  await expect(score).toContainText("0.00");
  await expect(score).toContainText("1 rating");
  await expect(score).not.toContainText("Not rated yet");

  await page.goto(`/?q=${title}`);
  const item = page.getByRole("listitem").filter({ hasText: title });
  await expect(item).toContainText("1 rating so far");
  await expect(item).not.toContainText("0.00");
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

test("a stranger who wants to rate logs in and comes back to the post", async ({ page, openBrowser }) => {
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await page.goto(postPath(slug));
  await expect(page.getByRole("radio")).toHaveCount(0);
  await page.getByRole("region", { name: "Score" }).getByRole("link", { name: "Log in" }).click();
  await page.getByRole("main").getByRole("link", { name: "Register" }).click();
  const username = newName("late");
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(postPath(slug));
  await expect(page.getByRole("radiogroup", { name: "Your rating" })).toBeVisible();
});

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
    const count = counts[score] ?? 0;
    return new RegExp(`^${score}\\s*${count} ratings?$`);
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
