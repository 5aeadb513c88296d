/** An administrator changes the site's settings. */
import { inDatabase, makeAdministrator, newName, publish, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("settings take effect immediately for visitors, and a bad one is explained with nothing saved", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser }) => {
  const server = await startServer();
  const { page } = await signUp(await openBrowser(server), "administrator");
  const visitor = await openBrowser(server);
  const content = "The first words of this post.";
  await publish({ page, username: "" }, { title: newName("Water"), content });
  await visitor.goto("/");
  await expect(visitor).toHaveTitle("Weir");
  await expect(visitor.getByText(content)).toBeVisible();

  await page.goto("/admin/settings");
  await page.getByLabel("Name", { exact: true }).fill("Still Water");
  await page.getByLabel("Line under the name").fill("Posts about ponds.");
  await page.getByLabel("Home page").selectOption("Titles only");
  await page
    .getByLabel("Links at the foot of each page")
    .fill("About us /how-scores-work\nSource https://example.org/");
  await page.getByLabel("Colour of links and scores in the light theme").fill("#eeaa77");
  await page.getByLabel("Who may register").selectOption("No one");
  await page.getByRole("button", { name: "Save the settings" }).click();
  await expect(
    page.getByText(/Too pale to read on the light background: its contrast is 1\.\d, and text needs 4\.5/),
  ).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Still Water");
  await visitor.reload();
  await expect(visitor).toHaveTitle("Weir");

  await page.getByLabel("Colour of links and scores in the light theme").fill("#8a3d0a");
  await page.getByRole("button", { name: "Save the settings" }).click();
  await expect(page.getByText("The settings are saved.")).toBeVisible();
  await expect(page.getByLabel("Who may register")).toHaveValue("closed");
  await visitor.reload();
  await expect(visitor).toHaveTitle("Still Water");
  await expect(visitor.getByRole("heading", { name: "Posts about ponds." })).toBeVisible();
  await expect(visitor.getByText(content)).toHaveCount(0);
  await expect(visitor.getByRole("link", { name: "Register" })).toHaveCount(0);
  const about = visitor.getByRole("link", { name: "About us" });
  await expect(about).toHaveAttribute("href", "/how-scores-work");
  await expect(about).toHaveCSS("color", "rgb(138, 61, 10)");
  expect(await (await visitor.request.get("/feed.xml")).text()).toContain("<title>Still Water</title>");
  expect(await (await visitor.request.get("/manifest.webmanifest")).json()).toMatchObject({
    name: "Still Water",
    theme_color: "#8a3d0a",
  });

  await page.goto("/admin/decisions");
  await expect(page.getByText("Changed settings of the site")).toBeVisible();
});

test("a change by another node shows within a second", async ({ startServer }) => {
  const server = await startServer();
  const titleOf = async () => /<title>([^<]*)/.exec(await (await fetch(server.origin)).text())?.[1];
  expect(await titleOf()).toBe("Weir");
  await inDatabase(server, ({ siteSettings, transaction }) =>
    transaction(() => siteSettings.save(new Map([["SITE_NAME", "Still Water"]]))),
  );
  await expect.poll(titleOf).toBe("Still Water");
});

test("settings of the environment are shown read-only", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer({ SITE_NAME: "From a file", MAIL_URL: "", REGISTRATION: "open" });
  const administrator = await signUp(await openBrowser(server), "administrator");
  await makeAdministrator(server, administrator);
  const { page } = administrator;
  await page.goto("/admin/settings");
  await expect(page.getByText("From a file").last()).toBeVisible();
  await expect(page.getByText("Set on the server as SITE_NAME.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveCount(0);
  await expect(page.getByText("users cannot reset a forgotten password")).toBeVisible();
});
