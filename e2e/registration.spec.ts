/** Registering from a form: its challenge, with JavaScript and without. */
import { newName, password } from "./people.ts";
import { expect, test } from "./test.ts";

test("without JavaScript a form that is sent too early keeps what was typed and says when to try again", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser, javaScriptEnabled }) => {
  const page = await openBrowser(await sharedServer({ REGISTRATION_WAIT_SECONDS: "600" }));
  await page.goto("/register");
  const username = newName("early");
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  if (javaScriptEnabled) {
    // The browser solves the challenge instead.
    await expect(page.getByRole("link", { name: `Your account, ${username}` })).toBeVisible();
    return;
  }
  await expect(page.getByRole("status").filter({ hasText: "That was quick." })).toBeVisible();
  await expect(page.getByText(/^You can try again in \d+ minutes\.$/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Username" })).toHaveValue(username);
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(`${username}@example.org`);
});

test("a form whose challenge was used works when its button is pressed once more", async ({
  page,
  openBrowser,
}) => {
  const fill = async (username: string) => {
    await page.getByRole("textbox", { name: "Username" }).fill(username);
    await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
    await page.getByLabel("Password").fill(password);
  };
  const challenge = page.locator("input[name=challenge]");
  const solution = page.locator("input[name=solution]");
  await page.goto("/register");
  await expect(solution).toHaveValue(/counter/);
  const spender = await openBrowser();
  const name = newName("spender");
  const answer = await spender.request.post("/api/users", {
    data: {
      username: name,
      email: `${name}@example.org`,
      password,
      challenge: JSON.parse(await challenge.inputValue()),
      solution: JSON.parse(await solution.inputValue()),
    },
  });
  expect(answer.status()).toBe(201);
  const username = newName("again");
  await fill(username);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("status").filter({ hasText: "This form was open for too long" })).toBeVisible();
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("link", { name: `Your account, ${username}` })).toBeVisible();
});
