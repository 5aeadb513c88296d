import type { Dialog, Page } from "playwright/test";
import { userPath } from "../lib/paths.ts";
import {
  chooseColours,
  giveStars,
  holdScripts,
  isTakenOver,
  newName,
  password,
  postPath,
  publish,
  ratingPath,
  signUp,
  signUpAdministrator,
} from "./people.ts";
import { picture } from "./picture.ts";
import { expect, test } from "./test.ts";

const unreachable = "Couldn’t reach the server. Your text is still here.";
const loggedOut = "You are no longer logged in. Your text is still here.";

test("text comes back after the browser has crashed, and is gone once it is discarded", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  await type(page, "A title", "First line.\nSecond line.");
  await expectStored(page, "Second line.");
  const context = page.context();
  await page.close();

  const next = await context.newPage();
  await next.goto("/posts/new");
  await expect(next.getByText("This is your unsaved text from")).toBeVisible();
  await expectText(next, "A title", "First line.\nSecond line.");
  await next.getByRole("button", { name: "Discard the unsaved text" }).click();
  await expect(next.getByRole("textbox", { name: "Title" })).toBeFocused();
  await expectText(next, "", "");
  await next.reload();
  await expect.poll(() => isTakenOver(next.getByRole("textbox", { name: "Content" }))).toBe(true);
  await expectText(next, "", "");
});

test("a text that could not be sent stays in the form until it is published, and is not offered again", async ({
  page,
  faults,
}) => {
  faults.expectNoConnection();
  faults.expectStatus(502);
  await signUp(page, "author");
  await page.goto("/posts/new");
  const title = newName("Sent again");
  await type(page, title, "Written offline.");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText(unreachable)).toBeVisible();
  await expectText(page, title, "Written offline.");

  await page.context().setOffline(false);
  // Without the message, as the next one is the same.
  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await expectText(page, title, "Written offline.");
  await expect(page.getByText(unreachable)).toHaveCount(0);
  await page.route("/posts/new", (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  const answer = page.waitForResponse((response) => response.status() === 502);
  await page.getByRole("button", { name: "Publish" }).click();
  await answer;
  await expect(page.getByText(unreachable)).toBeVisible();
  await expectText(page, title, "Written offline.");

  await page.unroute("/posts/new");
  await publishForm(page, title);
  await page.goto("/posts/new");
  await expect(page.getByRole("button", { name: "Publish" })).toBeEnabled();
  await expectText(page, "", "");
  expect(await storedTexts(page)).toEqual([]);
});

test("a post whose answer was lost is published once, also when its text comes back in a new page", async ({
  page,
  faults,
}) => {
  faults.expectNoConnection();
  const { username } = await signUp(page, "author");
  const title = await publishWithoutAnswer(page);
  await reloadWithText(page);
  await expectText(page, title, "The server has it, and its answer was lost.");
  await publishForm(page, title);
  await expectPosts(page, username, title, 1);
});

test("a text that was changed after its answer was lost becomes another post only when it is sent once more", async ({
  page,
  faults,
}) => {
  faults.expectNoConnection();
  const { username } = await signUp(page, "author");
  const title = await publishWithoutAnswer(page);
  await page.getByRole("textbox", { name: "Content" }).fill("Another text.");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("This post was saved when you first sent it")).toBeVisible();
  await expectText(page, title, "Another text.");
  // The new key is stored with the text, too.
  await pressPublishWithoutAnswer(page);
  await reloadWithText(page);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("article").getByText("Another text.")).toBeVisible();
  await expectPosts(page, username, title, 2);
});

test("a text written after a discarded one is a post of its own, though the discarded one was sent", async ({
  page,
  faults,
}) => {
  faults.expectNoConnection();
  await signUp(page, "author");
  await publishWithoutAnswer(page);
  await reloadWithText(page);
  await page.getByRole("textbox", { name: "Title" }).fill("");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Give your post a title.")).toBeVisible();
  await discardAndPublishAnother(page);
});

