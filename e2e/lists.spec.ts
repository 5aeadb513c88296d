import { gather } from "./crowd.ts";
import { newName, publish, rate, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("posts are listed newest first, by Bayesian average, or by number of ratings", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer();
  const reader = await signUp(await openBrowser(server));
  const { page } = reader;
  const slugs = new Map<string, string>();
  for (const title of ["Two fives", "Twelve fives and fours", "Unrated", "Many zeros"])
    slugs.set(title, await publish(reader, { title }));
  const crowd = await gather(server, 15);
  const ratings: [title: string, count: number, score: (index: number) => number][] = [
    ["Two fives", 2, () => 5],
    ["Twelve fives and fours", 12, (index) => 4 + (index % 2)],
    ["Many zeros", 15, () => 0],
  ];
  for (const [title, count, score] of ratings)
    await Promise.all(
      crowd.slice(0, count).map((member, index) => member.rate(slugs.get(title) ?? "", score(index))),
    );

  const titles = page.getByRole("listitem").getByRole("heading");
  await page.goto("/");
  await expect(titles).toHaveText(["Many zeros", "Unrated", "Twelve fives and fours", "Two fives"]);
  await page.getByRole("link", { name: "Top" }).click();
  await expect(page.getByRole("link", { name: "Top" })).toHaveAttribute("aria-current", "page");
  await expect(titles).toHaveText(["Twelve fives and fours", "Two fives", "Unrated", "Many zeros"]);
  await page.getByRole("link", { name: "Most rated" }).click();
  await expect(titles).toHaveText(["Many zeros", "Twelve fives and fours", "Two fives", "Unrated"]);
});

test("a long list is read page by page, and a post that arrives meanwhile neither repeats nor hides any", async ({
  startServer,
  openBrowser,
}) => {
  const wide = { capacity: 100 };
  const server = await startServer({ LIMITS: JSON.stringify({ "post.user": wide, "post.render": wide }) });
  const author = await signUp(await openBrowser(server), "author");
  const { page } = author;
  const titles = Array.from({ length: 45 }, (_, index) => `Post ${index + 1}`);
  for (const title of titles) await publish(author, { title });
  const newestFirst = titles.toReversed();
  const headings = page.getByRole("listitem").getByRole("heading");
  await page.goto("/");
  await expect(headings).toHaveText(newestFirst.slice(0, 20));
  await publish(author, { title: "A latecomer" });
  await page.getByRole("link", { name: "More posts" }).click();
  await expect(headings).toHaveText(newestFirst.slice(20, 40));
  await page.getByRole("link", { name: "More posts" }).click();
  await expect(headings).toHaveText(newestFirst.slice(40));
  await expect(page.getByRole("link", { name: "More posts" })).toHaveCount(0);
  await page.getByRole("link", { name: "First page" }).click();
  await expect(headings.first()).toHaveText("A latecomer");

  await page.goto(`/users/${author.username}`);
  await page.getByRole("link", { name: "More posts" }).click();
  await expect(headings).toHaveText(newestFirst.slice(19, 39));
});

test("searching finds a Persian post typed with Arabic letters and digits", {
  tag: "@without-javascript",
}, async ({ page }) => {
  const author = await signUp(page, "author");
  const unique = newName("kb").replaceAll("-", "");
  const title = `کتاب‌های یکتای ۱۴۰۳ ${unique}`;
  await publish(author, { title, content: "گزارشی از یک کتابخانهٔ کوچک." });
  await page.goto("/");
  const search = page.getByRole("searchbox", { name: "Search posts" });
  const found = page.getByRole("listitem").filter({ hasText: title });
  for (const typed of [`كتاب هاي يكتاي ١٤٠٣ ${unique}`, `کتابخانه ${unique}`, `1403 ${unique}`, unique]) {
    await search.fill(typed);
    await page.getByRole("button", { name: "Search" }).click();
    await expect(found).toBeVisible();
    await expect(found.getByRole("paragraph").locator("mark")).toHaveText(
      typed.startsWith("کتابخانه") ? ["کتابخانهٔ"] : [],
    );
    await expect(found.getByRole("heading").locator("mark").last()).toHaveText(unique);
    await expect(search).toHaveValue(typed);
  }
  await search.fill(`هیچ ${unique}`);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No post matches")).toContainText(`هیچ ${unique}`);
  await expect(page.getByRole("listitem")).toHaveCount(0);
});

test("a search keeps its words when the order changes", async ({ page }) => {
  const author = await signUp(page, "author");
  const unique = newName("order").replaceAll("-", "");
  for (const score of [1, 5])
    await rate(author, await publish(author, { title: `${unique} ${score}` }), score);
  await page.goto(`/?q=${unique}`);
  const titles = page.getByRole("listitem").getByRole("heading");
  await expect(titles).toHaveText([`${unique} 5`, `${unique} 1`]);
  await page.getByRole("link", { name: "Top" }).click();
  await expect(page.getByRole("searchbox", { name: "Search posts" })).toHaveValue(unique);
  await expect(titles).toHaveText([`${unique} 5`, `${unique} 1`]);
});

test("unknown pages, posts, people, orders and cursors are a 404 with an explanation", async ({
  page,
  faults,
}) => {
  faults.expectStatus(404);
  const paths = [
    "/nowhere",
    `/posts/${newName("none")}`,
    `/users/${newName("nobody")}`,
    "/?cursor=nonsense",
    "/?sort=nonsense",
  ];
  for (const path of paths) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1, name: "There is no such page." })).toBeVisible();
  }
});
