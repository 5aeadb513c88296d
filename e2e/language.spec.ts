/** The reader's choices of language and colours, else the browser's. */
import { localeCookie } from "../lib/i18n/locale.ts";
import { postPath, publish, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("a Persian browser gets Persian pages from right to left, until its reader chooses English @without-javascript", async ({
  browser,
  faults,
  javaScriptEnabled,
  baseURL,
}) => {
  const context = await browser.newContext({
    locale: "fa-IR",
    javaScriptEnabled,
    ...(baseURL && { baseURL }),
  });
  faults.watch(context);
  const page = await context.newPage();
  await page.goto("/login?next=/how-scores-work");
  const html = page.locator("html");
  await expect(html).toHaveAttribute("lang", "fa");
  await expect(html).toHaveAttribute("dir", "rtl");
  await expect(page.getByRole("banner").getByRole("link", { name: "ثبت‌نام" })).toBeVisible();

  await page.getByRole("button", { name: "English" }).click();
  await expect(html).toHaveAttribute("lang", "en");
  await expect(html).toHaveAttribute("dir", "ltr");
  await expect(page).toHaveURL("/login?next=/how-scores-work");
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Register" })).toBeVisible();
  await page.getByRole("button", { name: "فارسی" }).click();
  await expect(html).toHaveAttribute("lang", "fa");
  await context.close();
});

test("a Persian page has a Persian date, and the API answers in English there", async ({ page, baseURL }) => {
  await page.context().addCookies([{ name: localeCookie, value: "fa", url: baseURL ?? "" }]);
  const slug = await publish(await signUp(page));
  await page.goto(postPath(slug));
  const time = page.getByRole("article").locator("time").first();
  const at = new Date((await time.getAttribute("datetime")) ?? "");
  const day = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  await expect(time).toHaveText(new Intl.DateTimeFormat("fa-u-ca-persian", day).format(at));
  const headers = { "Accept-Language": "fa" };
  for (const path of ["/api/posts/nothing-here/score", "/api/bookmarks?limit=x", "/api/nothing"]) {
    const { title, detail }: { title: string; detail: string } = await (
      await page.request.get(path, { headers })
    ).json();
    expect(`${title} ${detail}`).toMatch(/^[A-Za-z][^\u0600-\u06FF]+$/);
  }
});

test("an unknown language is refused, and other sites' pages lead to the front page", async ({ request }) => {
  const choose = (language: string, headers = {}) =>
    request.post("/language", { form: { language }, headers, maxRedirects: 0 });
  expect((await choose("de")).status()).toBe(422);
  const chosen = await choose("fa", { referer: "https://other.example//evil.example/" });
  expect(chosen.status()).toBe(303);
  expect(chosen.headers().location).toBe("/");
  expect(chosen.headers()["set-cookie"]).toContain("language=fa; Path=/");
});

test("a reader's choice of colours stays until the device's are chosen again @without-javascript", async ({
  page,
  request,
}) => {
  const body = page.locator("body");
  const [light, dark] = ["rgb(251, 250, 247)", "rgb(19, 24, 29)"];
  // The colour of the browser's own bars.
  const barColour = page.locator("meta[name=theme-color]");
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/login?next=/posts/new");
  await expect(body).toHaveCSS("background-color", light);
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(body).toHaveCSS("background-color", dark);
  await expect(page).toHaveURL("/login?next=/posts/new");
  await page.goto("/");
  await expect(body).toHaveCSS("background-color", dark);
  await expect(barColour).toHaveAttribute("content", "#13181d");
  await page.getByRole("button", { name: "Light" }).click();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(body).toHaveCSS("background-color", light);
  await page.getByRole("button", { name: "Same as this device" }).click();
  await expect(body).toHaveCSS("background-color", dark);
  await expect(barColour).toHaveCount(2);
  expect((await request.post("/theme", { form: { theme: "pink" }, maxRedirects: 0 })).status()).toBe(422);
});
