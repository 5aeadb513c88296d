/** Floods held in windows: authors' requests, and the decisions on them. */
import type { Locator, Page } from "playwright/test";
import type { Database } from "../db/index.ts";
import { localeCookie } from "../lib/i18n/locale.ts";
import { chooseMails } from "../lib/mail/choices.ts";
import { queueFloodMails } from "../lib/mail/flood-mails.ts";
import { sendDueMails } from "../lib/mail/sender.ts";
import { undecidedMailer } from "../lib/mail/undecided-mails.ts";
import { withdrawRating } from "../lib/ratings/index.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { dayMs, hourMs } from "../lib/time/units.ts";
import { mailSettings } from "../testing/mail-settings.ts";
import { startSmtpServer } from "../testing/smtp-server.ts";
import { ratePast } from "./past-ratings.ts";
import {
  inDatabase,
  makeAdministrator,
  makeModerator,
  newName,
  type Person,
  postPath,
  publish,
  signUp,
  signUpAdministrator,
} from "./people.ts";
import { expect, test } from "./test.ts";

const usual = 60;
const zeros = 40;

const floodOfZeros = [
  { scores: [3, 4, 5], count: usual, agoMs: 12 * hourMs, everyMs: hourMs / 6 },
  { scores: [0], count: zeros, agoMs: 1.5 * hourMs, everyMs: 500 },
];

interface Flooded {
  slug: string;
  title: string;
  administrator: Person;
  moderator: Person;
  author: Person;
  open: () => Promise<Page>;
  /** Withdraws the last of the zeros. */
  withdraw: () => Promise<unknown>;
  /** The texts of the mails about the flood, to its author and to the moderator. */
  mails: () => Promise<string[]>;
}

/** A blog with a post liked by 60 people in ten hours, then given 40 zeros in 20 s. */
const flooded = test.extend<{ blog: Flooded }>({
  blog: async ({ sharedServer, openBrowser }, use) => {
    const server = await sharedServer({ RATING_OVERFLOW: "hold" });
    const administrator = await signUpAdministrator(server, await openBrowser(server));
    const moderator = await signUp(await openBrowser(server), "moderator");
    await makeModerator(server, moderator);
    const author = await signUp(await openBrowser(server), "author");
    const title = newName("Flooded");
    const slug = await publish(author, { title });
    const userId = await ratePast(server, slug, floodOfZeros);
    const withdraw = () =>
      inDatabase(server, (database) =>
        withdrawRating({ database, scoring: scoringDefaults }, { slug, userId, now: Date.now() }),
      );
    const mails = () => inDatabase(server, (database) => mailsAbout(database, { author, moderator }));
    const open = () => openBrowser(server);
    await use({ slug, title, administrator, moderator, author, open, withdraw, mails });
  },
});

