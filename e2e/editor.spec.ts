import type { Page } from "playwright/test";
import sharp from "sharp";
import { newName, password, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

const wide = { width: 1280, height: 900 };
const narrow = { width: 375, height: 800 };

const contentOf = (page: Page) => page.getByRole("textbox", { name: "Content" });
const previewOf = (page: Page) => page.getByRole("region", { name: "Preview" });

test("formats by keyboard and toolbar, undoes, continues lists, and lets Tab leave", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  const content = contentOf(page);
  await content.pressSequentially("A low wall");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await page.keyboard.press("Control+b");
  await expect(content).toHaveValue("A low **wall**");
  await page.keyboard.press("Control+z");
  await expect(content).toHaveValue("A low wall");
  await page.keyboard.press("Control+i");
  await expect(content).toHaveValue("A low *wall*");

  await page.keyboard.press("Shift+Tab");
  const heading = page.getByRole("button", { name: "Heading" });
  await expect(heading).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expect(heading).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(content).toBeFocused();
  await expect(content).toHaveValue("## A low *wall*");

  await page.keyboard.press("End");
  await content.pressSequentially("\n\n- one\ntwo\n\nwords");
  await expect(content).toHaveValue("## A low *wall*\n\n- one\n- two\nwords");
  await page.keyboard.press("Control+z");
  await expect(content).not.toHaveValue(/words/);
  await page.keyboard.press("Tab");
  await expect(content).not.toBeFocused();
});

test("shows the text as it will be published, beside it or in its place", async ({ page }) => {
  await signUp(page, "author");
  await page.setViewportSize(wide);
  await page.goto("/posts/new");
  const title = newName("Previewed");
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await contentOf(page).fill("## Weirs\n\nA *low* wall.");
  await expect(previewOf(page).getByRole("heading", { name: "Weirs" })).toBeVisible();
  await page.getByText("Publishing options").click();
  await page.getByLabel("Tags").fill("Water, river");
  await expect(previewOf(page).getByRole("heading", { level: 2, name: title })).toBeVisible();
  await expect(previewOf(page)).toContainText(/author\S* · Draft\s*Tags: Water · river/);
  await expect(page.getByText("Words: 4. Characters left: 49,977.")).toBeVisible();

  await page.setViewportSize(narrow);
  await expect(previewOf(page)).toBeHidden();
  await contentOf(page).fill("دیواری *کوتاه* در پهنای رود");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(contentOf(page)).toBeHidden();
  await expect(previewOf(page).locator("[lang=fa] em")).toHaveText("کوتاه");
  // A wide screen has room for both, also when the preview was chosen.
  await page.setViewportSize(wide);
  await expect(contentOf(page)).toBeVisible();
  await expect(previewOf(page).locator("[lang=fa] em")).toBeVisible();
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.locator(".prose[lang=fa] em")).toHaveText("کوتاه");
});

test("a preview over its limit follows later, once, with a notice", async ({
  startServer,
  openBrowser,
  faults,
}) => {
  faults.expectStatus(429);
  // Slow enough for the second preview to be refused on a busy machine too.
  const limits = { "post.preview": { capacity: 1, leakPerSecond: 0.04 } };
  const server = await startServer({ LIMITS: JSON.stringify(limits) });
  const { page } = await signUp(await openBrowser(server), "author");
  await page.setViewportSize(wide);
  await page.goto(`${server.origin}/posts/new`);
  await contentOf(page).fill("First words.");
  await expect(previewOf(page).getByText("First words.")).toBeVisible();
  await contentOf(page).fill("Second words.");
  await expect(previewOf(page).getByText("The preview follows in a moment.")).toBeVisible();
  await expect(previewOf(page).getByText("First words.")).toBeVisible();
  await expect(previewOf(page).getByText("Second words.")).toBeVisible();
  await expect(previewOf(page).getByText("The preview follows in a moment.")).toHaveCount(0);
});

test("a preview after the session has ended offers to log in, and follows once that is done", async ({
  page,
  faults,
}) => {
  faults.expectStatus(401);
  const { username } = await signUp(page, "author");
  await page.setViewportSize(wide);
  await page.goto("/posts/new");
  await page.context().clearCookies();
  await contentOf(page).fill("Words.");
  const opened = page.waitForEvent("popup");
  await previewOf(page).getByRole("link", { name: "Log in" }).click();
  const tab = await opened;
  await tab.getByRole("textbox", { name: "Username" }).fill(username);
  await tab.getByLabel("Password").fill(password);
  await tab.getByRole("button", { name: "Log in" }).click();
  await expect(tab).toHaveURL("/posts/new");
  await tab.close();
  // The browser of a test has all its pages in focus at once.
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(previewOf(page).getByText("Words.")).toBeVisible();
  await expect(previewOf(page).getByRole("link", { name: "Log in" })).toHaveCount(0);
  await expect(contentOf(page)).toHaveValue("Words.");
});

