import type { Page } from "playwright/test";
import sharp from "sharp";
import { makeAdministrator, newName, signUp } from "./people.ts";
import { picture } from "./picture.ts";
import { expect, mainServer, test } from "./test.ts";
import { makeToken } from "./tokens.ts";

async function upload(page: Page, alt: string): Promise<void> {
  await page.goto("/account/media");
  const file = { name: "lake.jpg", mimeType: "image/jpeg", buffer: await picture() };
  await page.getByLabel("Image file").setInputFiles(file);
  await page.getByLabel("Description").first().fill(alt);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your image is saved." })).toBeVisible();
}

test("a writer uploads an image, shows it in a post, and removes it when no post uses it", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await signUp(page);
  await upload(page, "A calm lake");
  const row = page.getByRole("listitem").filter({ hasText: "1,200 × 600 pixels" });
  const markdown = await row.getByLabel("For your post").inputValue();
  expect(markdown).toMatch(/^!\[A calm lake\]\(\/media\/[a-z0-9]{25}-1200x600\.webp\)$/);

  await page.goto("/posts/new");
  await page.getByLabel("Title").fill("The lake");
  await page.getByLabel("Content").fill(markdown);
  await page.getByRole("button", { name: "Publish" }).click();
  // The editor's preview shows the image, too.
  await expect(page.getByRole("heading", { level: 1, name: "The lake" })).toBeVisible();
  const image = page.getByRole("img", { name: "A calm lake" });
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
  expect(await image.evaluate((element: HTMLImageElement) => element.currentSrc)).toMatch(/\.avif$/);
  const post = page.url();

  await page.goto("/account/media");
  await expect(row.getByRole("link", { name: "The lake" })).toBeVisible();
  await expect(row.getByRole("button", { name: /^Remove/ })).toHaveCount(0);
  await page.goto(`${new URL(post).pathname}/edit`);
  await page.getByLabel("Content").fill("No picture any more.");
  await page.getByRole("button", { name: "Save" }).click();
  // The editor's preview has the text before it is saved.
  await expect(page).not.toHaveURL(/\/edit$/);
  await page.goto("/account/media");
  await row.getByRole("button", { name: /^Remove/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "The image is removed." })).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("a writer chooses a cover among the latest images, or by the line of another one", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await signUp(page);
  await upload(page, "A calm lake");
  const line = await page.getByLabel("For your post").inputValue();
  // More than the form offers.
  const pond = { width: 60, height: 30, channels: 3, background: "#356889" } as const;
  const file = {
    name: "pond.png",
    mimeType: "image/png",
    buffer: await sharp({ create: pond }).png().toBuffer(),
  };
  for (let count = 0; count < 12; count += 1) {
    const saved = await page.request.post("/account/media/uploads", { multipart: { file, alt: "A pond" } });
    expect(saved.status()).toBe(201);
  }
  await page.goto("/posts/new");
  const title = newName("With a cover");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Content").fill("Words.");
  await page.getByText("Publishing options").click();
  await expect(page.getByRole("radio", { name: "A pond" })).toHaveCount(12);
  await expect(page.getByRole("radio", { name: "A calm lake" })).toHaveCount(0);
  const address = page.getByLabel("Another image’s address");
  await address.fill(`/media/${"x".repeat(25)}-1200x600.webp`);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(address).toHaveAccessibleDescription(/^You have no image with this address\./);
  await address.fill(line);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("img", { name: "A calm lake" })).toBeVisible();

  await page.goto(`${new URL(page.url()).pathname}/edit`);
  await page.getByText("Publishing options").click();
  await expect(page.getByRole("radio", { name: "A calm lake" })).toBeChecked();
  await page.getByRole("radio", { name: "A pond" }).first().check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).not.toHaveURL(/\/edit$/);
  await expect(page.getByRole("img", { name: "A pond" })).toBeVisible();
  await expect(page.getByRole("img", { name: "A calm lake" })).toHaveCount(0);
});

test("a file that is not an image is refused in words, and the description stays", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await signUp(page);
  await page.goto("/account/media");
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await page.getByLabel("Image file").setInputFiles({ name: "x.png", mimeType: "image/png", buffer: svg });
  await page.getByLabel("Description").fill("A drawing");
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByLabel("Image file")).toHaveAccessibleDescription(/^This file cannot be used/);
  await expect(page.getByLabel("Description")).toHaveValue("A drawing");
});

