/**
 * Every page at two widths in both themes.
 * Nothing serious for a screen reader, nothing wider than the screen.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { localeCookie, locales } from "../lib/i18n/locale.ts";
import { dayMs, hourMs } from "../lib/time/units.ts";
import { gather } from "./crowd.ts";
import { ratePast } from "./past-ratings.ts";
import {
  addImage,
  giveStars,
  makeModerator,
  newName,
  type Person,
  postPath,
  publish,
  rate,
  signUp,
} from "./people.ts";
import { expectSound, expectSoundPages, expectSoundUnfolded } from "./soundness.ts";
import { expect, test } from "./test.ts";
import { makeToken } from "./tokens.ts";

/** The pages of the app, by the folders that have one. */
const app = join(import.meta.dirname, "../app");
const pages = readdirSync(app, { withFileTypes: true, recursive: true })
  .filter(({ name }) => name === "page.tsx")
  .map(({ parentPath }) => parentPath.slice(app.length) || "/")
  .sort();

/** The pages that lead elsewhere with a session. */
const forVisitors = ["/login", "/login/code", "/register"];

/** Two parts, so that each test takes half the time. */
const parts = {
  "of the administration": pages.filter((route) => route.startsWith("/admin")),
  "outside of the administration": pages.filter((route) => !route.startsWith("/admin")),
};

for (const locale of locales)
  for (const [part, routes] of Object.entries(parts))
    test(`no page ${part} has accessibility faults in ${locale}`, async ({ startServer, openBrowser }) => {
      const server = await startServer();
      const open = async () => {
        const page = await openBrowser(server);
        await page.context().addCookies([{ name: localeCookie, value: locale, url: server.origin }]);
        return page;
      };
      const visitor = await open();
      const administrator = await signUp(await open(), "administrator");
      // The post is in the other language, as its page then has two directions.
      const { slug, persianSlug, unique } = await fullPosts(administrator);
      const other = locale === "fa" ? slug : persianSlug;
      const archivePath = await uploadArchive(administrator.page);
      const { id: imageId } = await addImage(administrator.page);
      const webhookId = await addWebhook(administrator.page);
      for (const route of routes) {
        const page = forVisitors.includes(route) ? visitor : administrator.page;
        const path = route
          .replace("/admin/archive/[id]", archivePath)
          .replace("/admin/images/[id]", `/admin/images/${imageId}`)
          .replace("/admin/webhooks/[id]", `/admin/webhooks/${webhookId}`)
          .replace("/tags/[slug]", `/tags/${unique}`)
          .replace("[year]", String(new Date().getUTCFullYear()))
          .replace("[slug]", encodeURIComponent(other))
          .replace("[name]", administrator.username);
        const answer = await page.goto(route === "/lab/environment" ? `${path}?lane=ema` : path);
        expect([answer?.status(), new URL(page.url()).pathname]).toEqual([200, path]);
        await expect(page.locator("html")).toHaveAttribute("lang", locale);
        await expectSoundUnfolded(page);
      }
    });

test("pages for visitors have no accessibility faults", async ({ page, openBrowser, faults }) => {
  const author = await signUp(await openBrowser(), "author");
  const { slug, persianSlug, unique } = await fullPosts(author);
  await expectSoundPages(page, [
    `/?q=${unique}`,
    "/?q=nothing-has-this",
    "/login",
    "/register",
    "/how-scores-work",
    "/privacy",
    `/users/${author.username}`,
    postPath(slug),
    postPath(persianSlug),
  ]);
  faults.expectStatus(404);
  await expectSoundPages(page, ["/nowhere", "/posts/nowhere"]);
});

test("pages for an author have no accessibility faults", async ({ page, openBrowser, faults }) => {
  const author = await signUp(page, "author-of-long-name");
  const { slug, persianSlug, unique } = await fullPosts(author);
  await expectSoundPages(page, [
    `/?q=${unique}`,
    "/posts/new",
    "/account",
    postPath(slug),
    `${postPath(persianSlug)}/edit`,
    `${postPath(slug)}/activity`,
  ]);
  const foreign = await publish(await signUp(await openBrowser(), "author"));
  faults.expectStatus(403);
  await expectSoundPages(page, [`${postPath(foreign)}/edit`]);
});

test("pages of an empty blog and of an administrator have no accessibility faults", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer();
  const page = await openBrowser(server);
  await expectSoundPages(page, ["/"]);
  await signUp(page, "administrator");
  const user = await signUp(await openBrowser(server), "user");
  await expectSoundPages(page, ["/", `/users/${user.username}`, "/admin"]);
});

test("the account page has no accessibility faults with token form errors, a new token and a token list", async ({
  page,
}) => {
  await signUp(page);
  await page.goto("/account");
  await page.getByLabel("Read posts").uncheck();
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText("Choose what the token may do.")).toBeVisible();
  await expectSound(page);
  await makeToken(page, "A token of a name as long as a name may be: sixty characters");
  await expectSound(page);
  await expectSoundPages(page, ["/account"]);
});

test("forms with errors and a refused rating have no accessibility faults", async ({
  page,
  startServer,
  openBrowser,
}) => {
  await page.goto("/register");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("textbox", { name: "Username" })).toHaveAttribute("aria-invalid", "true");
  await expectSound(page);

  const server = await startServer({ LEAKY_BUCKET_CAPACITY: "1", LEAKY_BUCKET_LEAK_PER_SECOND: "0.001" });
  const reader = await signUp(await openBrowser(server));
  const slug = await publish(reader);
  await reader.page.goto(postPath(slug));
  for (const member of await gather(server, 2)) await member.rate(slug, 0);
  await giveStars(reader.page, "4 stars");
  await expect(reader.page.getByRole("status").filter({ hasText: "Too many requests" })).toBeVisible();
  await expectSound(reader.page);
  // The first account is the administrator's.
  await expectSoundPages(reader.page, [`${postPath(slug)}/activity`, "/admin", "/admin/system"]);
});

