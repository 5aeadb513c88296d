/** An administrator disables many accounts after a preview, and enables them. */
import { makeAdministrator, publish, rate, signUp } from "./people.ts";
import { expect, mainServer, test } from "./test.ts";

test("disables accounts by name after their number is shown, and enables them again", {
  tag: "@without-javascript",
}, async ({ openBrowser, request, faults }) => {
  const administrator = await signUp(await openBrowser(), "administrator");
  await makeAdministrator(mainServer, administrator);
  const { page } = administrator;
  const slug = await publish(administrator);
  const raiders = [await signUp(await openBrowser(), "raider"), await signUp(await openBrowser(), "raider")];
  for (const raider of raiders) await rate(raider, slug, 0);
  const names = raiders.map(({ username }) => username);

  await page.goto("/admin/people");
  await page.getByRole("link", { name: "Disable or enable many accounts" }).click();
  await page.getByRole("textbox", { name: "Usernames" }).fill([...names, "nobody-here"].join("\n"));
  await page.getByRole("textbox", { name: "Reason" }).fill("A raid.");
  await page.getByRole("button", { name: "See what disabling would change" }).click();
  await expect(page.getByText("There is no user nobody-here.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveValue("A raid.");

  await page.getByRole("textbox", { name: "Usernames" }).fill([...names, administrator.username].join("\n"));
  await page.getByRole("button", { name: "See what disabling would change" }).click();
  await expect(page.getByText(`2 accounts would be disabled: ${names.join(", ")}.`)).toBeVisible();
  await expect(page.getByText("2 ratings of 1 post would leave the scores.")).toBeVisible();
  await expect(page.getByText("administrators cannot be disabled or enabled until")).toBeVisible();
  await page.getByRole("button", { name: "Disable 2 accounts" }).click();
  await expect(page.getByText("2 accounts are disabled.")).toBeVisible();
  const count = async () => (await (await request.get(`/api/posts/${slug}/score`)).json()).count;
  await expect.poll(count).toBe(0);

  await page.goto("/admin/accounts");
  await page.getByRole("textbox", { name: "Usernames" }).fill(names.join("\n"));
  await page.getByRole("textbox", { name: "Reason" }).fill("A mistake.");
  await page.getByRole("button", { name: "See what enabling would change" }).click();
  await page.getByRole("button", { name: "Enable 2 accounts" }).click();
  await expect(page.getByText("2 accounts are enabled.")).toBeVisible();
  await expect.poll(count).toBe(2);

  const changes = await (await page.request.get("/api/account-changes")).json();
  const change = { by: administrator.username, accounts: 2, usernames: names, ratings: 2 };
  // Other tests change accounts on this server at the same time.
  const own = changes.items.filter(({ by }: { by: string }) => by === administrator.username);
  expect(own).toMatchObject([
    { ...change, kind: "enable", why: "A mistake." },
    { ...change, kind: "disable", why: "A raid." },
  ]);
  expect(changes.replays).toMatchObject({ posts: expect.any(Number), ratings: expect.any(Number) });
  const older = await page.request.get("/api/account-changes?cursor=1");
  expect(await older.json()).toMatchObject({ items: [], nextCursor: null });
  faults.expectStatus(422);
  expect((await page.request.get("/api/account-changes?cursor=x")).status()).toBe(422);
});

test("is for administrators only", async ({ openBrowser, faults }) => {
  const user = await signUp(await openBrowser());
  faults.expectStatus(403);
  expect((await user.page.goto("/admin/accounts"))?.status()).toBe(403);
  const answer = await user.page.request.post("/api/account-changes", {
    data: { disabled: true, why: "A raid.", usernames: [user.username] },
  });
  expect(answer.status()).toBe(403);
  expect((await user.page.request.get("/api/account-changes")).status()).toBe(403);
});