test("chosen and pasted images are described, and stand in the text once they are uploaded", async ({
  page,
  faults,
}) => {
  faults.expectNoConnection();
  await signUp(page, "author");
  let uploads = 0;
  // From the beginning: the browser does not look at a request that is sent right after this.
  await page.route("/account/media/uploads", (route) => {
    uploads += 1;
    return uploads === 1 ? route.abort() : route.continue();
  });
  await page.goto("/posts/new");
  await contentOf(page).fill("Words.");
  const lake = { width: 60, height: 30, channels: 3, background: "#356889" } as const;
  const buffer = await sharp({ create: lake }).png().toBuffer();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Image", exact: true }).click();
  await (await chooser).setFiles({ name: "lake.png", mimeType: "image/png", buffer });
  const descriptions = page.getByLabel("What does it show?");
  await expect(descriptions).toBeFocused();
  await page.keyboard.insertText("A calm lake");

  await contentOf(page).evaluate(
    (field, bytes) => {
      const clipboardData = new DataTransfer();
      const file = new File([Uint8Array.from(bytes)], "pasted.png", { type: "image/png" });
      clipboardData.items.add(file);
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    [...buffer],
  );
  await expect(descriptions).toHaveCount(2);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Couldn’t reach the server. Your text is still here.")).toBeVisible();
  await expect(contentOf(page)).toHaveValue(/^Words\.\n\n!\[\]\(\/media\/\S+\.webp\)$/);
  await page.getByRole("button", { name: "Insert into the text" }).click();
  await expect(contentOf(page)).toHaveValue(
    /^Words\.\n\n!\[\]\(\S+\)\n\n!\[A calm lake\]\(\/media\/\S+-60x30\.webp\)$/,
  );
  await expect(descriptions).toHaveCount(0);
  await expect(previewOf(page).getByRole("img", { name: "A calm lake" })).toBeVisible();
});

test("dropped images are described and uploaded, and other things are dropped as the browser does", async ({
  page,
}) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  await contentOf(page).fill("Words.");
  const lake = { width: 60, height: 30, channels: 3, background: "#356889" } as const;
  const bytes = [...(await sharp({ create: lake }).png().toBuffer())];
  /** Whether the page takes content dragged over the text, and content dropped. */
  const drop = (kind: "file" | "text") =>
    contentOf(page).evaluate(
      (field, dragged) => {
        const dataTransfer = new DataTransfer();
        if (dragged.kind === "text") dataTransfer.setData("text/plain", "A text");
        else
          dataTransfer.items.add(new File([Uint8Array.from(dragged.bytes)], "a.png", { type: "image/png" }));
        return ["dragover", "drop"].map(
          (type) =>
            !field.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
        );
      },
      { kind, bytes },
    );
  expect(await drop("text")).toEqual([false, false]);
  expect(await drop("file")).toEqual([true, true]);
  await page.getByLabel("What does it show?").fill("A calm lake");
  await page.getByRole("button", { name: "Insert into the text" }).click();
  await expect(contentOf(page)).toHaveValue(/^Words\.\n\n!\[A calm lake\]\(\/media\/\S+-60x30\.webp\)$/);
});

test("images beyond the 20 that are inserted at a time are left out with a sentence", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  const lake = { width: 6, height: 3, channels: 3, background: "#356889" } as const;
  const buffer = await sharp({ create: lake }).png().toBuffer();
  const choose = async (count: number) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Image", exact: true }).click();
    const files = Array.from({ length: count }, (_, index) => `${index}.png`);
    await (await chooser).setFiles(files.map((name) => ({ name, mimeType: "image/png", buffer })));
  };
  const sentence = page.getByText("You can insert 20 images at a time: the others were left out.");
  const descriptions = page.getByLabel("What does it show?");
  await choose(19);
  await expect(descriptions).toHaveCount(19);
  await expect(sentence).toHaveCount(0);
  await choose(2);
  await expect(descriptions).toHaveCount(20);
  await expect(sentence).toBeVisible();
});

test("a file that is dropped while the form is sent is neither taken nor opened", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  const title = newName("Sent");
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await contentOf(page).fill("Words.");
  const held = Promise.withResolvers<void>();
  await page.route("/posts/new", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(contentOf(page)).toHaveAttribute("readonly");
  const isPrevented = await contentOf(page).evaluate((field) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["x"], "a.png", { type: "image/png" }));
    return !field.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  expect(isPrevented).toBe(true);
  await expect(page.getByLabel("What does it show?")).toHaveCount(0);
  held.resolve();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
});

test("an image that the server refuses has the reason beside it, and can be removed", async ({
  page,
  faults,
}) => {
  faults.expectStatus(422);
  await signUp(page, "author");
  await page.goto("/posts/new");
  await contentOf(page).fill("Words.");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Image", exact: true }).click();
  await (await chooser).setFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.from("no image") });
  await page.getByRole("button", { name: "Insert into the text" }).click();
  await expect(page.getByText("This file cannot be used")).toBeVisible();
  const question = page.waitForEvent("dialog");
  const publishing = page.getByRole("button", { name: "Publish" }).click();
  await (await question).dismiss();
  await publishing;
  await expect(page).toHaveURL("/posts/new");
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("button", { name: "Insert into the text" })).toHaveCount(0);
  await expect(contentOf(page)).toHaveValue("Words.");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the preview is above the form, as often as it is requested, and nothing is saved", async ({
    page,
  }) => {
    await signUp(page, "author");
    await page.goto("/posts/new");
    await expect(page.getByRole("toolbar")).toBeHidden();
    const title = newName("Previewed");
    await page.getByRole("textbox", { name: "Title" }).fill(title);
    for (const words of ["first", "second"]) {
      await contentOf(page).fill(`The *${words}* words.`);
      await page.getByRole("button", { name: "Preview" }).click();
      await expect(page.getByText("Nothing is saved yet")).toBeVisible();
      await expect(page.locator(".prose em").first()).toHaveText(words);
      await expect(contentOf(page)).toHaveValue(`The *${words}* words.`);
    }
    const { items } = await (await page.request.get(`/api/posts?q=${title}`)).json();
    expect(items).toEqual([]);
    await page.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await page.goto(`${page.url().split("?")[0]}/edit`);
    await contentOf(page).fill("The *third* words.");
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.locator(".prose em").first()).toHaveText("third");
    await expect(page.getByRole("article").getByRole("heading", { level: 2, name: title })).toBeVisible();
  });
});
