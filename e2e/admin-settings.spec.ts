/** An administrator changes the site's settings. */
import type { Locator } from "playwright/test";
import sharp from "sharp";
import { startSmtpServer } from "../testing/smtp-server.ts";
import { inDatabase, newName, password, publish, signUp, signUpAdministrator } from "./people.ts";
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
    page.getByText(
      /Too pale to read on the light backgrounds, of the page and of code: its contrast is 1\.\d, and text needs 4\.5/,
    ),
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
  expect(await visitor.evaluate(colourOfUtility)).toBe("rgb(138, 61, 10)");
  expect(await (await visitor.request.get("/feed.xml")).text()).toContain("<title>Still Water</title>");
  expect(await (await visitor.request.get("/manifest.webmanifest")).json()).toMatchObject({
    name: "Still Water",
    theme_color: "#8a3d0a",
  });

  await page.goto("/admin/settings");
  await page.getByLabel("Name", { exact: true }).fill(`Notes from the ${"long".repeat(9)} river`);
  await page.getByRole("button", { name: "Save the settings" }).click();
  await expect(page.getByText("The settings are saved.")).toBeVisible();
  await visitor.setViewportSize({ width: 375, height: 812 });
  await visitor.reload();
  await expect(visitor).toHaveTitle(/^Notes from/);
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);

  await page.goto("/admin/decisions");
  await expect(page.getByText("Changed settings of the site").first()).toBeVisible();
});

test("a change by another node shows without a restart", async ({ startServer }) => {
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
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page } = administrator;
  await page.goto("/admin/settings");
  await expect(page.getByText("From a file").last()).toBeVisible();
  await expect(page.getByText("Set on the server as SITE_NAME.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveCount(0);
  await expect(page.getByText("users cannot reset a forgotten password")).toBeVisible();
});

test("a logo and an icon take the place of the usual ones for visitors, until they are removed", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser }) => {
  const server = await startServer({ SITE_NAME: "Still Water" });
  const { page } = await signUp(await openBrowser(server), "administrator");
  const visitor = await openBrowser(server);
  const image = sharp({ create: { width: 600, height: 200, channels: 3, background: "#1d5f8c" } }).png();
  const file = { name: "logo.png", mimeType: "image/png", buffer: await image.toBuffer() };
  await visitor.goto("/");
  const home = visitor.getByRole("banner").getByRole("link", { name: "Still Water" });
  await expect(home.getByRole("img")).toHaveCount(0);

  await page.goto("/admin/settings");
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await page.getByLabel("Logo", { exact: true }).setInputFiles({ ...file, buffer: svg });
  await page.getByRole("button", { name: "Upload: Logo", exact: true }).click();
  await expect(page.getByText(/^This file cannot be used.*SVG/)).toBeVisible();
  for (const label of ["Logo", "Icon"]) {
    await page.getByLabel(label, { exact: true }).setInputFiles(file);
    await page.getByRole("button", { name: `Upload: ${label}`, exact: true }).click();
    await expect(page.getByRole("button", { name: `Remove: ${label}`, exact: true })).toBeVisible();
    await expect(page.getByText("The image is saved, and shown on all pages.")).toBeVisible();
  }

  // An administrator has the most links beside the logo.
  await page.setViewportSize({ width: 375, height: 800 });
  const banner = page.getByRole("banner");
  const links = await boxOf(banner.getByRole("link", { name: "Write" }));
  const { x, y, width, height } = await boxOf(banner.getByRole("img", { name: "Still Water" }));
  expect(x + width <= links.x || y + height <= links.y).toBe(true);
  expect(width).toBeGreaterThan(100);

  await visitor.reload();
  const logo = home.getByRole("img", { name: "Still Water" });
  await expect(logo).toHaveAttribute("width", "120");
  await expect
    .poll(() => logo.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
  const icon = await visitor.locator('link[rel="icon"]').getAttribute("href");
  expect(icon).toMatch(/^\/media\/[a-z0-9]{25}-48x48\.png$/);
  const touch = await visitor.locator('link[rel="apple-touch-icon"]').getAttribute("href");
  const manifest = await (await visitor.request.get("/manifest.webmanifest")).json();
  const paths = [icon, touch, ...manifest.icons.map(({ src }: { src: string }) => src)];
  expect(paths).toHaveLength(5);
  for (const path of [...paths, "/favicon.ico", "/apple-touch-icon.png"]) {
    const answer = await visitor.request.get(String(path));
    expect([path, answer.status(), answer.headers()["content-type"]]).toEqual([path, 200, "image/png"]);
  }
  expect(await (await visitor.request.get("/feed.xml")).text()).toContain(`${icon}</icon>`);

  for (const label of ["Logo", "Icon"]) {
    await page.getByRole("button", { name: `Remove: ${label}`, exact: true }).click();
    await expect(page.getByText("The image is removed.")).toBeVisible();
    await expect(page.getByRole("button", { name: `Remove: ${label}`, exact: true })).toHaveCount(0);
  }
  await visitor.reload();
  await expect(home).toBeVisible();
  await expect(home.getByRole("img")).toHaveCount(0);
  await expect(visitor.locator('link[rel="icon"]')).toHaveAttribute("href", "/icon.svg");
  expect((await visitor.request.get(String(icon))).status()).toBe(404);
});

