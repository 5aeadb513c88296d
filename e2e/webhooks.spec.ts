/** An administrator adds a webhook, tests it, sees its deliveries, removes it. */
import { startWebhookReceiver } from "../testing/webhook-receiver.ts";
import { newName, publish, signUpAdministrator } from "./people.ts";
import { expect, test } from "./test.ts";

test("an added webhook gets a test and published posts, and none once it is off", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser, javaScriptEnabled }) => {
  const program = await startWebhookReceiver(204);
  const server = await sharedServer({ WEBHOOK_PRIVATE_ADDRESSES: "allow" });
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page } = administrator;
  const url = `${program.url}?${newName("hook")}`;
  const types = () => program.received.map(({ body }) => JSON.parse(body).type);
  await page.goto("/admin/webhooks");
  await page.getByRole("textbox", { name: "Address" }).fill("example.org");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByText("Write an address that begins with https://")).toBeVisible();
  await expect(page.getByText("Choose at least one event.")).toBeVisible();
  await page.getByRole("textbox", { name: "Address" }).fill(url);
  await page.getByLabel("Published posts").check();
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByLabel("Secret")).toHaveValue(/^whsec_/);
  await page.getByRole("link", { name: "Done" }).click();

  const item = page.getByRole("listitem").filter({ hasText: url });
  await item.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("A test is on its way.")).toBeVisible();
  await expect.poll(types).toEqual(["webhook.test"]);
  await publish(administrator);
  await expect.poll(types).toEqual(["webhook.test", "post.published"]);
  await page.goto("/privacy");
  await expect(page.getByText("Messages to other programs")).toBeVisible();
  await page.goto("/admin/webhooks");
  await expect(item.getByText("HTTP 204")).toBeVisible();
  await item.getByText("Change address and events").click();
  await item.getByLabel("Floods of ratings").check();
  await item.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The webhook is saved.")).toBeVisible();
  await expect(item.getByText("post.published and flood.opened")).toBeVisible();
  await item.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("The webhook is off.")).toBeVisible();
  // Enter that is still held must not press another button.
  if (javaScriptEnabled) await expect(item.locator("form:focus")).toHaveCount(1);
  await publish(administrator);
  // Messages are listed from the moment when the post is saved.
  await item.getByRole("link", { name: /^Deliveries/ }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "msg_" })).toHaveCount(2);
  await page.goto("/admin/webhooks");
  await item.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("The webhook is removed.")).toBeVisible();
  await expect(item).toHaveCount(0);
  expect(types()).toHaveLength(2);
  await program.stop();
});

test("the deliveries of a webhook show each failure and its reason, and queued ones are sent on request", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser }) => {
  const program = await startWebhookReceiver(500, 500, 204);
  const server = await sharedServer({ WEBHOOK_PRIVATE_ADDRESSES: "allow" });
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page } = administrator;
  const url = `${program.url}?${newName("hook")}`;
  const data = { url, events: ["post.published"] };
  const { id } = await (await page.request.post("/api/webhooks", { data })).json();
  await page.goto("/admin/webhooks");
  const item = page.getByRole("listitem").filter({ hasText: url });
  await item.getByRole("link", { name: /^Deliveries/ }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/webhooks/${id}$`));
  await expect(page.getByText("Nothing was sent to it within the last week")).toBeVisible();
  await page.getByRole("link", { name: "Send a test" }).click();
  await item.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("A test is on its way.")).toBeVisible();
  await item.getByRole("link", { name: /^Deliveries/ }).click();
  const delivery = page.getByRole("listitem").filter({ hasText: "msg_" });
  // The first attempt and the one after five seconds fail.
  await expect(async () => {
    await page.reload();
    await expect(delivery).toContainText("2 attempts", { timeout: 500 });
  }).toPass();
  await expect(delivery).toContainText("Waiting");
  await expect(delivery).toContainText("Last attempt: the other program answered with an error (HTTP 500)");
  await expect(delivery).toContainText("Next attempt:");
  await page.getByRole("button", { name: "Send waiting messages now" }).click();
  await expect(page.getByText("The waiting messages are on their way.")).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(delivery).toContainText("Delivered", { timeout: 500 });
  }).toPass();
  await expect(delivery).toContainText("3 attempts");
  await expect(page.getByRole("button", { name: "Send waiting messages now" })).toHaveCount(0);
  await program.stop();
});
