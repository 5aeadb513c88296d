/** Text areas: the text stays when it cannot be sent or the session ended. */
import type { Page } from "playwright/test";
import { hourMs } from "../lib/time/units.ts";
import { ratePast } from "./past-ratings.ts";
import { newName, type Person, postPath, publish, signUp, signUpAdministrator } from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./test.ts";

const unreachable = /^Couldn’t reach the server\./;
const loggedOut = /You are no longer logged in\./;
const notAllowed = /You are not allowed to do this, so nothing was saved\./;

const flooded = test.extend<{ people: Record<"author" | "administrator", Person>; slug: string }>({
  people: async ({ sharedServer, openBrowser }, use) => {
    const server = await sharedServer({ RATING_OVERFLOW: "hold" });
    const administrator = await signUpAdministrator(server, await openBrowser(server));
    await use({ administrator, author: await signUp(await openBrowser(server), "author") });
  },
  slug: async ({ sharedServer, people }, use) => {
    const server: Server = await sharedServer({ RATING_OVERFLOW: "hold" });
    const slug = await publish(people.author, { title: newName("Flooded") });
    await ratePast(server, slug, [
      { scores: [3, 4, 5], count: 60, agoMs: 12 * hourMs, everyMs: hourMs / 6 },
      { scores: [0], count: 40, agoMs: 1.5 * hourMs, everyMs: 500 },
    ]);
    await use(slug);
  },
});

/** The pages with such forms by the person who sees them. */
const pages = {
  author: (slug: string) => [
    "/posts/new",
    `${postPath(slug)}/edit`,
    `${postPath(slug)}/activity`,
    "/lab/ratings",
  ],
  administrator: (slug: string, { author }: { author: Person }) => [
    `${postPath(slug)}/activity`,
    `/admin/posts/${encodeURIComponent(slug)}`,
    "/admin/accounts",
    `/admin/people/${author.username}`,
    "/admin/settings",
  ],
};

for (const who of ["author", "administrator"] as const) {
  flooded(
    `each text area of an ${who} keeps its text when it cannot be sent`,
    async ({ people, slug, faults }) => {
      faults.expectNoConnection();
      faults.expectStatus(502);
      const { page } = people[who];
      for (const path of pages[who](slug, people))
        for (const index of await textAreasAt(page, path)) {
          const text = await fill(page, index);
          await page.context().setOffline(true);
          await send(page, index);
          await expectKept(page, index, text, unreachable);
          await page.context().setOffline(false);
          await page.route("**/*", (route) =>
            route.request().method() === "POST"
              ? route.fulfill({ status: 502, body: "Bad Gateway" })
              : route.continue(),
          );
          const answer = page.waitForResponse((response) => response.status() === 502);
          await send(page, index);
          await answer;
          await expectKept(page, index, text, unreachable);
          await page.unroute("**/*");
        }
    },
  );

  flooded(
    `each text area of an ${who} keeps its text when the session has ended`,
    { tag: "@without-javascript" },
    async ({ people, slug, faults, javaScriptEnabled }) => {
      // Of the editor's preview.
      faults.expectStatus(401);
      const { page } = people[who];
      const cookies = await page.context().cookies();
      for (const path of pages[who](slug, people)) {
        if (path === "/lab/ratings") continue; // takes visitors
        await page.context().addCookies(cookies);
        for (const index of await textAreasAt(page, path)) {
          await page.context().addCookies(cookies);
          await page.goto(path);
          const text = await fill(page, index);
          await page.context().clearCookies();
          await send(page, index);
          if (javaScriptEnabled) await expectKept(page, index, text, loggedOut);
          else await expectShown(page, text, loggedOut);
        }
      }
    },
  );
}

flooded(
  "each text area of an administrator keeps its text when the role was taken away",
  { tag: "@without-javascript" },
  async ({ sharedServer, openBrowser, people, slug, faults, javaScriptEnabled }) => {
    faults.expectStatus(403);
    const server = await sharedServer({ RATING_OVERFLOW: "hold" });
    const { page } = await signUp(await openBrowser(server), "former");
    const former = await page.context().cookies();
    const administrator = await people.administrator.page.context().cookies();
    for (const path of pages.administrator(slug, people)) {
      await page.context().addCookies(administrator);
      for (const index of await textAreasAt(page, path)) {
        await page.context().addCookies(administrator);
        await page.goto(path);
        const text = await fill(page, index);
        // The session of a user without the role, as the administrator's is once it was taken away.
        await page.context().addCookies(former);
        await send(page, index);
        if (javaScriptEnabled) await expectKept(page, index, text, notAllowed);
        else await expectShown(page, text, notAllowed);
      }
    }
  },
);

/** The positions of the text areas of a page's forms. */
async function textAreasAt(page: Page, path: string): Promise<number[]> {
  page.on("dialog", (dialog) => dialog.accept().catch(() => {}));
  await page.goto(path);
  const count = await page.locator("main form textarea").count();
  expect(count, path).toBeGreaterThan(0);
  return [...Array(count).keys()];
}

function textArea(page: Page, index: number) {
  return page.locator("main form textarea").nth(index);
}

/** Fills a text area with a text of its own, which it returns. */
async function fill(page: Page, index: number): Promise<string> {
  const text = newName("Typed for an hour");
  await textArea(page, index).evaluate((field) => {
    for (let part = field.closest("details"); part; part = part.parentElement?.closest("details") ?? null)
      part.open = true;
  });
  await textArea(page, index).fill(text);
  return text;
}

async function send(page: Page, index: number): Promise<void> {
  const button = await textArea(page, index).evaluateHandle((field) =>
    field.closest("form")?.querySelector("button:not([type=button])"),
  );
  await button.asElement()?.click();
}

/**
 * Expects the message and the text on the page that answers without JavaScript.
 * The text is in a field, or there to be copied.
 */
async function expectShown(page: Page, text: string, message: RegExp): Promise<void> {
  await expect(page.getByText(message).first()).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(
        (sought) =>
          [...document.querySelectorAll("textarea")].some(({ value }) => value === sought) ||
          document.body.innerText.includes(sought),
        text,
      ),
    )
    .toBe(true);
}

async function expectKept(page: Page, index: number, text: string, message: RegExp): Promise<void> {
  await expect(page.locator("main [role=status]").getByText(message).first()).toBeVisible();
  await expect(textArea(page, index)).toHaveValue(text);
}