test("a program uploads an image with a token, in a form, describes it and removes it", async ({
  page,
  request,
  openBrowser,
}) => {
  await signUp(page);
  const token = await makeToken(page, "uploads", ["write", "read"]);
  const headers = { Authorization: `Bearer ${token}` };
  const file = { name: "lake.jpg", mimeType: "image/jpeg", buffer: await picture() };
  const saved = await request.post("/api/media", { headers, multipart: { file, alt: "A lake" } });
  expect(saved.status()).toBe(201);
  const image = await saved.json();
  expect(image).toMatchObject({ width: 1_200, height: 600, alt: "A lake" });
  const shown = await request.get(image.address);
  expect([shown.status(), shown.headers()["content-type"]]).toEqual([200, "image/webp"]);
  const list = await request.get("/api/media", { headers });
  const room = { used: expect.any(Number), maximum: expect.any(Number) };
  expect(await list.json()).toEqual({ items: [image], nextBefore: null, room });

  const path = `/api/media/${image.id}`;
  const described = await request.patch(path, { headers, data: { alt: "A pond" } });
  expect(await described.json()).toEqual({
    ...image,
    alt: "A pond",
    markdown: expect.stringMatching("A pond"),
  });
  const post = { title: newName("With an image"), content: image.markdown };
  const { slug } = await (await request.post("/api/posts", { headers, data: post })).json();
  const used = await request.delete(path, { headers });
  expect([used.status(), (await used.json()).detail]).toEqual([409, expect.stringContaining(slug)]);
  await request.patch(`/api/posts/${slug}`, { headers, data: { content: "No image." } });
  const { request: another } = (await signUp(await openBrowser())).page;
  expect((await another.patch(path, { data: { alt: "Mine" } })).status()).toBe(404);
  expect((await another.delete(path)).status()).toBe(404);
  expect((await request.delete(path, { headers })).status()).toBe(204);
  expect((await request.get(image.address)).status()).toBe(404);
  expect((await request.delete(path, { headers })).status()).toBe(404);

  const large = { ...file, buffer: Buffer.alloc(11 * 1024 * 1024) };
  expect((await request.post("/api/media", { headers, multipart: { file: large } })).status()).toBe(413);
  const empty = await request.post("/api/media", { headers, multipart: { alt: "Nothing" } });
  expect(empty.status()).toBe(422);
  expect((await empty.json()).errors).toEqual({ file: ["Choose an image file."] });
  expect((await request.post("/api/media", { headers, data: {} })).status()).toBe(415);
});

test("an administrator finds a user's images and removes one that a post uses, with a reason", {
  tag: "@without-javascript",
}, async ({ page, openBrowser, faults }) => {
  const writer = await signUp(page, "writer");
  await upload(page, "An unwanted lake");
  const markdown = await page.getByLabel("For your post").inputValue();
  const title = newName("The lake");
  await page.request.post("/api/posts", { data: { title, content: markdown } });
  const administrator = await signUp(await openBrowser(), "keeper");
  await makeAdministrator(mainServer, administrator);
  const admin = administrator.page;
  await admin.goto("/admin/images");
  await admin.getByRole("searchbox", { name: "Username" }).fill(writer.username);
  await admin.getByRole("search").getByRole("button", { name: "Search" }).click();
  await admin.getByRole("link", { name: "An unwanted lake" }).click();
  await expect(admin.getByRole("link", { name: title })).toBeVisible();
  const remove = admin.getByRole("button", { name: "Remove this image" });
  await remove.click();
  await expect(admin.getByText("Say why in a sentence.")).toBeVisible();
  await admin.getByRole("textbox", { name: "Reason" }).fill("It shows a person.");
  await remove.click();
  await expect(admin.getByRole("status").filter({ hasText: "The image is removed." })).toBeVisible();
  await admin.goto("/admin/decisions");
  const entry = admin.getByRole("listitem").filter({ hasText: `Removed an image of ${writer.username}` });
  await expect(entry).toContainText("It shows a person.");
  faults.expectStatus(404);
  const [, address = ""] = /\((.+)\)/.exec(markdown) ?? [];
  expect((await page.request.get(address)).status()).toBe(404);
});
