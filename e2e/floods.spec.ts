/** Floods held in windows: authors' requests, and the decisions on them. */
import type { Page } from "@playwright/test";
import { hourMs, ratePast } from "./past-ratings.ts";
import {
  makeAdministrator,
  makeModerator,
  newName,
  type Person,
  postPath,
  publish,
  signUp,
} from "./people.ts";
import { expect, test } from "./test.ts";

const usual = 60;
const zeros = 40;

interface Flooded {
  slug: string;
  title: string;
  administrator: Person;
  moderator: Person;
  author: Person;
  open: () => Promise<Page>;
}

/** A blog with a post liked by 60 people in ten hours, then given 40 zeros in 20 s. */
const flooded = test.extend<{ blog: Flooded }>({
  blog: async ({ sharedServer, openBrowser }, use) => {
    const server = await sharedServer({ RATING_OVERFLOW: "hold" });
    const administrator = await signUp(await openBrowser(server), "administrator");
    await makeAdministrator(server, administrator);
    const moderator = await signUp(await openBrowser(server), "moderator");
    await makeModerator(server, moderator);
    const author = await signUp(await openBrowser(server), "author");
    const title = newName("Flooded");
    const slug = await publish(author, { title });
    await ratePast(server, slug, [
      { scores: [3, 4, 5], count: usual, agoMs: 12 * hourMs, everyMs: hourMs / 6 },
      { scores: [0], count: zeros, agoMs: 1.5 * hourMs, everyMs: 500 },
    ]);
    await use({ slug, title, administrator, moderator, author, open: () => openBrowser(server) });
  },
});

flooded(
  "an author requests a review, and a moderator decides in view of all readers",
  { tag: "@without-javascript" },
  async ({ blog }) => {
    const { author, moderator, slug, title } = blog;
    const { page } = author;
    await page.goto(activityPath(slug));
    const window = windowOf(page);
    await expect(window.getByRole("button", { name: "Exclude" })).toHaveCount(0);
    await window.getByText("Ask for a review").first().click();
    const send = window.getByRole("button", { name: "Ask for a review" });
    await send.click();
    const reason = window.getByRole("textbox", { name: "Reason" });
    await expect(reason).toHaveAccessibleDescription(/^Say why in a sentence\./);
    await reason.fill("A channel called for zeros.");
    await send.click();
    await expect(window).toContainText(/You requested a review on .*A channel called for zeros\./);
    await expect(send).toHaveCount(0);

    await moderator.page.goto("/");
    await moderator.page.getByRole("link", { name: "Moderation", exact: true }).click();
    await expect(moderator.page.getByRole("heading", { level: 2 })).toHaveText([
      "Requests for a review",
      "Held",
    ]);
    const request = moderator.page.getByRole("listitem", { name: `${title}, flood 1` });
    await expect(request).toContainText("40 ratings held");
    await expect(request).toContainText("Average: 4.00 without it, 2.40 with it.");
    await expect(request).toContainText(/, the author, on .*A channel called for zeros\./);
    await request.getByRole("textbox", { name: "Why" }).fill("It did, at noon.");
    await request.getByRole("button", { name: "Exclude" }).click();
    await expect(windowOf(moderator.page).getByRole("heading")).toHaveText("Flood 1: 40 ratings excluded");
    await moderator.page.goto("/admin");
    await expect(request).toHaveCount(0);

    const reader = await blog.open();
    await reader.goto(postPath(slug));
    await expect(reader.getByRole("region", { name: "Score" })).toContainText(
      "40 ratings were excluded by a moderator.",
    );
    await expect(
      reader.getByRole("list", { name: "Decisions about unusual activity" }).getByRole("listitem"),
    ).toHaveText([
      new RegExp(
        `^40 ratings of .* were excluded by ${moderator.username}, a moderator, on .*: It did, at noon\\.$`,
      ),
    ]);
  },
);

