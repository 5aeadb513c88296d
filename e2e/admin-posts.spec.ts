/** An administrator unpublishes a post and features one. */
import { makeAdministrator, newName, postPath, publish, signUp } from "./people.ts";
import { expect, mainServer, test } from "./test.ts";

test("unpublishes a post with a reason, publishes it again and features it", {
  tag: "@without-javascript",
}, async ({ openBrowser, faults }) => {
  const administrator = await signUp(await openBrowser(), "keeper");
  await makeAdministrator(mainServer, administrator);
  const { page } = administrator;
  const author = await signUp(await openBrowser(), "author");
  const title = newName("Unwanted");
  const slug = await publish(author, { title });
  const reader = await openBrowser();

  await page.goto("/admin/posts");
  await page.getByRole("searchbox", { name: "Search posts" }).fill(title);
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: title }).click();
  const unpublishing = page.locator("#unpublish");
  await unpublishing.getByRole("button", { name: "Unpublish this post" }).click();
  await expect(unpublishing.getByText("Say why in a sentence.")).toBeVisible();
  await unpublishing.getByRole("textbox", { name: "Reason" }).fill("It is spam.");
  await unpublishing.getByRole("button", { name: "Unpublish this post" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The post is unpublished." })).toBeVisible();
  await page.reload();
  await expect(page.locator("#publish")).toBeVisible();
  await expect(page.getByText("The post is unpublished.")).toHaveCount(0);

  faults.expectStatus(404);
  const api = `/api${postPath(slug)}`;
  expect((await reader.goto(postPath(slug)))?.status()).toBe(404);
  for (const path of [api, `${api}/score`]) expect((await reader.request.get(path)).status()).toBe(404);
  expect((await author.page.request.get(api)).status()).toBe(200);
  for (const path of ["/feed.xml", "/sitemap.xml", `/?q=${title}`])
    expect(await (await reader.request.get(path)).text()).not.toContain(slug);
  await author.page.goto(postPath(slug));
  const reason = author.page.getByText(/^Unpublished by an administrator: .?It is spam\./);
  await expect(reason).toBeVisible();
  await expect(author.page.getByText("What you can do: change the text")).toBeVisible();
  await expect(author.page.getByRole("radiogroup", { name: "Your rating" })).toHaveCount(0);

  await author.page.goto(`/users/${author.username}`);
  await expect(author.page.getByRole("listitem").filter({ has: reason })).toContainText(title);

  const publishing = page.locator("#publish");
  await publishing.getByRole("textbox", { name: "Reason" }).fill("A mistake.");
  await publishing.getByRole("button", { name: "Publish this post again" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The post is published again." })).toBeVisible();
  expect((await reader.goto(postPath(slug)))?.status()).toBe(200);

  const featuring = page.locator("#feature");
  await featuring.getByRole("textbox", { name: "Reason" }).fill("Worth reading.");
  await featuring.getByRole("button", { name: "Feature this post" }).click();
  await expect(page.getByRole("status").filter({ hasText: "comes first on the home page" })).toBeVisible();
  await publish(author);
  await reader.goto("/");
  const featured = reader.getByRole("main").getByRole("listitem").filter({ hasText: "Featured" });
  await expect(featured.filter({ hasText: title })).toBeVisible();
  const unfeaturing = page.locator("#unfeature");
  await unfeaturing.getByRole("textbox", { name: "Reason" }).fill("Long enough.");
  await unfeaturing.getByRole("button", { name: "No longer feature it" }).click();
  await expect(page.getByRole("status").filter({ hasText: "no longer featured" })).toBeVisible();

  await page.getByRole("link", { name: "Decisions", exact: true }).click();
  const log = page.locator("#log").getByRole("listitem").filter({ hasText: title });
  await expect(log).toContainText([
    /^No longer features .*: Long enough\./,
    /^Featured /,
    /^Published .* again/,
    /^Unpublished .*: It is spam\./,
  ]);
});