flooded(
  "an author requests a review, and a moderator decides in view of all readers",
  { tag: "@without-javascript" },
  async ({ blog }) => {
    const { author, moderator, slug, title } = blog;
    const { page } = author;
    await page.goto(`/users/${author.username}`);
    await expect(notice(page)).toHaveText(
      `40 ratings came to ${title} unusually fast. They do not count yet: see why.`,
    );
    await expect(page.locator("#floods").getByRole("listitem")).toContainText(
      /came to .* unusually fast\. .* Without a decision they count from \d+ \w+ \d+ on\./,
    );
    await notice(page).getByRole("link", { name: "see why" }).click();
    await expect(page).toHaveURL(`${activityPath(slug)}?before=2#window-1`);
    const window = windowOf(page);
    await expect(window).toContainText(
      "They do not count yet: the score is 4.0. With them it would move to 2.4.",
    );
    await expect(page.getByText("Who gave these ratings")).toHaveCount(0);
    await expect(window).toContainText(/Without a decision they count from \d+ \w+ \d+ on\./);
    await expect(window).toContainText("What an administrator or a moderator can decide:");
    await expect(window.getByRole("term")).toHaveText(["Leave them out", "Count them"]);
    await expect(window.getByRole("definition")).toHaveText([
      "The score would stay at 4.0.",
      /^The score would stay at 4\.0 for now, and move slowly to 2\.4 over about \d+ (months|years)\.$/,
    ]);
    await expect(window).toContainText(
      "Suggestion: leave them out. 100% of them are zeros, far more than among the others.",
    );
    await expect(window.getByRole("button", { name: "Leave them out" })).toHaveCount(0);
    await window.getByText("Ask for a review", { exact: true }).first().click();
    const send = window.getByRole("button", { name: "Ask for a review" });
    await send.click();
    const reason = window.getByRole("textbox", { name: "Reason" });
    await expect(reason).toHaveAccessibleDescription(/^Say why in a sentence\./);
    await reason.fill("A channel called for zeros.");
    await send.click();
    await expect(window).toContainText(/You asked for a review on .*A channel called for zeros\./);
    await expect(send).toHaveCount(0);

    await moderator.page.goto("/");
    await expect(notice(moderator.page)).toContainText(/flood/i);
    await moderator.page.getByRole("link", { name: "Moderation", exact: true }).click();
    await expect(moderator.page.getByRole("heading", { level: 2 })).toHaveText([
      "Requests for a review",
      "Floods to decide on",
    ]);
    const request = moderator.page.getByRole("listitem", { name: `${title}, flood 1` });
    await expect(request).toContainText("40 ratings held");
    await expect(request).toContainText("Average: 4.0 without it, 2.4 with it.");
    await expect(request).toContainText(/, the author, on .*A channel called for zeros\./);
    await request.getByRole("link", { name: "Look at this flood and decide" }).click();
    await expect(windowOf(moderator.page)).toContainText("Suggestion: leave them out.");
    await decide(moderator.page, "Leave them out", "It did, at noon.");
    await expectFlood(windowOf(moderator.page), "Left out");
    await moderator.page.goto("/admin");
    await expect(request).toHaveCount(0);

    await page.goto("/");
    await expect(notice(page)).toHaveCount(0);

    const reader = await blog.open();
    await reader.goto(postPath(slug));
    await expect(notice(reader)).toHaveCount(0);
    await expect(reader.getByRole("region", { name: "Score", exact: true })).toContainText(
      "40 ratings came in a flood, and were left out by a moderator.",
    );
    await expect(
      reader.getByRole("list", { name: "Decisions about floods" }).getByRole("listitem"),
    ).toHaveText([
      new RegExp(
        `^40 ratings of .* were left out by ${moderator.username}, a moderator, on .*: It did, at noon\\.$`,
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
    await expectFlood(window, "Not counted yet");
    await expect(window).toContainText(/Without a decision they count from \d+ \w+ \d+ on\./);
    await expect(window).toContainText(
      "Usually about 5 ratings come an hour. 40 of these 40 ratings are zeros; among the other 60 there are none.",
    );
    await expect(window).toContainText(
      "They do not count yet: the score is 4.0. With them it would move to 2.4.",
    );
    await expect(window).toContainText(
      "Suggestion: leave them out. 100% of them are zeros, far more than among the others.",
    );
    await expect(window).toContainText("The score would stay at 4.0.");
    await expect(window).toContainText(
      /The score would stay at 4\.0 for now, and move slowly to 2\.4 over about \d+ (months|years)\./,
    );
    await window.getByText("More about these ratings").click();
    await expect(window.getByRole("row").nth(1)).toHaveText("This flood4000000");
    await window.getByText("Who gave these ratings").click();
    await expect(window.getByRole("region", { name: "Who gave these ratings" }).getByRole("row")).toHaveCount(
      zeros + 1,
    );
    await expect(page.getByText("Not counted at once, with a flood")).toBeVisible();
    await expect(
      page.getByRole("img", { name: "Ratings counted at once, not counted at once, and refused, over time" }),
    ).toBeVisible();
    await expect(
      page
        .getByRole("region", { name: "The latest attempts" })
        .getByRole("cell", { name: "not counted at once" }),
    ).not.toHaveCount(0);

    await window.getByRole("button", { name: "Leave them out" }).click();
    const why = window.getByRole("textbox", { name: "Reason" });
    await expect(why).toHaveAccessibleDescription(/^Say why in a sentence\./);
    await expect(why).toHaveAttribute("aria-invalid", "true");
    await why.fill("x".repeat(501));
    await window.getByRole("button", { name: "Leave them out" }).click();
    await expect(why).toHaveAccessibleDescription(/^Reason must have at most 500 characters\./);
    await expect(why).toHaveValue("x".repeat(501));
    await expect(page.getByRole("region", { name: "Decisions about floods" })).toHaveCount(0);

    await why.fill("A channel called for zeros.");
    await window.getByRole("button", { name: "Leave them out" }).click();
    await expect(page).toHaveURL(/\?(decided=1\.[\w.-]+&)?before=2#window-1$/);
    await expect(window.getByRole("status").first()).toHaveText("These ratings are left out now.");
    await expectFlood(window, "Left out");
    await expect(notice(page).getByRole("link", { name: title })).toHaveCount(0);
    await expect(window).toContainText(`${moderator.username} left them out on`);
    await expect(logRows(page)).toHaveText([
      /WhenFloodDecisionByReasonRatings then/,
      new RegExp(`1left out${moderator.username}A channel called for zeros\\.40`),
    ]);
    await expect(await scoreOf(page, slug)).toMatchObject({ count: usual, average: 4 });

    await window.getByText("Change this decision").click();
    await expect(window.getByRole("button", { name: "Leave them out" })).toHaveCount(0);
    await window.getByRole("button", { name: "Count them" }).click();
    await expect(why).toBeVisible();
    await expect(why).toHaveAccessibleDescription(/^Say why in a sentence\./);
    await window.getByRole("textbox", { name: "Reason" }).fill("They were my readers after all.");
    await window.getByRole("button", { name: "Count them" }).click();
    await expectFlood(window, "Counted");
    await expect(window.getByRole("status").first()).toHaveText("These ratings count now.");
    await expect(logRows(page)).toHaveText([
      /Reason/,
      /counted.*They were my readers after all\.40/,
      /left out/,
    ]);
    await expect(await scoreOf(page, slug)).toMatchObject({ count: usual + zeros, average: 2.4 });
    await page.getByRole("main").getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  },
);

flooded("a flood has one count everywhere, also after one of its ratings is withdrawn", async ({ blog }) => {
  const { author, moderator, administrator, slug, title, withdraw, mails } = blog;
  await withdraw();
  const { page } = author;
  await page.goto(`/users/${author.username}`);
  await expect(notice(page)).toContainText(`${zeros} ratings came to ${title} unusually fast.`);
  await expect(page.locator("#floods").getByRole("listitem")).toContainText(`${zeros} ratings came to`);
  await page.goto(activityPath(slug));
  await expectFlood(windowOf(page), "Not counted yet");
  await expect(windowOf(page)).toContainText("39 of these 39 ratings are zeros;");
  await expect(windowOf(page)).toContainText("One more came and was withdrawn.");
  await page.goto(postPath(slug));
  await expect(page.getByText(`${zeros} ratings came in a flood`)).toBeVisible();
  await expect(
    page.getByRole("img", { name: `${zeros} ratings in 20 seconds, not counted yet` }),
  ).toBeVisible();
  await moderator.page.goto("/admin");
  const listed = moderator.page.getByRole("main").getByRole("listitem").filter({ hasText: title });
  await expect(listed).toContainText(`${zeros}ratings`);
  await moderator.page.goto(activityPath(slug));
  await expectFlood(windowOf(moderator.page), "Not counted yet");
  const [toAuthor, toModerator, ...others] = await mails();
  expect(others).toEqual([]);
  expect(toAuthor).toContain(`${zeros} ratings of your post “\u2068${title}\u2069”`);
  expect(toModerator).toContain(`“\u2068${title}\u2069”: ${zeros} ratings so far`);

  await decide(moderator.page, "Leave them out", "A raid.");
  await expect(logRows(moderator.page)).toHaveText([/Ratings then/, /A raid\.40$/]);
  await administrator.page.goto("/admin/decisions");
  await expect(
    administrator.page
      .getByRole("listitem")
      .filter({ hasText: `Left out flood 1 (${zeros} ratings) of ${title}` }),
  ).toBeVisible();
});

test("an administrator learns that a flood of an own post needs a decision while no other user could decide", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer({ RATING_OVERFLOW: "hold" });
  const keeper = await signUp(await openBrowser(server), "keeper");
  await makeAdministrator(server, keeper);
  const title = newName("Flooded");
  const slug = await publish(keeper, { title });
  await ratePast(server, slug, floodOfZeros);
  const { page } = keeper;
  await page.goto("/");
  await expect(notice(page)).toHaveText(`A flood of ${zeros} ratings on ${title} needs a decision.`);
  await notice(page).getByRole("link", { name: title }).click();
  await expect(windowOf(page)).not.toContainText("an email when this happens");
  await decide(page, "Leave them out", "A raid.");
  await expectFlood(windowOf(page), "Left out");
  await page.goto("/");
  await expect(notice(page)).toHaveCount(0);
});

test("a held rating's sentence moves nothing below it on a phone, in both languages", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({ RATING_OVERFLOW: "hold" });
  const slug = await publish(await signUp(await openBrowser(server), "author"));
  await ratePast(server, slug, [
    { scores: [3, 4, 5], count: usual, agoMs: 12 * hourMs, everyMs: hourMs / 6 },
    { scores: [0], count: zeros, agoMs: 25_000, everyMs: 500 },
  ]);
  for (const [locale, sentence] of [
    ["en", "much faster than usual, so it does not count yet"],
    ["fa", "هنوز شمرده نمی‌شود"],
  ] as const) {
    const { page } = await signUp(await openBrowser(server));
    await page.context().addCookies([{ name: localeCookie, value: locale, url: server.origin }]);
    await page.setViewportSize({ width: 375, height: 800 });
    await page.goto(postPath(slug));
    const score = page.locator("#score");
    const place = () =>
      score.locator("figure").evaluate((figure) => figure.getBoundingClientRect().top + window.scrollY);
    const before = await place();
    await score.locator("[name=score][value='0']").check();
    await expect(score.getByRole("status")).toContainText(sentence);
    expect(await place()).toBe(before);
  }
});

flooded("a second decision on the same flood changes nothing and explains why", async ({ blog }) => {
  const { moderator, administrator, slug } = blog;
  for (const { page } of [moderator, administrator]) await page.goto(activityPath(slug));
  await decide(moderator.page, "Count them", "All mine.");
  await expectFlood(windowOf(moderator.page), "Counted");

  await decide(administrator.page, "Leave them out", "A raid.");
  const stale = windowOf(administrator.page);
  await expect(stale.getByRole("status").first()).toHaveText(
    "Another person decided on this flood meanwhile, so nothing was changed.",
  );
  await expectFlood(stale, "Counted");
  await expect(logRows(administrator.page)).toHaveText([/Reason/, /All mine\./]);
  expect(await scoreOf(administrator.page, slug)).toMatchObject({ count: usual + zeros });

  // Having looked again, they may.
  await decide(administrator.page, "Leave them out", "A raid.");
  await expectFlood(stale, "Left out");
  await expect(logRows(administrator.page)).toHaveText([
    /Reason/,
    new RegExp(`left out${administrator.username}A raid\\.`),
    /All mine\./,
  ]);
});

flooded("shows an administrator the undecided floods first", async ({ blog }) => {
  const { administrator, author, slug, title } = blog;
  const { page } = administrator;
  await page.goto("/");
  await page.getByRole("link", { name: "Admin", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("Floods to decide on");
  const inList = (name: string) =>
    page
      .locator("section", { has: page.getByRole("heading", { name, exact: true }) })
      .getByRole("listitem")
      .filter({ hasText: title });
  await expect(inList("Floods to decide on")).toContainText(`${title}${author.username} · flood 1`);
  await expect(inList("Floods to decide on")).toContainText(/Held until .*40ratings$/);
  await page.getByRole("main").getByRole("link", { name: title }).click();
  await expect(page).toHaveURL(`${activityPath(slug)}?before=2#window-1`);
  await expect(windowOf(page)).toBeVisible();
  await expect(page.getByRole("link", { name: "Try other limits" })).toHaveCount(0);
  await decide(page, "Leave them out", "A raid.");
  await expectFlood(windowOf(page), "Left out");
  await page.goto("/admin");
  await expect(inList("Floods to decide on")).toHaveCount(0);
  await page.getByRole("link", { name: "Decisions", exact: true }).click();
  await expect(inList("Left out")).toHaveCount(1);
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
    expect(await send(good, stranger)).toBe(403);
    expect((await stranger.page.request.get(activityPath(slug))).status()).toBe(403);
    expect(await send(good, author)).toBe(403);
    for (const wrong of [{ status: "held" }, { status: "" }, { after: "soon" }, { why: " " }])
      expect(await send({ ...good, ...wrong }), JSON.stringify(wrong)).toBe(200);
    await page.reload();
    await expectFlood(windowOf(page), "Not counted yet");
    await expect(page.getByRole("region", { name: "Decisions about floods" })).toHaveCount(0);
    expect(await send(good)).toBe(303);
    await page.reload();
    await expectFlood(windowOf(page), "Left out");
  },
);

/** The mails of a site with mail: to the author, and then to the moderator. */
async function mailsAbout(database: Database, people: Record<"author" | "moderator", Person>) {
  const context = { database, mail: mailSettings, holdMs: 14 * dayMs };
  const now = Date.now();
  const server = await startSmtpServer();
  try {
    for (const [{ username }, chosen] of [
      [people.author, "floods"],
      [people.moderator, "undecided"],
    ] as const) {
      const userId = (await database.users.byUsernameKey(username))?.id ?? 0;
      await database.users.confirmEmail(userId, now);
      await chooseMails(context, { userId, chosen: new Set([chosen]), locale: "en", now });
    }
    await queueFloodMails(context, now);
    await undecidedMailer(context)(now);
    await sendDueMails({ ...context, server: server.client, clock: () => now });
    return Object.values(people).flatMap(({ username }) =>
      server.mails
        .filter(({ recipients }) => recipients.includes(`${username}@example.org`))
        .map(({ text }) => text ?? ""),
    );
  } finally {
    await server.stop();
  }
}

function activityPath(slug: string): string {
  return `${postPath(slug)}/activity`;
}

function windowOf(page: Page, number = 1) {
  return page.getByRole("article", { name: `Flood ${number}` });
}

/** Shows the flood of the zeros with this status. */
async function expectFlood(window: Locator, status: string): Promise<void> {
  await expect(window.getByRole("heading")).toHaveText("Flood 1: 40 ratings in 20 seconds");
  await expect(window.getByText(status, { exact: true })).toBeVisible();
}

/** The line below the header. */
function notice(page: Page): Locator {
  return page.getByRole("complementary", { name: "Floods" });
}

function logRows(page: Page) {
  return page.getByRole("region", { name: "Decisions about floods" }).getByRole("row");
}

async function decide(page: Page, button: "Count them" | "Leave them out", why: string): Promise<void> {
  const window = windowOf(page);
  await window.getByRole("textbox", { name: "Reason" }).fill(why);
  await window.getByRole("button", { name: button }).click();
}

async function scoreOf(page: Page, slug: string): Promise<unknown> {
  return (await page.request.get(`/api/posts/${slug}/score`)).json();
}
