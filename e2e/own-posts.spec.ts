import { holdScripts, isTakenOver, newName, postPath, publish, rate, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("an author edits a post: the text changes, the address and the score stay", {
  tag: "@without-javascript",
}, async ({ page }) => {
  const author = await signUp(page, "author");
  const title = newName("Before");
  const slug = await publish(author, { title, content: "Old words." });
  await rate(author, slug, 3);
  await page.goto(postPath(slug));
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue(title);
  await expect(page.getByRole("textbox", { name: "Content" })).toHaveValue("Old words.");
  const newTitle = newName("After");
  await page.getByRole("textbox", { name: "Title" }).fill(newTitle);
  await page.getByRole("textbox", { name: "Content" }).fill("New words.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: newTitle })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Your changes are saved." })).toBeVisible();
  await page.reload();
  await expect(page.getByText("New words.")).toBeVisible();
  await expect(page.getByText("Your changes are saved.")).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe(postPath(slug));
  await expect(page.getByRole("region", { name: "Score" })).toContainText("3.00");
});

test("text typed before the page's scripts have run is kept and saved", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled }) => {
  const author = await signUp(page, "author");
  const slug = await publish(author, { content: "Old words." });
  const scripts = await holdScripts(page);
  await page.goto(`${postPath(slug)}/edit`, { waitUntil: "commit" });
  const title = newName("Early");
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.getByRole("textbox", { name: "Content" }).fill("Typed early.");
  scripts.release();
  await page.waitForLoadState("load");
  const content = page.getByRole("textbox", { name: "Content" });
  if (javaScriptEnabled !== false) await expect.poll(() => isTakenOver(content)).toBe(true);
  await expect(content).toHaveValue("Typed early.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByText("Typed early.")).toBeVisible();
});

test("text typed while React hydrates the form is kept and saved", async ({ page }) => {
  const slug = await publish(await signUp(page, "author"), { content: "Old words." });
  // React sets a text area's default value, and then its value.
  await page.addInitScript(() => {
    const area = HTMLTextAreaElement.prototype;
    const setDefault = Object.getOwnPropertyDescriptor(area, "defaultValue")?.set;
    let isTyped = false;
    Object.defineProperty(area, "defaultValue", {
      set(this: HTMLTextAreaElement, value: string) {
        setDefault?.call(this, value);
        if (isTyped || this.name !== "content") return;
        isTyped = true;
        this.value = "Typed meanwhile.";
      },
    });
  });
  await page.goto(`${postPath(slug)}/edit`);
  await expect(page.getByRole("textbox", { name: "Content" })).toHaveValue("Typed meanwhile.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your changes are saved." })).toBeVisible();
  await expect(page.getByText("Typed meanwhile.")).toBeVisible();
});

test("Back after saving shows the saved text in the editor", async ({ page }) => {
  const author = await signUp(page, "author");
  const slug = await publish(author, { content: "Old words." });
  await page.goto(`${postPath(slug)}/edit`);
  const content = page.getByRole("textbox", { name: "Content" });
  await content.fill("New words.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("article")).toContainText("New words.");
  await page.goBack();
  await expect(content).toHaveValue("New words.");
});

test("an edit without a title shows the error and keeps the new text", {
  tag: "@without-javascript",
}, async ({ page }) => {
  const author = await signUp(page, "author");
  const slug = await publish(author, { content: "Old words." });
  await page.goto(`${postPath(slug)}/edit`);
  await page.getByRole("textbox", { name: "Title" }).fill(" ");
  await page.getByRole("textbox", { name: "Content" }).fill("New words.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveAccessibleDescription(
    /Give your post a title\./,
  );
  await expect(page.getByRole("textbox", { name: "Content" })).toHaveValue("New words.");
});

test("another author's post offers no editing, and its edit page is a 403", async ({
  page,
  openBrowser,
  faults,
}) => {
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await signUp(page);
  await page.goto(postPath(slug));
  for (const name of ["Edit", "Activity"]) await expect(page.getByRole("link", { name })).toHaveCount(0);
  await expect(page.getByText("Delete this post")).toHaveCount(0);
  faults.expectStatus(403);
  const answer = await page.goto(`${postPath(slug)}/edit`);
  expect(answer?.status()).toBe(403);
  await expect(
    page.getByRole("heading", { level: 1, name: "You don’t have access to this page." }),
  ).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveCount(0);
});

test("a stranger who wants to write or edit is sent to log in first", async ({ page, openBrowser }) => {
  const slug = await publish(await signUp(await openBrowser(), "author"));
  for (const path of ["/posts/new", `${postPath(slug)}/edit`, "/account"]) {
    await page.goto(path);
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(path)}`);
    await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  }
});

test("an author deletes a post, and its address is a 404", { tag: "@without-javascript" }, async ({
  page,
  faults,
}) => {
  const author = await signUp(page, "author");
  const title = newName("Deleted");
  const slug = await publish(author, { title });
  await rate(author, slug, 5);
  await page.goto(postPath(slug));
  await page.getByText("Delete…").click();
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Delete this post" }).click();
  const headers = await (await answer).allHeaders();
  await expect(page.getByText("The post is deleted.")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/");
  // As a reload that is faster than the script that takes the notice out of the address.
  const confirmed = headers.location ?? headers["x-action-redirect"]?.split(";", 1)[0] ?? "";
  expect(confirmed).toContain("done=deleted");
  await page.goto(confirmed);
  await expect(page.getByText("The post is deleted.")).toHaveCount(0);
  await page.goto(`/?q=${title}`);
  await expect(page.getByText("No post matches")).toBeVisible();
  faults.expectStatus(404);
  expect((await page.goto(postPath(slug)))?.status()).toBe(404);
});

test("deleting a post after the session has ended leads to the log-in and loses nothing", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled }) => {
  const slug = await publish(await signUp(page));
  await page.goto(postPath(slug));
  await page.getByText("Delete…").click();
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Delete this post" }).click();
  if (javaScriptEnabled) {
    const status = page.getByRole("status").filter({ hasText: "You are no longer logged in." });
    await expect(status.getByRole("link", { name: "Log in" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Delete this post" })).toBeVisible();
  } else await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  expect((await page.request.get(postPath(slug))).status()).toBe(200);
});
