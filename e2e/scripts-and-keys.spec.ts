/** Text of either direction, fingers, keyboards. */
import { newName, postPath, publish, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("a Persian post runs from right to left in a page that does not", async ({ page }) => {
  const author = await signUp(page, "author");
  const title = `رود و سد ${newName("fa")}`;
  const slug = await publish(author, { title, content: "آب از سد می‌گذرد.\n\n- یک\n- دو" });
  await page.goto(postPath(slug));
  await expect(page.getByRole("banner")).toHaveCSS("direction", "ltr");
  await expect(page.getByRole("region", { name: "Score" })).toHaveCSS("direction", "ltr");
  await expect(page.getByRole("heading", { level: 1, name: title })).toHaveCSS("direction", "rtl");
  await expect(page.getByText("آب از سد می‌گذرد.")).toHaveCSS("direction", "rtl");
  await expect(page.getByRole("article").getByRole("listitem").first()).toHaveCSS("direction", "rtl");
  await page.goto(`/?q=${title}`);
  const listed = page.getByRole("listitem").filter({ hasText: title }).getByRole("heading");
  await expect(listed).toHaveCSS("direction", "rtl");
  await expect(page.getByRole("main")).toHaveCSS("direction", "ltr");
  await page.goto(`${postPath(slug)}/edit`);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveCSS("direction", "rtl");
});

test("every star is large enough for a finger", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 700 });
  const slug = await publish(await signUp(page));
  await page.goto(postPath(slug));
  const radios = await page.getByRole("radio").all();
  expect(radios).toHaveLength(6);
  for (const radio of radios) {
    const box = await radio.boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(24);
    expect(box?.height).toBeGreaterThanOrEqual(24);
  }
});

for (const key of ["Enter", "Space"])
  test(`stars are chosen with the arrow keys and sent with ${key}`, async ({ page }) => {
    const slug = await publish(await signUp(page));
    await page.goto(postPath(slug));
    const zero = page.getByRole("radio", { name: "0 stars" });
    await zero.focus();
    await page.keyboard.press("Space");
    await expect(zero).toBeChecked();
    for (const name of ["1 star", "2 stars", "3 stars"]) {
      await page.keyboard.press("ArrowRight");
      await expect(page.getByRole("radio", { name })).toBeChecked();
    }
    if (key === "Space") {
      await page.keyboard.press("Tab");
      await expect(page.getByRole("button", { name: "Rate", exact: true })).toBeFocused();
    }
    await page.keyboard.press(key);
    await expect(page.getByRole("region", { name: "Score" })).toContainText("3.00");
    await expect(page.getByRole("button", { name: "Update rating" })).toBeVisible();
  });

test("the first thing the keyboard reaches is a link past the header", async ({ page }) => {
  await page.goto("/how-scores-work");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  await expect(skip).toBeFocused();
  const box = await skip.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(16);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#content$/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").locator("a, summary").first()).toBeFocused();
});
