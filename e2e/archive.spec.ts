/** An administrator imports an archive of another blog, and exports the site. */
import { readFileSync } from "node:fs";
import { filesIn } from "../testing/archive.ts";
import { newName, publish, signUp, signUpAdministrator } from "./people.ts";
import { expect, test } from "./test.ts";

test("an archive is checked, its authors are mapped, and its posts are imported once", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page, username } = administrator;
  const title = newName("Imported");
  const slug = title.toLowerCase();
  const post = { id: "1", title, slug, status: "published", html: "<p>Old <b>words</b>.</p>" };
  const data = {
    posts: [{ ...post, published_at: "2020-05-01T10:00:00.000Z", author_id: "1" }, { id: "2" }],
    users: [{ id: "1", slug: "jane-doe" }],
  };
  await page.goto("/admin/settings");
  await page.getByRole("link", { name: "Import and export" }).click();
  await page.getByLabel("File").setInputFiles({
    name: "ghost.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ db: [{ data }] })),
  });
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByRole("radio", { name: "Ghost" }).check();
  await page.getByRole("button", { name: "Check the archive" }).click();
  await expect(page.getByText("No account here is named jane-doe, as its author is.")).toBeVisible();
  await expect(page.getByText("2 problems")).toBeVisible();
  await page.getByLabel("jane-doe (1 post)").fill(username);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("1 post can be imported")).toBeVisible();
  expect((await page.request.get(`/posts/${slug}`)).status()).toBe(404);
  await page.getByRole("button", { name: "Import the posts" }).click();
  await expect(page.getByText("The import is done.")).toBeVisible();
  await expect(page.getByText("1 post imported")).toBeVisible();
  await page.getByRole("button", { name: "Import the posts" }).click();
  await expect(page.getByText("1 left out")).toBeVisible();
  await page.goto(`/posts/${slug}`);
  await expect(page.getByText("Old words.")).toBeVisible();
  await expect(page.locator("time").first()).toHaveAttribute("datetime", /^2020-05-01/);
});

test("the whole site is downloaded by administrators only", async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const other = await signUp(await openBrowser(server), "reader");
  const slug = await publish(other);
  for (const path of ["/admin/archive", "/site-export.zip", `/account-data.zip?of=${administrator.username}`])
    expect((await other.page.request.get(path)).status()).toBe(403);
  expect((await other.page.request.head("/admin/subscribers/export")).status()).toBe(403);
  const upload = {
    multipart: { archive: { name: "a.zip", mimeType: "application/zip", buffer: Buffer.from("x") } },
  };
  expect((await other.page.request.post("/admin/archive/uploads", upload)).status()).toBe(403);
  const { page } = administrator;
  const fromElsewhere = { headers: { "Sec-Fetch-Site": "cross-site" } };
  const ofPerson = `/account-data.zip?of=${other.username}`;
  for (const path of ["/site-export.zip", "/admin/subscribers/export", ofPerson])
    expect((await page.request.get(path, fromElsewhere)).status()).toBe(403);
  const downloads = ["/site-export.zip", "/admin/subscribers/export", "/api/subscribers/export", ofPerson];
  for (const path of downloads) {
    const head = await page.request.head(path);
    expect([head.status(), (await head.body()).length]).toEqual([200, 0]);
  }
  // A HEAD request downloads nothing, so no export is recorded.
  const ownChanges = async () => {
    const answer = await (await page.request.get("/api/account-changes")).json();
    return answer.items.filter(({ by }: { by: string | null }) => by === administrator.username);
  };
  expect(await ownChanges()).toEqual([]);
  await page.goto("/admin/archive");
  await page.getByLabel("With email addresses of users and subscribers").check();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the site" }).click(),
  ]);
  const files = await filesIn(readFileSync(await download.path()));
  expect([...files.keys()]).toContain(`posts/${new Date().getUTCFullYear()}/${slug}.md`);
  expect(files.get("users.json")).toContain(`${other.username}@example.org`);
  await page.goto("/admin/decisions");
  await expect(page.getByText("Downloaded the whole site").first()).toBeVisible();
  expect(await ownChanges()).toMatchObject([{ kind: "export-site-with-emails" }]);
});

test("an administrator downloads a person's data, and the download is logged", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const other = await signUp(await openBrowser(server), "reader");
  const slug = await publish(other);
  const { page } = administrator;
  await page.goto(`/admin/people/${other.username}`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the data" }).click(),
  ]);
  const files = await filesIn(readFileSync(await download.path()));
  expect([...files.keys()]).toContain(`posts/${new Date().getUTCFullYear()}/${slug}.md`);
  expect(JSON.parse(files.get("account.json") ?? "")).toMatchObject({ username: other.username });
  await page.goto("/admin/decisions");
  await expect(page.getByText(`Downloaded the data of ${other.username}`).first()).toBeVisible();
});
