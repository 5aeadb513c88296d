/** A site where not everyone may write. */
import { makeAdministrator, newName, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("a reader can write after requesting it and an administrator's acceptance", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer({ WHO_MAY_WRITE: "approved" });
  const administrator = await signUp(await openBrowser(server), "keeper");
  await makeAdministrator(server, administrator);
  const reader = await signUp(await openBrowser(server), "reader");
  const { page } = reader;

  const data = { title: "A post", content: "Some words." };
  const refused = await page.request.post("/api/posts", { data });
  expect(refused.status()).toBe(403);
  expect(await refused.json()).toMatchObject({ status: 403, detail: /may read and rate but not publish/ });

  await page.goto("/");
  await page.getByRole("link", { name: "Ask to write" }).click();
  await expect(page.getByText("An administrator of this site decides who writes here.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Content" })).toHaveCount(0);
  await page.getByRole("button", { name: "Ask to write" }).click();
  await expect(page.getByText(/^You asked to write on/)).toBeVisible();

  await administrator.page.goto("/admin");
  await expect(administrator.page.getByRole("heading", { name: "Requests to write" })).toBeVisible();
  await administrator.page.getByRole("link", { name: "See who" }).click();
  const requests = administrator.page.locator("#writers");
  await requests.getByRole("button", { name: `Make a writer of ${reader.username}` }).click();
  await expect(requests.getByText("This person can write now.")).toBeVisible();

  await page.goto("/");
  await page.getByRole("link", { name: "Write", exact: true }).click();
  await page.getByRole("textbox", { name: "Title" }).fill(newName("First"));
  await page.getByRole("textbox", { name: "Content" }).fill("Some words.");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Your post is published")).toBeVisible();
});

test("an invitation lets a reader with an account write, once", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer({ WHO_MAY_WRITE: "invited" });
  const administrator = await signUp(await openBrowser(server), "keeper");
  await makeAdministrator(server, administrator);
  const { page } = await signUp(await openBrowser(server), "reader");
  await page.goto("/posts/new");
  await expect(page.getByText("Writing here is by invitation.")).toBeVisible();
  await expect(page.getByRole("link", { name: /write/i })).toHaveCount(0);

  await administrator.page.goto("/admin/people");
  const section = administrator.page.locator("#new-accounts");
  await section.getByLabel("Note").fill("For a reader");
  await section.getByLabel("The person may").selectOption("Read, rate and write");
  await section.getByRole("button", { name: "Create invitation" }).click();
  const link = await administrator.page.getByLabel("New invitation").inputValue();

  const visitor = await openBrowser(server);
  await visitor.goto(link);
  await expect(visitor.getByText("You are invited to write here.")).toBeVisible();
  await page.goto(link);
  await page.getByRole("button", { name: "Accept the invitation" }).click();
  await expect(page.getByRole("textbox", { name: "Content" })).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText("or register without it to read and rate.")).toBeVisible();
  await expect(visitor.getByRole("button", { name: "Create account" })).toBeVisible();
});
