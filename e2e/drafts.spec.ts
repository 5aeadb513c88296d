/** A writer drafts, schedules and publishes a post, and changes address and text. */
import { newName, postPath, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("keeps a draft to its author, publishes it, leads on from its old address and restores its text", {
  tag: "@without-javascript",
}, async ({ openBrowser, faults }) => {
  const { page } = await signUp(await openBrowser(), "writer");
  const reader = await openBrowser();
  const title = newName("Draft");
  await page.goto("/posts/new");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Content").fill("One two three.");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your draft is saved." })).toBeVisible();
  await expect(page.getByRole("note")).toContainText("Only you see this: it is a draft.");
  await expect(page.getByRole("region", { name: "Score", exact: true })).toHaveCount(0);
  const path = new URL(page.url()).pathname;
  faults.expectStatus(404);
  expect((await reader.goto(path))?.status()).toBe(404);

  await page.goto("/account/posts");
  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await page.getByText("Publishing options").click();
  await page.getByLabel("Date").fill("2190-01-01T09:30");
  await page.getByLabel("Tags").fill("Water, river");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("note")).toContainText("1 January 2190");
  expect((await reader.goto(path))?.status()).toBe(404);
  const drafts = await page.request.get("/api/drafts");
  expect(await drafts.json()).toMatchObject({
    items: [{ title, publishedAt: null, publishAt: "2190-01-01T09:30:00.000Z", tags: ["river", "Water"] }],
  });
  expect((await reader.request.get("/api/drafts")).status()).toBe(401);

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByText("This post will be published on")).toBeVisible();
  await page.getByLabel("Title").press("Enter");
  await expect(page.getByRole("note")).toContainText("1 January 2190");

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your post is published." })).toBeVisible();
  expect((await reader.goto(path))?.status()).toBe(200);

  const slug = `${title.toLowerCase()}-moved`;
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByText("Publishing options").click();
  await expect(page.getByLabel("Tags")).toHaveValue("river, Water");
  await page.getByLabel("Content").fill("One 2 three.");
  await page.getByLabel("Address", { exact: true }).fill(slug);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your changes are saved." })).toBeVisible();
  for (const [from, to] of [
    [path, postPath(slug)],
    [`/api${path}`, `/api${postPath(slug)}`],
    [`/api${path}/score`, `/api${postPath(slug)}/score`],
  ]) {
    const moved = await reader.request.get(from ?? "", { maxRedirects: 0 });
    expect([moved.status(), moved.headers().location]).toEqual([308, to]);
    // A browser that kept it would turn in a circle once the author takes the old address back.
    expect(moved.headers()["cache-control"]).toContain("no-store");
  }
  expect((await reader.goto(path))?.status()).toBe(200);
  await expect(reader.getByText("One 2 three.")).toBeVisible();

  await page.getByRole("link", { name: "Earlier versions" }).click();
  await page.getByRole("link", { name: "Compare with the present text" }).click();
  await expect(page.getByRole("deletion").filter({ hasText: "two" })).toBeVisible();
  await page.getByRole("button", { name: "Restore this version" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The earlier version is back." })).toBeVisible();
  await expect(page.getByText("One two three.")).toBeVisible();
});

test("a form does not replace another tab's saved text, unless its writer saves again", {
  tag: "@without-javascript",
}, async ({ openBrowser }) => {
  const { page } = await signUp(await openBrowser(), "writer");
  await page.goto("/posts/new");
  await page.getByLabel("Title").fill(newName("Draft"));
  await page.getByLabel("Content").fill("First.");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByLabel("Content").fill("From the other tab.");
  await other.getByRole("button", { name: "Save as draft" }).click();
  await expect(other.getByRole("article")).toContainText("From the other tab.");

  await page.getByLabel("Content").fill("Mine.");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByText("This post was changed while this page was open")).toBeVisible();
  await expect(page.getByLabel("Content")).toHaveValue("Mine.");
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Open the saved version" }).click();
  await expect((await opened).getByRole("article")).toContainText("From the other tab.");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByRole("article")).toContainText("Mine.");
});