test("a text written after a discarded one is a post of its own, though the page has sent the discarded one", async ({
  page,
  faults,
}) => {
  faults.expectNoConnection();
  await signUp(page, "author");
  await page.goto("/posts/new");
  await type(page, "Never sent before", "Typed and restored.");
  await expectStored(page, "Typed and restored.");
  await reloadWithText(page);
  await pressPublishWithoutAnswer(page);
  await discardAndPublishAnother(page);
});

test("a text of a closed tab that another tab has changed and published is not offered again", async ({
  page,
  faults,
}) => {
  faults.expectNoConnection();
  const { username } = await signUp(page, "author");
  await page.goto("/posts/new");
  const title = newName("Sent elsewhere");
  const second = await typeAndRestore(page, title, "Typed in the first tab.");
  await page.close();
  await second.getByRole("textbox", { name: "Content" }).fill("Changed in the second tab.");
  await reloadWithText(second);
  await pressPublishWithoutAnswer(second);
  await reloadWithText(second);
  await expectText(second, title, "Changed in the second tab.");
  await publishForm(second, title);
  expect(await storedTexts(second)).toEqual([]);
  await expectPosts(second, username, title, 1);
});

test("a sent text that is in the form before the page's scripts run is published once", async ({
  page,
  faults,
}) => {
  faults.expectNoConnection();
  const { username } = await signUp(page, "author");
  const title = await publishWithoutAnswer(page);
  const scripts = await holdScripts(page);
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expectText(page, title, "The server has it, and its answer was lost.");
  scripts.release();
  await expect.poll(() => isTakenOver(page.getByRole("textbox", { name: "Title" }))).toBe(true);
  await publishForm(page, title);
  await expectPosts(page, username, title, 1);
});

test("discarding a text keeps the later one of its own tab", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  const second = await typeAndRestore(page, "Two tabs", "The beginning.");
  await type(page, "Two tabs", "The beginning and the end.");
  await expectStored(page, "The beginning and the end.");
  await second.getByRole("button", { name: "Discard the unsaved text" }).click();
  await expectText(second, "", "");
  await expectStored(page, "The beginning and the end.");
});

test("discarding a text keeps another one that it was typed over", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  const second = await typeAndRestore(page, "First", "Typed in a tab that is closed.");
  await page.close();
  await type(second, "Second", "Typed over it.");
  await reloadWithText(second);
  await expectText(second, "Second", "Typed over it.");
  await second.getByRole("button", { name: "Discard the unsaved text" }).click();
  await expectStored(second, "Typed in a tab that is closed.");
});

/**
 * Types a text in a new post's form, and restores it in another tab.
 * Resolves to the other tab.
 */
async function typeAndRestore(page: Page, title: string, content: string): Promise<Page> {
  await type(page, title, content);
  await expectStored(page, content);
  const other = await page.context().newPage();
  await other.goto("/posts/new");
  await expectText(other, title, content);
  return other;
}

async function publishForm(page: Page, title: string): Promise<void> {
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
}

/** Expects that the user has so many posts with the title. */
async function expectPosts(page: Page, username: string, title: string, count: number): Promise<void> {
  await page.goto(userPath(username));
  await expect(page.getByRole("link", { name: title })).toHaveCount(count);
}

async function discardAndPublishAnother(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Discard the unsaved text" }).click();
  const title = newName("Another post");
  await type(page, title, "Written anew.");
  await publishForm(page, title);
}

/** Publishes a post whose answer does not come; returns its title. */
async function publishWithoutAnswer(page: Page): Promise<string> {
  await page.goto("/posts/new");
  const title = newName("Sent twice");
  await type(page, title, "The server has it, and its answer was lost.");
  await pressPublishWithoutAnswer(page);
  return title;
}