test("the lab's pages have no accessibility faults, also with bad values", async ({ page }) => {
  await expectSoundPages(page, [
    "/lab",
    "/lab?trace=times&times=soon&TIERED_LIMIT=many&from=x",
    "/lab?trace=locker",
    "/lab/environment?lane=ema",
  ]);
});

test("a post with a held flood has no accessibility faults, with everything counted or not, nor have the decisions on it", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({ RATING_OVERFLOW: "hold" });
  const author = await signUp(await openBrowser(server), "author");
  const moderator = await signUp(await openBrowser(server), "moderator");
  await makeModerator(server, moderator);
  const slug = await publish(author, { title: `سدی بر رود ${newName("flood")}` });
  await ratePast(server, slug, [
    { scores: [4, 5], count: 40, agoMs: 10 * dayMs, everyMs: 6 * hourMs },
    { scores: [0], count: 40, agoMs: 1_000, everyMs: 10 },
  ]);
  await author.page.request.post(`/api/posts/${encodeURIComponent(slug)}/rating`, { data: { score: 0 } });
  await author.page.goto(postPath(slug));
  await expect(
    author.page.getByText(/^It (is one of \d+ ratings that )?came much faster than usual/),
  ).toBeVisible();
  await expectSoundPages(author.page, [postPath(slug), `${postPath(slug)}?counted=all`, "/how-scores-work"]);
  await author.page.goto(`${postPath(slug)}/activity`);
  await author.page.locator("summary", { hasText: "Ask for a review" }).first().click();
  await author.page.getByRole("button", { name: "Ask for a review" }).click();
  await expect(author.page.getByRole("textbox", { name: "Reason" })).toHaveAttribute("aria-invalid", "true");
  await expectSound(author.page);
  await author.page.getByRole("textbox", { name: "Reason" }).fill("A raid, ".repeat(40));
  await author.page.getByRole("button", { name: "Ask for a review" }).click();
  await expect(author.page.getByText("You asked for a review")).toBeVisible();
  await expectSound(author.page);
  const { page } = moderator;
  await expectSoundPages(page, ["/admin"]);
  await page.goto(`${postPath(slug)}/activity`);
  await page.getByRole("button", { name: "Leave them out" }).click();
  const why = page.getByRole("textbox", { name: "Reason" });
  await expect(why).toHaveAttribute("aria-invalid", "true");
  await expectSound(page);
  await why.fill("A raid, ".repeat(40));
  await page.getByRole("button", { name: "Leave them out" }).click();
  await expect(page.getByRole("article", { name: "Flood 1" })).toContainText("Left out");
  await page.getByText("Change this decision").click();
  await expectSound(page);
  await expectSoundPages(page, [postPath(slug)]);
});

/** Uploads an archive to import; resolves to the path of its page. */
async function uploadArchive(page: Page): Promise<string> {
  const archive = { name: "posts.json", mimeType: "application/json", buffer: Buffer.from("{}") };
  const answer = await page.request.post("/admin/archive/uploads", { multipart: { archive } });
  return new URL(answer.url()).pathname;
}

/** Adds a webhook that no message reaches, and sends it a test; resolves to its id. */
async function addWebhook({ request }: Page): Promise<number> {
  const data = { url: "https://127.0.0.1:9/hook", events: ["post.published"] };
  const { id } = await (await request.post("/api/webhooks", { data })).json();
  expect((await request.post(`/api/webhooks/${id}/test`)).status()).toBe(204);
  return id;
}

/** Two posts with everything in them that may be too wide or too pale. */
async function fullPosts(author: Person) {
  const unique = newName("full").replaceAll("-", "");
  const slug = await publish(author, {
    title: `${unique} ${"An-endless-word".repeat(8)}`,
    content: everything,
  });
  const persianSlug = await publish(author, {
    title: `سدی بر رود ${unique}`,
    content: `آب از سد می‌گذرد و English words too.\n\n${everything}`,
  });
  for (const each of [slug, persianSlug]) {
    const path = `/api/posts/${encodeURIComponent(each)}`;
    await author.page.request.patch(path, { data: { tags: [unique, "رودخانه", "A tag of many words"] } });
    await author.page.request.put(`${path}/bookmark`);
  }
  await rate(author, slug, 0);
  await rate(author, persianSlug, 4);
  return { slug, persianSlug, unique };
}

const everything = `
## A heading

Words with *emphasis*, **strong ones**, ~~none~~, \`code\` and [a link](https://example.org/).

### A smaller one

> A quotation.

- [x] done
- [ ] not done

1. one
2. two

| a column | another | a third | a fourth | a fifth |
| --- | --- | --- | --- | --- |
| endlessly-long-word-in-a-cell | endlessly-long-word-in-a-cell | endlessly-long-word-in-a-cell | 4 | 5 |

\`\`\`
a line of code that is much longer than any phone is wide, and must not be broken, only scrolled sideways
\`\`\`

${"https://example.org/".repeat(12)}

---

![A picture that says what it shows](data:image/gif;base64,R0lGODlhAQABAAAAACw=)
`;