test("a mail server entered on the page sends at once, is never shown again, and can be removed", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser }) => {
  const mail = await startSmtpServer({ credentials: { user: "blog", password: "not-on-the-page" } });
  try {
    const server = await startServer({ SITE_URL: "https://blog.example.org" });
    const { page, username } = await signUp(await openBrowser(server), "administrator");
    const section = page.locator("#mail");
    const save = async (currentPassword = password) => {
      await section.getByLabel("Your password").fill(currentPassword);
      await section.getByRole("button", { name: "Save the email settings" }).click();
    };
    await page.goto("/admin/settings");
    await expect(section.getByText("users cannot reset a forgotten password")).toBeVisible();
    await section.getByLabel("Mail server").fill(`${mail.url}?pool=true`);
    await save();
    await expect(section.getByText("This is not the address of a mail server.")).toBeVisible();
    expect(await page.content()).not.toContain("not-on-the-page");

    await section.getByLabel("Mail server").fill(mail.url);
    await section.getByLabel("Sender of emails").fill("The Weir <blog@weir.example>");
    await save("not the password");
    await expect(section.getByText("This is not your password.")).toBeVisible();
    expect(await page.content()).not.toContain("not-on-the-page");
    const sent = { MAIL_URL: "smtp://mail.example.org", MAIL_FROM: "blog@weir.example" };
    const byApi = (data: object) => page.request.patch("/api/settings", { data });
    expect((await byApi(sent)).status()).toBe(422);
    expect((await byApi({ ...sent, currentPassword: "not it" })).status()).toBe(422);
    await expect(section.getByLabel("Sender of emails")).toHaveValue("The Weir <blog@weir.example>");
    expect((await byApi({ ...sent, currentPassword: password })).status()).toBe(200);
    await page.goto("/admin/settings");
    await expect(section.getByText("through the mail server mail.example.org")).toBeVisible();
    await section.getByLabel("Mail server", { exact: true }).fill(mail.url);
    await section.getByLabel("Sender of emails").fill("The Weir <blog@weir.example>");
    await save();
    await expect(page.getByText("The settings are saved.")).toBeVisible();
    await expect(section.getByText("through the mail server 127.0.0.1")).toBeVisible();
    await expect(section.getByLabel("Mail server", { exact: true })).toHaveValue("");
    expect(await page.content()).not.toContain("not-on-the-page");
    const answer = await page.request.get("/api/settings");
    expect(await answer.json()).toMatchObject({ MAIL_FROM: { value: "The Weir <blog@weir.example>" } });
    expect(await answer.text()).not.toMatch(/not-on-the-page|MAIL_URL/);

    await section.getByLabel("Sender of emails").fill("blog@weir.example");
    await save();
    await expect(section.getByText("emails come from blog@weir.example,")).toBeVisible();
    await section.getByRole("button", { name: "Send me a test email" }).click();
    await expect
      .poll(() => mail.mails.map(({ recipients }) => recipients[0]))
      .toEqual([`${username}@example.org`]);
    await page.goto("/");
    await expect(page.getByRole("link", { name: "New posts by email" })).toBeVisible();

    await page.goto("/admin/settings");
    await section.getByRole("checkbox", { name: /^Remove the saved mail server/ }).check();
    await save();
    await expect(section.getByText("the mail server is missing")).toBeVisible();
  } finally {
    await mail.stop();
  }
});

test("an administrator sees which mail server is set up, and sends a test email", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser }) => {
  const mail = await startSmtpServer({ credentials: { user: "blog", password: "not-on-the-page" } });
  try {
    const MAIL_FROM = "The Weir <blog@weir.example>";
    const server = await startServer({ MAIL_URL: mail.url, MAIL_FROM });
    const { page, username } = await signUp(await openBrowser(server), "administrator");
    await page.goto("/admin/settings");
    const section = page.locator("#mail");
    await expect(section.getByText("through the mail server 127.0.0.1")).toBeVisible();
    expect(await page.content()).not.toContain("not-on-the-page");
    await section.getByRole("button", { name: "Send me a test email" }).click();
    await expect(section.getByText(/^Your test email of|^The mail server took/)).toBeVisible();
    await expect
      .poll(() => mail.mails.map(({ recipients }) => recipients[0]))
      .toEqual([`${username}@example.org`]);
    await expect
      .poll(async () => {
        await page.goto("/admin/settings");
        return section.getByText("The mail server took your last test email").isVisible();
      })
      .toBe(true);
  } finally {
    await mail.stop();
  }
});

/** Runs in the page: the colour of a Tailwind class. */
function colourOfUtility(): string {
  const probe = document.createElement("span");
  probe.className = "text-water";
  document.body.append(probe);
  return getComputedStyle(probe).color;
}

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (!box) throw new Error("The element is not visible.");
  return box;
}