async function pressPublishWithoutAnswer(page: Page): Promise<void> {
  await page.route("/posts/new", async (route) => {
    if (route.request().method() === "POST") await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText(unreachable)).toBeVisible();
  await page.unroute("/posts/new");
}

/** Loads the page again, which puts the unsaved text into its form. */
async function reloadWithText(page: Page): Promise<void> {
  await questionsOnReload(page);
  await expect(page.getByText("This is your unsaved text from")).toBeVisible();
}

test("keeps the text when the session has ended, and publishes it after logging in again", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled, faults }) => {
  // Of the preview.
  faults.expectStatus(401);
  const { username } = await signUp(page, "author");
  await page.goto("/posts/new");
  const title = newName("Kept");
  await type(page, title, "Written for an hour.");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Publish" }).click();
  // Beside the button; the preview shows it too.
  await expect(page.locator("form > [role=status]").getByText(loggedOut)).toBeVisible();
  await expectText(page, title, "Written for an hour.");

  if (javaScriptEnabled === false) {
    // In a new tab, as in the message.
    const tab = page.waitForEvent("popup");
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await logIn(await tab, username);
  } else {
    await page.goto("/login?next=/posts/new");
    await logIn(page, username);
    await expect(page.getByText("This is your unsaved text from")).toBeVisible();
    await expectText(page, title, "Written for an hour.");
  }
  await publishForm(page, title);
  await expect(page.getByText("Written for an hour.")).toBeVisible();
});

test("an administrator's form is sent again after the session has ended, with its text", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser, javaScriptEnabled }) => {
  const server = await startServer();
  const { page, username } = await signUp(await openBrowser(server), "administrator");
  await page.goto("/admin/settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Still Water");
  await page.context().clearCookies();
  const save = page.getByRole("button", { name: "Save the settings" });
  await save.click();
  await expect(page.getByText("You are no longer logged in.")).toBeVisible();
  const tab = page.waitForEvent("popup");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Log in/ })
    .click();
  await logIn(await tab, username, `${server.origin}/admin/settings`);
  if (javaScriptEnabled === false) {
    await expect(page.getByText("Still Water")).toBeVisible();
    await page.reload();
  } else await save.click();
  await expect(page.getByText("The settings are saved.")).toBeVisible();
  await expect(name).toHaveValue("Still Water");
});

test("keeps the edited text when the post was deleted meanwhile", {
  tag: "@without-javascript",
}, async ({ page }) => {
  const author = await signUp(page, "author");
  const slug = await publish(author);
  await page.goto(`${postPath(slug)}/edit`);
  await type(page, "Changed", "New words.");
  await page.request.delete(`/api/posts/${slug}`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This post was deleted meanwhile. Your text is still here")).toBeVisible();
  await expectText(page, "Changed", "New words.");
});

test("shows the saved version of a draft whose address was changed meanwhile, and saves there when it is sent again", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await signUp(page, "author");
  const data = { title: newName("First"), content: "The first words.", draft: true };
  const { slug } = await (await page.request.post("/api/posts", { data })).json();
  await page.goto(`${postPath(slug)}/edit`);
  await type(page, "Second title", "Words of this tab.");
  const other = await page.request.patch(`/api/posts/${slug}`, {
    data: { title: newName("Third"), content: "Words of the other tab." },
  });
  const moved = (await other.json()).slug;
  expect(moved).not.toBe(slug);
  const save = page.getByRole("button", { name: /^Save/ });
  await save.click();
  await expect(page.getByText("This post was changed while this page was open")).toBeVisible();
  await expectText(page, "Second title", "Words of this tab.");
  const saved = page.getByRole("link", { name: "Open the saved version in a new tab" });
  await expect(saved).toHaveAttribute("href", postPath(moved));
  await save.click();
  await expect(page.getByRole("heading", { level: 1, name: "Second title" })).toBeVisible();
  await expect(page.getByText("Words of this tab.")).toBeVisible();
});

