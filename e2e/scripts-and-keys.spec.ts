/** Text of either direction, fingers, keyboards. */
import type { Locator } from "playwright/test";
import { holdScripts, newName, postPath, publish, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("a Persian post runs from right to left in a page that does not", async ({ page }) => {
  const author = await signUp(page, "author");
  const title = `رود و سد ${newName("fa")}`;
  const slug = await publish(author, { title, content: "آب از سد می‌گذرد.\n\n- یک\n- دو" });
  await page.goto(postPath(slug));
  await expect(page.getByRole("banner")).toHaveCSS("direction", "ltr");
  // At the post's edge, in the interface's language.
  await expect(page.getByRole("region", { name: "Score" })).toHaveCSS("direction", "rtl");
  await expect(page.getByText("Not rated yet")).toHaveCSS("unicode-bidi", "plaintext");
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

test("a post has one edge, whichever script its title or a paragraph begins with", async ({ page }) => {
  const author = await signUp(page, "author");
  const title = newName("Node.js چیست؟ گزارش");
  const latin = "Node.js محیطی برای اجرای برنامه‌ها است.";
  const content = `گزارشی کوتاه از این محیط، برای خوانندگان تازه.\n\n${latin}\n\n1. نصب\n2. اجرا`;
  const slug = await publish(author, { title, content });
  await page.goto(postPath(slug));
  const article = page.getByRole("article");
  const heading = article.getByRole("heading", { level: 1 });
  const paragraph = article.getByText(latin);
  await expect(heading).toHaveCSS("letter-spacing", "normal");
  await expect(article.getByRole("list")).toHaveCSS("list-style-type", "persian");
  const edge = await edgeOf(heading, "right");
  for (const part of [article.getByText("گزارشی کوتاه"), paragraph, page.getByText("Not rated yet")])
    expect(await edgeOf(part, "right")).toBe(edge);
  // The sentence is read from there, too.
  expect(await edgeOf(paragraph, "right", "Node.js".length)).toBe(edge);
  await page.goto(`/?q=${encodeURIComponent(title)}`);
  await expect(page.getByRole("listitem").filter({ hasText: title })).toHaveCSS("direction", "rtl");

  const english = "The word for a weir is one that many readers of this page have never met before.";
  const persian = "آب از سد می‌گذرد.";
  await page.goto(
    postPath(
      await publish(author, { title: newName("رود is a river"), content: `${english}\n\n${persian}` }),
    ),
  );
  const left = await edgeOf(heading, "left");
  for (const part of [
    article.getByText(english),
    article.getByText(persian),
    page.getByText("Not rated yet"),
  ])
    expect(await edgeOf(part, "left")).toBe(left);
});

test("on paper a post is its text with its score, without forms and links of the site", async ({ page }) => {
  const slug = await publish(await signUp(page), { content: "See [a weir](https://example.org/weir)." });
  await page.goto(postPath(slug));
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const role of ["navigation", "contentinfo", "radiogroup"] as const)
    await expect(page.getByRole(role)).toHaveCount(0);
  await expect(page.getByText("Not rated yet")).toBeVisible();
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(251, 250, 247)");
  const address = await page
    .getByRole("link", { name: "a weir" })
    .evaluate((link) => getComputedStyle(link, "::after").content);
  expect(address).toContain("https://example.org/weir");
});

/** The edge of an element's text, or of its first characters, in whole pixels. */
function edgeOf(element: Locator, side: "left" | "right", characters?: number): Promise<number> {
  return element.evaluate(
    (node, [which, length]) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const [first] = node.childNodes;
      if (length !== undefined && first) range.setEnd(first, length);
      return Math.round(range.getBoundingClientRect()[which]);
    },
    [side, characters] as const,
  );
}

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
  test(`the arrow keys move over the stars, and ${key} saves`, async ({ page }) => {
    const slug = await publish(await signUp(page));
    await page.goto(postPath(slug));
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    const zero = page.getByRole("radio", { name: "0 stars" });
    await zero.focus();
    for (const name of ["1 star", "2 stars", "3 stars"]) {
      await page.keyboard.press("ArrowRight");
      await expect(page.getByRole("radio", { name })).toBeChecked();
    }
    const score = page.getByRole("region", { name: "Score" });
    await expect(score.getByRole("status")).toHaveText(
      "3 stars are not saved yet. Press Enter or use the button.",
    );
    await expect(page.getByRole("button", { name: "Rate", exact: true })).toBeVisible();
    expect(sent).toEqual([]);
    await page.keyboard.press(key);
    await expect(score.getByRole("status")).toHaveText("Counted as 3 stars · Undo");
    await expect(score).toContainText("3.00");
    await expect(page.getByRole("radio", { name: "3 stars" })).toBeFocused();
    expect(sent).toHaveLength(1);
  });

test("before the page's scripts run, the arrow keys only move over the stars, too", async ({ page }) => {
  const slug = await publish(await signUp(page));
  const scripts = await holdScripts(page);
  await page.goto(postPath(slug), { waitUntil: "domcontentloaded" });
  await page.getByRole("radio", { name: "0 stars" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "1 star" })).toBeChecked();
  expect(scripts.held()).toBeGreaterThan(0);
  scripts.release();
  await expect(page.getByText("1 star is not saved yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Rate", exact: true })).toBeVisible();
});

test("Enter and Space save the focused star where none is chosen", async ({ page }) => {
  const author = await signUp(page);
  for (const key of ["Enter", "Space"]) {
    await page.goto(postPath(await publish(author)));
    await page.getByRole("radio", { name: "0 stars" }).focus();
    await page.keyboard.press(key);
    await expect(page.getByRole("status").filter({ hasText: "Counted as 0 stars" })).toBeVisible();
  }
});

test("nothing moves where the reader prefers reduced motion", async ({ page }) => {
  const slug = await publish(await signUp(page));
  const star = page.locator(".rating-choice-star svg").first();
  for (const [reducedMotion, name] of [
    ["no-preference", "rating-chosen"],
    ["reduce", "none"],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(postPath(slug));
    await page.getByRole("radio", { name: "1 star" }).check();
    await expect(star).toHaveCSS("animation-name", name);
  }
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
