import type { APIResponse, Page } from "playwright/test";
import { makeAdministrator, newName, password, publish, rate, signUp } from "./people.ts";
import { expect, mainServer, test } from "./test.ts";
import { makeToken } from "./tokens.ts";

test("a token is made on the account page, shown once, used, listed and revoked", {
  tag: "@without-javascript",
}, async ({ page, request }) => {
  const person = await signUp(page);
  const slug = await publish(person);
  await rate(person, slug, 4);
  const token = await makeToken(page, "weekly report", ["rate", "read"]);
  expect(page.url()).not.toContain(token.slice(5));
  const row = rowOf(page, "weekly report");
  await expect(row).toContainText(/read, rate · created .* · never used · expires/);

  const send = (path: string, method = "GET", data?: unknown) =>
    request.fetch(path, { method, headers: { Authorization: `Bearer ${token}` }, ...(data ? { data } : {}) });
  const rating = `/api/posts/${slug}/rating`;
  expect(await (await send(rating)).json()).toEqual({ score: 4 });
  expect(await (await send(rating, "PUT", { score: 2 })).json()).toEqual({ score: 2 });
  expect(await (await send(`/api/posts/${slug}`)).json()).toMatchObject({ myScore: 2 });
  const refused = await send("/api/posts", "POST", { title: "A post", content: "Words." });
  expect(refused.status()).toBe(403);
  expect((await refused.json()).detail).toContain('"write"');
  expect(refused.headers()["www-authenticate"]).toBe('Bearer error="insufficient_scope", scope="write"');

  await page.goto("/account");
  await expect(row).toContainText("last used");
  expect(await page.content()).not.toContain(token);
  await row.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The token is revoked." })).toBeVisible();
  await expect(row).toHaveCount(0);
  await expectBadToken(await send(rating));
});

test("shows a token form's errors beside the fields, and keeps the choices", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await signUp(page);
  await page.goto("/account");
  const form = page.locator("form", { has: page.getByRole("button", { name: "Create token" }) });
  await form.getByLabel("Read posts").uncheck();
  await form.getByLabel("Valid for").selectOption("A year");
  await form.getByLabel("Your password").fill("not the password");
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(form.getByLabel("Name")).toHaveAccessibleDescription(
    /^Give it a name, so that you recognise it later\./,
  );
  await expect(form.getByRole("group", { name: "It may" })).toHaveAccessibleDescription(
    "Choose what the token may do.",
  );
  await expect(form.getByLabel("Your password")).toHaveValue("");

  await form.getByLabel("Name").fill("a script");
  await form.getByLabel("Publish posts").check();
  await form.getByLabel("Your password").fill("not the password");
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(form.getByLabel("Your password")).toHaveAccessibleDescription("This is not your password.");
  await expect(form.getByLabel("Name")).toHaveValue("a script");
  await expect(form.getByLabel("Publish posts")).toBeChecked();
  await expect(form.getByLabel("Read posts")).not.toBeChecked();
  await expect(form.getByLabel("Valid for")).toHaveValue("365");
  await form.getByLabel("Your password").fill(password);
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(rowOf(page, "a script")).toContainText(/write · created/);
});

test("forbids caching of the answer that shows a token, and shows it only once", async ({ page }) => {
  await signUp(page);
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  const token = await makeToken(page, newName("script"));
  expect((await answered).headers()["cache-control"]).toContain("no-store");
  expect(await page.content()).not.toContain(password);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Create token" })).toBeVisible();
  expect(await page.content()).not.toContain(token);
});

test("a form that is done begins anew, and leaves a shown token and the texts in other forms as they are", async ({
  page,
}) => {
  await signUp(page);
  const token = await makeToken(page, "weekly report");
  const inOtherForm = page.locator("#delete-account").getByLabel("Your password");
  await inOtherForm.fill(password);
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("staple battery horse");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your password is changed." })).toBeVisible();
  await expect(page.getByLabel("New token")).toHaveValue(token);
  await expect(inOtherForm).toHaveValue(password);
  await expect(page.getByLabel("Current password")).toHaveValue("");
  await expect(page.getByLabel("New password")).toHaveValue("");
  await expect(page.getByRole("button", { name: "Change password" })).toBeFocused();
});

test("an administrator's token has no extra rights: it deletes no post of others", async ({
  openBrowser,
  request,
}) => {
  const administrator = await signUp(await openBrowser(), "administrator");
  await makeAdministrator(mainServer, administrator);
  const author = await signUp(await openBrowser(), "author");
  const slug = await publish(author);
  const token = await makeToken(administrator.page, "a script", ["write"]);
  const headers = { Authorization: `Bearer ${token}` };
  expect((await request.delete(`/api/posts/${slug}`, { headers })).status()).toBe(403);
  expect((await administrator.page.request.delete(`/api/posts/${slug}`)).status()).toBe(200);
});

test("uses the token when a request has both a session and a token", async ({ page, openBrowser }) => {
  const person = await signUp(page);
  const slug = await publish(person);
  await rate(person, slug, 5);
  const other = await signUp(await openBrowser());
  const token = await makeToken(other.page, "a script");
  const send = (headers: Record<string, string> = {}) => page.request.get(`/api/posts/${slug}`, { headers });
  expect(await (await send()).json()).toMatchObject({ myScore: 5 });
  expect(await (await send({ Authorization: `bearer ${token}` })).json()).toMatchObject({ myScore: null });
  await expectBadToken(await send({ Authorization: "Bearer" }));
  await expectBadToken(await send({ Authorization: `Bearer ${token} and more` }));
  // Credentials for a proxy in front are not ours.
  expect(await (await send({ Authorization: "Basic YTpi" })).json()).toMatchObject({ myScore: 5 });
});

function rowOf(page: Page, name: string) {
  return page.getByRole("listitem").filter({ hasText: name });
}

async function expectBadToken(answer: APIResponse): Promise<void> {
  expect(answer.status()).toBe(401);
  expect(answer.headers()["www-authenticate"]).toBe('Bearer error="invalid_token"');
}