test("unsaved changes of a post that was changed elsewhere are offered, and do not replace its text", async ({
  page,
}) => {
  const author = await signUp(page, "author");
  const slug = await publish(author, { title: "A post", content: "Old words." });
  await page.goto(`${postPath(slug)}/edit`);
  await type(page, "A post", "Typed here.");
  await expectStored(page, "Typed here.");
  await page.request.patch(`/api/posts/${slug}`, { data: { content: "Changed elsewhere." } });
  const next = await page.context().newPage();
  await page.close();
  await next.goto(`${postPath(slug)}/edit`);
  const show = next.getByRole("button", { name: "Show the unsaved text" });
  await expect(show).toBeVisible();
  await expectText(next, "A post", "Changed elsewhere.");
  const content = next.getByRole("textbox", { name: "Content" });
  await content.fill("Typed over it.");
  await expect.poll(() => storedTexts(next)).toHaveLength(2);
  // Without room, showing the other text would lose this one.
  await next.evaluate(() => {
    let filler = "";
    for (let more = "x".repeat(4_000_000); more !== ""; )
      try {
        localStorage.setItem("filler", filler + more);
        filler += more;
      } catch {
        more = more.slice(0, more.length / 2);
      }
  });
  await content.fill("Typed over it, longer.");
  await show.click();
  await expect(next.getByText("This browser cannot keep a copy of your text.")).toBeVisible();
  await expectText(next, "A post", "Typed over it, longer.");
  await next.evaluate(() => localStorage.removeItem("filler"));
  await show.click();
  await expectText(next, "A post", "Typed here.");
  await next.getByRole("button", { name: "Save", exact: true }).click();
  await expect(next.getByRole("article").getByText("Typed here.")).toBeVisible();
  await expectStored(next, "Typed over it, longer.");
});

test("a paste that is too long gets an error at once, stays whole, and is not sent", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  const content = "word ".repeat(60_000);
  const field = page.getByRole("textbox", { name: "Content" });
  await type(page, "Long", content);
  const tooLong = /Your text has 299,999 characters\. The limit is 50,000/;
  await expect(field).toHaveAccessibleDescription(tooLong);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(tooLong);
  await expectText(page, "Long", content);
  await field.fill("A short text.");
  await expect(field).not.toHaveAccessibleDescription(/The limit is/);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const [kind, words, withEdit] of [
    ["send", 250_000, false],
    ["be shown again", 25_000, true],
  ] as const)
    test(`a text too large to ${kind} is in the form again after going back`, async ({ page, faults }) => {
      faults.expectStatus(413);
      const author = await signUp(page, "author");
      const slug = await publish(author);
      const content = `\n<b>"word" &amp; </textarea>${"word ".repeat(words)}`;
      for (const [path, button] of [
        ["/posts/new", "Publish"],
        [`${postPath(slug)}/edit`, "Save"],
      ] as const) {
        if (button === "Save" && !withEdit) continue;
        await page.goto(path);
        await type(page, "Too large", content);
        await page.getByRole("button", { name: button }).click();
        await expect(page.getByRole("heading", { name: "This is too long to send" })).toBeVisible();
        if (withEdit) {
          const length = content.length.toLocaleString("en");
          await expect(page.getByText(`Your text has ${length} characters`)).toBeVisible();
          await expect(page.getByRole("textbox")).toHaveValue(content);
        } else {
          await expect(page.getByText("You sent 1.2 MB: at most 1 MB can be sent at once")).toBeVisible();
          await expect(page.getByText("Go back: your browser should still have your text")).toBeVisible();
        }
        await page.goBack();
        await expectText(page, "Too large", content);
      }
    });
});

test("leaving with unsaved changes needs a confirmation", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  await page.getByRole("textbox", { name: "Title" }).pressSequentially("Half a title");
  const dialog = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await dialog;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await expectText(page, "Half a title", "");
});

