/**
 * Permissions, which are checked beside the data.
 * Programs, pages and forged forms meet the same rules.
 */
import { expect, type Page } from "playwright/test";
import { type ApiUser, expectProblem, publish, test } from "./api-user.ts";

const forgedTitle = "Mine now";

test("the API refuses visitors, and users who are not the author", async ({ newUser, request }) => {
  const [author, other] = [await newUser(), await newUser()];
  const path = await publish(author);
  for (const [method, target] of [
    ["POST", "/api/posts"],
    ["PATCH", path],
    ["DELETE", path],
    ["GET", `${path}/rating`],
    ["POST", `${path}/rating`],
    ["PUT", `${path}/rating`],
    ["DELETE", `${path}/rating`],
  ] as const)
    await expectProblem(
      await request.fetch(target, { method, data: { score: 1, title: "x", content: "x" } }),
      401,
    );
  await expectProblem(await other.api.patch(path, { data: { title: forgedTitle } }), 403);
  await expectProblem(await other.api.delete(path), 403);
  expect(await (await request.get(path)).json()).toMatchObject({ title: "A post", score: { count: 0 } });
});

test("protected pages send visitors to the login page, and refuse users who are not the author", async ({
  newUser,
  request,
}) => {
  const [author, other] = [await newUser(), await newUser()];
  const post = (await publish(author)).replace("/api", "");
  for (const path of ["/posts/new", "/account", `${post}/edit`, `${post}/activity`]) {
    const answer = await request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(307);
    expect(answer.headers().location).toMatch(/^\/login\?next=/);
  }
  for (const path of [`${post}/edit`, `${post}/activity`])
    expect([403, 404], path).toContain((await other.api.get(path)).status());
});

test("one user's forms change nothing when others send them", async ({ newUser, openBrowser, request }) => {
  const [author, other] = [await newUser(), await newUser()];
  const api = await publish(author);
  const post = api.replace("/api", "");
  const page = await openBrowser();
  await page.context().addCookies((await author.api.storageState()).cookies);
  const before = await facts(author, api);
  let forms = 0;
  for (const path of ["/posts/new", post, `${post}/edit`, "/account"]) {
    for (const form of await formsOf(page, path)) {
      forms += 1;
      const multipart = { ...form, score: "5", title: forgedTitle, content: "x" };
      const anonymous = await request.post(path, { multipart, maxRedirects: 0 });
      // A form with text or a choice comes back, others lead to the login page.
      if (anonymous.status() === 200)
        expect(await anonymous.text(), path).toContain("You are no longer logged in");
      else {
        expect(anonymous.status(), `${path} ${Object.keys(form)}`).toBe(303);
        expect(anonymous.headers().location).toMatch(/^\/(login|$)/);
      }
      if (path.endsWith("/edit")) {
        const answer = await other.api.post(path, { multipart, maxRedirects: 0 });
        expect(answer.status()).toBeLessThan(500);
      }
      expect(await facts(author, api), `${path} ${Object.keys(form)}`).toEqual(before);
    }
  }
  expect(forms).toBeGreaterThanOrEqual(6);
});

/** A post, the author's rating of it, and the number of posts with the sent title. */
async function facts({ api }: ApiUser, path: string) {
  const post = await (await api.get(path)).json();
  const posts: { items: { title: string }[] } = await (await api.get("/api/posts?limit=100")).json();
  const forged = posts.items.filter(({ title }) => title === forgedTitle).length;
  return { post, forged, mine: (await api.get(`${path}/rating`)).status() };
}

/**
 * The hidden fields of each form that calls a server action.
 * A browser without JavaScript sends them.
 */
async function formsOf(page: Page, path: string): Promise<Record<string, string>[]> {
  const html = await (await page.request.get(path)).text();
  await page.setContent(html.replaceAll(/<script\b.*?<\/script>/gs, ""));
  const forms = await page
    .locator("form")
    .evaluateAll((elements) =>
      elements.map((element) =>
        [...element.querySelectorAll<HTMLInputElement>("input[type=hidden]")].map(({ name, value }) => [
          name,
          value,
        ]),
      ),
    );
  return forms
    .map((fields): Record<string, string> => Object.fromEntries(fields))
    .filter((fields) => Object.keys(fields).some((name) => name.startsWith("$ACTION")));
}