flooded(
  "a moderator excludes a flood with a reason, and includes it again",
  { tag: "@without-javascript" },
  async ({ blog }) => {
    const { moderator, slug, title } = blog;
    const { page } = moderator;
    await page.goto(activityPath(slug));
    const window = windowOf(page);
    await expect(window.getByRole("heading")).toHaveText("Flood 1: 40 ratings held");
    await expect(window).toContainText("(19.5 s)");
    await expect(window).toContainText(
      /There is no decision yet\. It counts automatically from .*:\d\d, unless a person decides before\./,
    );
    await expect(window).toContainText(/like the 60 without it, 100 in 100 of its ratings/);
    await expect(window).toContainText("Average: 4.00 without it, 2.40 with it.");
    await expect(window.getByRole("row").nth(1)).toHaveText("This flood4000000");
    await expect(page.getByText(/^\d+ held$/)).toBeVisible();
    await expect(
      page.getByRole("img", { name: "Accepted, held and refused ratings over time" }),
    ).toBeVisible();
    await expect(
      page.getByRole("region", { name: "The latest tries" }).getByRole("cell", { name: "held" }),
    ).not.toHaveCount(0);

    await window.getByRole("button", { name: "Exclude" }).click();
    const why = window.getByRole("textbox", { name: "Why" });
    await expect(why).toHaveAccessibleDescription(/^Say why in a sentence\./);
    await expect(why).toHaveAttribute("aria-invalid", "true");
    await why.fill("x".repeat(501));
    await window.getByRole("button", { name: "Exclude" }).click();
    await expect(why).toHaveAccessibleDescription(/^Reason must have at most 500 characters\./);
    await expect(why).toHaveValue("x".repeat(501));
    await expect(page.getByRole("region", { name: "Decisions about floods" })).toHaveCount(0);

    await why.fill("A channel called for zeros.");
    await window.getByRole("button", { name: "Exclude" }).click();
    await expect(page).toHaveURL(/\?decided=1\.[\w.-]+&before=2#window-1$/);
    await expect(window.getByRole("status").first()).toHaveText("Its ratings do not count now.");
    await expect(window.getByRole("heading")).toHaveText("Flood 1: 40 ratings excluded");
    await expect(window).toContainText(`Excluded by ${moderator.username} on`);
    await expect(logRows(page)).toHaveText([
      /WhenFloodDecisionByWhyRatings/,
      new RegExp(`1excluded${moderator.username}A channel called for zeros\\.40`),
    ]);
    await expect(await scoreOf(page, slug)).toMatchObject({ count: usual, average: 4 });

    await window.getByText("A closer look, or include it").click();
    await expect(window.getByRole("button", { name: "Exclude" })).toHaveCount(0);
    await window.getByRole("button", { name: "Include" }).click();
    await expect(why).toBeVisible();
    await expect(why).toHaveAccessibleDescription(/^Say why in a sentence\./);
    await window.getByRole("textbox", { name: "Why" }).fill("They were my readers after all.");
    await window.getByRole("button", { name: "Include" }).click();
    await expect(window.getByRole("heading")).toHaveText("Flood 1: 40 ratings counted");
    await expect(window.getByRole("status").first()).toHaveText("Its ratings count now.");
    await expect(logRows(page)).toHaveText([
      /Why/,
      /counted.*They were my readers after all\.40/,
      /excluded/,
    ]);
    await expect(await scoreOf(page, slug)).toMatchObject({ count: usual + zeros, average: 2.4 });
    await page.getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  },
);

flooded("a second decision on the same flood changes nothing and says why", async ({ blog }) => {
  const { moderator, administrator, slug } = blog;
  for (const { page } of [moderator, administrator]) await page.goto(activityPath(slug));
  await decide(moderator.page, "Include", "All mine.");
  await expect(windowOf(moderator.page).getByRole("heading")).toHaveText("Flood 1: 40 ratings counted");

  await decide(administrator.page, "Exclude", "A raid.");
  const stale = windowOf(administrator.page);
  await expect(stale.getByRole("status").first()).toHaveText(
    "A decision on this flood had been made already: nothing was changed. Look again.",
  );
  await expect(stale.getByRole("heading")).toHaveText("Flood 1: 40 ratings counted");
  await expect(logRows(administrator.page)).toHaveText([/Why/, /All mine\./]);
  expect(await scoreOf(administrator.page, slug)).toMatchObject({ count: usual + zeros });

  // Having looked again, they may.
  await decide(administrator.page, "Exclude", "A raid.");
  await expect(stale.getByRole("heading")).toHaveText("Flood 1: 40 ratings excluded");
  await expect(logRows(administrator.page)).toHaveText([
    /Why/,
    new RegExp(`excluded${administrator.username}A raid\\.`),
    /All mine\./,
  ]);
});

flooded("shows an administrator the undecided floods first", async ({ blog }) => {
  const { administrator, author, slug, title } = blog;
  const { page } = administrator;
  await page.goto("/");
  await page.getByRole("link", { name: "Admin", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("Held");
  const inList = (name: string) =>
    page
      .locator("section", { has: page.getByRole("heading", { name, exact: true }) })
      .getByRole("listitem")
      .filter({ hasText: title });
  await expect(inList("Held")).toContainText(`${title}${author.username} · flood 1`);
  await expect(inList("Held")).toContainText(/Held until .*40ratings$/);
  await page.getByRole("link", { name: title }).click();
  await expect(page).toHaveURL(`${activityPath(slug)}?before=2#window-1`);
  await expect(page.getByRole("link", { name: "Try other limits" })).toHaveCount(0);
  await decide(page, "Exclude", "A raid.");
  await expect(windowOf(page).getByRole("heading")).toHaveText("Flood 1: 40 ratings excluded");
  await page.goto("/admin");
  await expect(inList("Held")).toHaveCount(0);
  await page.getByRole("link", { name: "Decisions", exact: true }).click();
  await expect(inList("Excluded")).toHaveCount(1);
});

flooded(
  "hides floods from all users but the author, administrators and moderators",
  async ({ blog, faults }) => {
    const { author, slug } = blog;
    const stranger = await blog.open();
    for (const path of ["/admin", activityPath(slug)]) {
      await stranger.goto(path);
      await expect(stranger).toHaveURL(`/login?next=${encodeURIComponent(path)}`);
    }
    const other = await signUp(stranger);
    faults.expectStatus(403);
    for (const [{ page }, path] of [
      [other, activityPath(slug)],
      [other, "/admin"],
      [author, "/admin"],
    ] as const) {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(403);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("You don’t have access to this page.");
      await expect(page.getByRole("link", { name: "Admin", exact: true })).toHaveCount(0);
      await expect(page.getByText("Flood 1")).toHaveCount(0);
    }
  },
);

flooded(
  "a decision that was made up is refused, and changes nothing",
  { tag: "@without-javascript" },
  async ({ blog, javaScriptEnabled }) => {
    test.skip(javaScriptEnabled, "what is sent is the same");
    const { author, moderator, slug } = blog;
    const stranger = await signUp(await blog.open());
    const { page } = moderator;
    await page.goto(activityPath(slug));
    const fields = await windowOf(page)
      .locator("form input")
      .evaluateAll((inputs) =>
        inputs.map((input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""]),
      );
    const bound = fields.find(([, value = ""]) => value.startsWith(`["${slug}"`))?.[0] ?? "";
    expect(bound).not.toBe("");
    const good = { ...Object.fromEntries(fields), status: "excluded", why: "A raid." };
    const send = async (form: Record<string, string>, { page }: Person = moderator) => {
      const answer = await page.request.post(activityPath(slug), { multipart: form, maxRedirects: 0 });
      return answer.status();
    };
    for (const number of ['"x"', "1e9", "-1", "0", "1.5", "2", "null", "[1]", "{}", '"1"', "1e300"])
      expect(await send({ ...good, [bound]: `["${slug}",${number}]` }), number).toBe(404);
    expect(await send({ ...good, [bound]: '["nowhere",1]' })).toBe(303);
    expect(await send(good, stranger)).toBe(303);
    expect((await stranger.page.request.get(activityPath(slug))).status()).toBe(403);
    expect(await send(good, author)).toBe(303);
    for (const wrong of [{ status: "held" }, { status: "" }, { after: "soon" }, { why: " " }])
      expect(await send({ ...good, ...wrong }), JSON.stringify(wrong)).toBe(200);
    await page.reload();
    await expect(windowOf(page).getByRole("heading")).toHaveText("Flood 1: 40 ratings held");
    await expect(page.getByRole("region", { name: "Decisions about floods" })).toHaveCount(0);
    expect(await send(good)).toBe(303);
    await page.reload();
    await expect(windowOf(page).getByRole("heading")).toHaveText("Flood 1: 40 ratings excluded");
  },
);

function activityPath(slug: string): string {
  return `${postPath(slug)}/activity`;
}

function windowOf(page: Page, number = 1) {
  return page.getByRole("article", { name: `Flood ${number}` });
}

function logRows(page: Page) {
  return page.getByRole("region", { name: "Decisions about floods" }).getByRole("row");
}

async function decide(page: Page, button: "Include" | "Exclude", why: string): Promise<void> {
  const window = windowOf(page);
  await window.getByRole("textbox", { name: "Why" }).fill(why);
  await window.getByRole("button", { name: button }).click();
}

async function scoreOf(page: Page, slug: string): Promise<unknown> {
  return (await page.request.get(`/api/posts/${slug}/score`)).json();
}