test("leaving with the description of an image that is not inserted needs a confirmation", async ({
  page,
}) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  await chooseImage(page);
  await expect(page.getByLabel("What does it show?")).toBeVisible();
  expect(await questionsOnReload(page)).toEqual([]);
  await chooseImage(page);
  await page.getByLabel("What does it show?").fill("A calm lake");
  expect(await questionsOnReload(page)).toEqual(["beforeunload"]);
});

test("leaving with an unsent text in a text area needs a confirmation, but not once it is sent", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page } = administrator;
  await page.goto("/admin/accounts");
  await page.getByLabel("Registered from").fill("2026-01-01");
  expect(await questionsOnReload(page)).toEqual([]);
  await page.getByLabel("Usernames").fill("one");
  expect(await questionsOnReload(page)).toEqual(["beforeunload"]);

  await page.goto("/lab/ratings");
  const ratings = page.getByRole("textbox", { name: "Ratings" });
  await ratings.fill("0,3\n60,4");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("region", { name: "Where the score goes" }).last()).toBeVisible();
  expect(await questionsOnReload(page)).toEqual([]);
  await ratings.fill("0,3\n60,5");
  expect(await questionsOnReload(page)).toEqual(["beforeunload"]);
});

test("leaving with a text typed before the script of forms was loaded needs a confirmation", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({});
  const { page } = await signUpAdministrator(server, await openBrowser(server));
  const loadFormScript = await holdFormScript(page);
  await page.goto("/admin/accounts", { waitUntil: "commit" });
  await page.getByLabel("Usernames").fill("one");
  await loadFormScript();
  expect(await questionsOnReload(page)).toEqual(["beforeunload"]);
});

test("a kept text does not replace one that is typed before the script of forms is loaded again", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({});
  const { page } = await signUpAdministrator(server, await openBrowser(server));
  await page.goto("/admin/accounts");
  const names = page.getByLabel("Usernames");
  const reason = page.getByLabel("Reason");
  await names.fill("one");
  await reason.fill("A raid.");
  const loadFormScript = await holdFormScript(page);
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await names.fill("two");
  await loadFormScript();
  await expect(names).toHaveValue("two");
  await expect(reason).toHaveValue("A raid.");
});

test("colours that a visitor chooses while the script of forms is loading are shown", async ({ page }) => {
  await page.goto("/");
  // Changes to restore: the page loads the script by itself.
  await page.evaluate(() => sessionStorage.setItem("weir-changes", "{}"));
  const script = await holdScripts(page, "**/form.js");
  await page.reload({ waitUntil: "commit" });
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  script.release();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

/**
 * Keeps the script of forms from being loaded.
 * Resolves to a function that lets it be loaded, and resolves once it has run.
 */
async function holdFormScript(page: Page): Promise<() => Promise<void>> {
  const { release } = await holdScripts(page, "**/form.js");
  return async () => {
    const script = page.locator("script[src='/form.js']");
    await script.evaluate((element) =>
      element.addEventListener("load", () => element.setAttribute("data-loaded", "")),
    );
    release();
    await expect(script).toHaveAttribute("data-loaded");
    // The script starts when the document is complete.
    await page.waitForLoadState("domcontentloaded");
  };
}

test("leaving with a refused text, or one of an ended session, needs a confirmation", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page } = administrator;
  await page.goto("/admin/settings");
  const links = page.getByLabel("Links at the foot of each page");
  const save = page.getByRole("button", { name: "Save the settings" });
  await links.fill("Water");
  await save.click();
  await expect(links).toHaveAttribute("aria-invalid", "true");
  // The page is loaded again.
  await chooseColours(page, "Dark");
  await expect(links).toHaveValue("Water");
  await save.click();
  await expect(links).toHaveAttribute("aria-invalid", "true");
  expect(await questionsOnReload(page)).toEqual(["beforeunload"]);
  await expect(links).toHaveValue("");

  await links.fill("Water /water");
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await save.click();
  await expect(page.getByText("You are no longer logged in.")).toBeVisible();
  await page.context().addCookies(cookies);
  expect(await questionsOnReload(page)).toEqual(["beforeunload"]);
});

test("leaving with a text that was only previewed needs a confirmation, but not once it is sent", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { username } = await signUp(await openBrowser(server), "raider");
  const { page } = administrator;
  const preview = async () => {
    await page.goto("/admin/accounts");
    await page.getByLabel("Usernames").fill(username);
    await page.getByLabel("Reason").fill("A raid.");
    await page.getByRole("button", { name: "See what disabling would change" }).click();
    await expect(page.getByText("1 account would be disabled")).toBeVisible();
  };
  await preview();
  expect(await questionsOnReload(page)).toEqual(["beforeunload"]);
  await preview();
  await page.getByRole("button", { name: "Disable 1 account" }).click();
  await expect(page.getByText("1 account is disabled.")).toBeVisible();
  expect(await questionsOnReload(page)).toEqual([]);
});

test("logging out with an unsent text in a text area needs one confirmation", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page } = administrator;
  await page.goto("/admin/accounts");
  await page.getByLabel("Usernames").fill("one");
  const questions: string[] = [];
  page.on("dialog", async (dialog) => {
    questions.push(dialog.type());
    await (questions.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  const button = page.getByRole("button", { name: "Log out" });
  await button.click();
  await expect.poll(() => questions).toEqual(["confirm"]);
  await expect(page.getByLabel("Usernames")).toHaveValue("one");
  await button.click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
  expect(questions).toEqual(["confirm", "confirm"]);
});

async function chooseImage(page: Page): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Image", exact: true }).click();
  await (await chooser).setFiles({ name: "lake.jpg", mimeType: "image/jpeg", buffer: await picture() });
}

/** The dialogs that a reload shows, which are accepted. */
async function questionsOnReload(page: Page): Promise<string[]> {
  const questions: string[] = [];
  const accept = (dialog: Dialog) => {
    questions.push(dialog.type());
    return dialog.accept();
  };
  page.on("dialog", accept);
  // A browser shows no question on a page that was not used.
  await page.mouse.click(2, 2);
  await page.reload();
  page.off("dialog", accept);
  return questions;
}

/** Signs up and types a text of a new post, which the browser stores. */
async function storePrivateText(page: Page): Promise<void> {
  await signUp(page, "author");
  await page.goto("/posts/new");
  await type(page, "Private", "Not for the next reader.");
  await expectStored(page, "Private");
}

test("logging out removes the unsaved text from the browser, after a confirmation", async ({
  page,
  faults,
}) => {
  // The preview of the last input may be requested after the log-out.
  faults.expectStatus(401);
  await storePrivateText(page);
  const questions: string[] = [];
  page.on("dialog", async (dialog) => {
    questions.push(dialog.message());
    await (questions.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByRole("button", { name: "Log out" }).click();
  await expect.poll(() => questions).toHaveLength(1);
  expect(await storedTexts(page)).toHaveLength(1);
  // Typed at the last moment, once the texts are removed.
  await page.evaluate(() => {
    const { removeItem } = Storage.prototype;
    Storage.prototype.removeItem = function (key) {
      removeItem.call(this, key);
      document.querySelector("[name=title]")?.dispatchEvent(new Event("input", { bubbles: true }));
    };
  });
  // At once after typing, when the text is not stored yet.
  await page.getByRole("button", { name: "Log out" }).evaluate((button: HTMLElement) => {
    document.querySelector("[name=title]")?.dispatchEvent(new Event("input", { bubbles: true }));
    button.click();
  });
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
  expect(await storedTexts(page)).toEqual([]);
});

test("logging out removes the unsaved text also on a page without forms", async ({ page }) => {
  await storePrivateText(page);
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto("/");
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
  expect(await storedTexts(page)).toEqual([]);
});

test("logging out removes the unsaved text also before the page's scripts have run", async ({ page }) => {
  await storePrivateText(page);
  page.on("dialog", (dialog) => dialog.accept());
  const scripts = await holdScripts(page);
  await page.goto("/posts/new", { waitUntil: "commit" });
  // A constant of the script of forms.
  await expect.poll(() => page.evaluate("typeof busyMaximumMs")).toBe("number");
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("Typed early");
  await page.route("/posts/new", async (route) => {
    // They run before the answer, and have a text to store when the page is left.
    scripts.release();
    await expect.poll(() => isTakenOver(title)).toBe(true);
    await title.evaluate((field) => {
      addEventListener("beforeunload", () => field.dispatchEvent(new Event("input", { bubbles: true })));
    });
    await route.continue();
  });
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
  expect(await storedTexts(page)).toEqual([]);
});

test("two tabs keep and publish two texts", async ({ page }) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  const title = newName("First tab");
  const second = await typeAndRestore(page, title, "Text of the first tab.");
  await type(second, "Second tab", "Text of the second tab.");
  await expect.poll(() => storedTexts(second)).toHaveLength(2);
  await publishForm(page, title);
  await expectStored(page, "Text of the second tab.");
  await page.goto("/posts/new");
  await expectText(page, "Second tab", "Text of the second tab.");
  await publishForm(second, "Second tab");
  expect(await storedTexts(page)).toEqual([]);
});

test("the text can be neither changed nor replaced by an unsaved one while it is sent", async ({ page }) => {
  const slug = await publish(await signUp(page, "author"), { title: "A post", content: "Old words." });
  const path = `${postPath(slug)}/edit`;
  await page.goto(path);
  await type(page, "A post", "Typed here.");
  await expectStored(page, "Typed here.");
  await page.request.patch(`/api/posts/${slug}`, { data: { content: "Changed elsewhere." } });
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  const buttons = ["Show", "Discard"].map((verb) =>
    page.getByRole("button", { name: `${verb} the unsaved text` }),
  );
  for (const button of buttons) await expect(button).toBeVisible();
  await page.getByText("Publishing options").click();
  const title = newName("Sent");
  await type(page, title, "Words.");
  const sent = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await sent.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Content" })).not.toBeEditable();
  for (const button of buttons) await button.dispatchEvent("click");
  await expectText(page, title, "Words.");
  await page.getByRole("radio", { name: "Only readers who have its link" }).check();
  sent.resolve();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expectStored(page, "Typed here.");
});

test("a rating after the session has ended keeps the page and shows an error", {
  tag: "@without-javascript",
}, async ({ page, openBrowser, javaScriptEnabled }) => {
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await signUp(page);
  await page.goto(postPath(slug));
  await page.context().clearCookies();
  await giveStars(page, "4 stars", javaScriptEnabled);
  await expect(page.getByText("You are no longer logged in")).toBeVisible();
  await expect(page).toHaveURL(postPath(slug));
  if (javaScriptEnabled !== false) await expect(page.getByRole("radio", { name: "4 stars" })).toBeChecked();
});

test("a rating that could not be sent keeps the page and the choice", async ({
  page,
  openBrowser,
  faults,
}) => {
  faults.expectNoConnection();
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await signUp(page);
  await page.goto(postPath(slug));
  await giveStars(page, "2 stars");
  await expect(page.getByText("Counted as 2 stars")).toBeVisible();
  await page.context().setOffline(true);
  await giveStars(page, "4 stars");
  await expect(page.getByText("Couldn’t reach the server. Your choice is still here.")).toBeVisible();
  await expect(page.getByText("Counted as")).toHaveCount(0);
  await expect(page.getByRole("radio", { name: "4 stars" })).toBeChecked();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Update rating" }).click();
  await expect(page.getByText("Counted as 4 stars")).toBeVisible();
});

test("a rating whose answer was lost is unknown: the one saved before can be chosen again", async ({
  page,
  openBrowser,
  faults,
}) => {
  faults.expectNoConnection();
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await signUp(page);
  await page.goto(postPath(slug));
  await giveStars(page, "2 stars");
  await expect(page.getByText("Counted as 2 stars")).toBeVisible();
  await page.route(postPath(slug), async (route) => {
    await route.fetch();
    await route.abort();
  });
  await giveStars(page, "4 stars");
  await expect(page.getByText("Couldn’t reach the server. Your choice is still here.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  const savedScore = async () => (await (await page.request.get(ratingPath(slug))).json()).score;
  expect(await savedScore()).toBe(4);
  await page.unroute(postPath(slug));
  await giveStars(page, "2 stars");
  await expect(page.getByText("Counted as 2 stars")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  expect(await savedScore()).toBe(2);
});

test("a visitor’s stars that could not be sent keep the page and say so", async ({
  page,
  openBrowser,
  faults,
}) => {
  faults.expectNoConnection();
  faults.expectStatus(502);
  const slug = await publish(await signUp(await openBrowser(), "author"));
  await page.goto(postPath(slug));
  const stars = page.getByRole("group", { name: "Rate this post" }).getByRole("button", { name: "4 stars" });
  await page.context().setOffline(true);
  await stars.click();
  const failure = page.getByText("Couldn’t reach the server. Choose your stars again.");
  await expect(failure).toBeVisible();
  await page.context().setOffline(false);
  await page.route(`${postPath(slug)}/stars`, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  const answer = page.waitForResponse((response) => response.status() === 502);
  await stars.click();
  await answer;
  await expect(failure).toBeVisible();
  await page.unroute(`${postPath(slug)}/stars`);
  await stars.click();
  await expect(page.getByText("Log in, and your rating of 4 stars is saved.")).toBeVisible();
});

test("the publishing options chosen for a text come back with it", async ({ page }) => {
  const author = await signUp(page, "author");
  const slug = await publish(author);
  for (const path of ["/posts/new", `${postPath(slug)}/edit`]) {
    await page.goto(path);
    await page.getByText("Publishing options").click();
    const language = page.getByRole("main").getByRole("combobox", { name: "Language" });
    const tags = page.getByLabel("Tags");
    const excerpt = page.getByLabel("Excerpt");
    const date = page.getByLabel("Date");
    const unlisted = page.getByRole("radio", { name: "Only readers who have its link" });
    await language.selectOption("fa");
    await tags.fill("Water");
    await excerpt.fill("What it is about.\nIn two lines.");
    await date.fill("2026-01-02T09:30");
    await unlisted.check();
    for (const text of [
      '"lang":"fa"',
      '"tags":"Water"',
      '"visibility":"unlisted"',
      '"publishAt":"2026-01-02T09:30"',
    ])
      await expectStored(page, text);
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await expect(page.getByText("This is your unsaved text from")).toBeVisible();
    await expect(language).toHaveValue("fa");
    await expect(tags).toHaveValue("Water");
    await expect(excerpt).toHaveValue("What it is about.\nIn two lines.");
    await expect(date).toHaveValue("2026-01-02T09:30");
    await expect(unlisted).toBeChecked();
    await page.getByRole("button", { name: "Discard the unsaved text" }).click();
    await expect(language).toHaveValue("");
    await expect(tags).toHaveValue("");
    await expect(unlisted).not.toBeChecked();
    expect(await storedTexts(page)).toEqual([]);
  }
});

async function type(page: Page, title: string, content: string): Promise<void> {
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.getByRole("textbox", { name: "Content" }).fill(content);
}

async function expectText(page: Page, title: string, content: string): Promise<void> {
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue(title);
  await expect(page.getByRole("textbox", { name: "Content" })).toHaveValue(content);
}

async function logIn(page: Page, username: string, path = "/posts/new"): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(path);
}

/** The unsaved texts in the browser. */
function storedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([name]) => name.startsWith("weir-text:"))
      .map(([, text]) => String(text)),
  );
}

async function expectStored(page: Page, text: string): Promise<void> {
  await expect.poll(() => storedTexts(page)).toEqual([expect.stringContaining(text)]);
}
