/** A settled score as readers see it: it moves slowly, and held floods are shown. */
import { openDatabase } from "../db/index.ts";
import { decideWindow } from "../lib/ratings/decisions/flood-window-decisions.ts";
import type { DecidedStatus } from "../lib/ratings/floods/flood-window.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { dayMs, hourMs } from "../lib/time/units.ts";
import { addUser } from "../testing/content.ts";
import { gather } from "./crowd.ts";
import { type PastRatings, ratePast } from "./past-ratings.ts";
import { giveStars, newName, postPath, publish, signUp } from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./test.ts";

/** A post's life before: three and a half stars, a rating every six hours. */
const quietPast: PastRatings = { scores: [3, 4, 4, 3], count: 60, agoMs: 20 * dayMs, everyMs: 6 * hourMs };
/** A hundred zeros within two minutes. */
const flood: PastRatings = { scores: [0], count: 100, agoMs: 4 * dayMs, everyMs: 1_200 };

test("shows the settled score, and the ratings that move it, the same everywhere", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({ RATING_OVERFLOW: "hold" });
  const author = await signUp(await openBrowser(server), "author");
  const title = newName("Settling");
  const slug = await publish(author, { title });
  // A new opinion, as slow as everything before it: no flood, and too young to have been followed.
  const turned = { scores: [0, 1], count: 20, agoMs: 5 * dayMs, everyMs: 6 * hourMs };
  await ratePast(server, slug, [quietPast, turned]);

  const answer = await author.page.request.get(`/api/posts/${slug}/score`);
  const scoreJson: Record<string, unknown> = await answer.json();
  const keys = ["average", "count", "histogram", "settled", "settling"];
  expect(Object.keys(scoreJson).toSorted()).toEqual(keys);
  expect(scoreJson).toMatchObject({
    average: 2.75,
    count: 80,
    histogram: [10, 10, 0, 30, 30, 0],
    settling: true,
  });
  const settled = Number(scoreJson.settled);
  expect(settled).toBeGreaterThan(2.8);
  expect(settled).toBeLessThan(3.5);

  const { page } = author;
  await page.goto(postPath(slug));
  const score = page.getByRole("region", { name: "Score", exact: true });
  await expect(score).toContainText(`${settled.toFixed(2)} of 5`);
  await expect(score).toContainText("80 ratings");
  await expect(score).toContainText("Recent ratings pull this towards 2.75, slowly.");
  const rank = (10 * 2.5 + 80 * settled) / 90;
  await expect(score.getByRole("term")).toHaveText([
    "Score",
    "Plain average",
    "Score for the order of lists",
    "Ratings",
  ]);
  await expect(score.getByRole("definition")).toHaveText([settled.toFixed(2), "2.75", rank.toFixed(2), "80"]);
  await expect(page.getByRole("article")).toContainText(`${settled.toFixed(2)} of 5`);
  await expect(score.getByText("flood")).toHaveCount(0);
  await page.getByText("Ratings over time").click();
  await expect(
    page.getByRole("img", { name: /^80 ratings since .* average 2\.8; the score is/ }),
  ).toBeVisible();
  await score.getByRole("link", { name: "How scores work" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "How scores work" })).toBeVisible();

  for (const list of ["/", "/?sort=top", `/users/${author.username}`]) {
    await page.goto(list);
    const item = page.getByRole("listitem").filter({ hasText: title });
    await expect(item).toContainText(settled.toFixed(1));
  }
});

test("shows only the figures when the scores agree", async ({ page, openBrowser }) => {
  const author = await signUp(await openBrowser(), "author");
  const slug = await publish(author);
  await author.page.request.post(`/api/posts/${slug}/rating`, { data: { score: 4 } });
  await page.goto(postPath(slug));
  const score = page.getByRole("region", { name: "Score", exact: true });
  await expect(score).toContainText("1 rating so far");
  await expect(page.getByRole("article")).toContainText("1 rating so far");
  await expect(page.getByText("of 5")).toHaveCount(0);
  await expect(score).not.toContainText("Recent ratings pull");
  await expect(score.getByText("Score for the order of lists")).toBeHidden();
  await score.getByText("In figures").click();
  await expect(score.getByRole("definition")).toHaveText(["4.00", "4.00", "2.64", "1"]);
  await expect(page.getByText("Ratings over time")).toHaveCount(0);
  await page.goto(`${postPath(slug)}?counted=all`);
  await expect(score).not.toContainText("With all ratings counted");
});

test("shows a reader that their rating is held, at once and later, and when it is excluded", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer({
    RATING_OVERFLOW: "hold",
    RATING_LIMITER: "leaky-bucket",
    LEAKY_BUCKET_CAPACITY: "3",
    LEAKY_BUCKET_LEAK_PER_SECOND: "0.001",
  });
  const author = await signUp(await openBrowser(server), "author");
  const { page } = await signUp(await openBrowser(server));
  const slug = await publish(author);
  for (const member of await gather(server, 3)) expect((await member.rate(slug, 4)).status).toBe(201);
  await page.goto(postPath(slug));
  const score = page.getByRole("region", { name: "Score", exact: true });
  await giveStars(page, "0 stars");
  const held =
    /(It came|It is one of \d ratings that came) much faster than usual, so it does not count yet\. It will count from \d+ \w+ \d+ on/;
  await expect(score.getByRole("status")).toHaveText(/^Saved as 0 stars/);
  await expect(score.getByRole("status")).toHaveText(held);
  await expect(page.getByRole("radio", { name: "0 stars" })).toBeChecked();
  await expect(score).toContainText(
    /\d+ \w+: \d ratings? came in a flood\. (It does|They do) not count yet\./,
  );

  // A link from elsewhere makes the page say nothing.
  await page.goto(`${postPath(slug)}?rating=uncounted`);
  await expect(score.getByText(held)).toBeVisible();
  await expect(score.getByText("Saved as")).toHaveCount(0);
  await author.page.goto(postPath(slug));
  await expect(author.page.getByText("much faster than usual")).toHaveCount(0);
  await page.goto("/account");
  await expect(page.locator("#flood-ratings").getByText(held)).toBeVisible();

  await decide(server, slug, "excluded");
  await page.goto(postPath(slug));
  await expect(
    score.getByText(
      /^It does not count: it (came|is one of \d ratings that came) much faster than usual, and (was|they were) left out\./,
    ),
  ).toBeVisible();

  await decide(server, slug, "counted");
  await page.goto(postPath(slug));
  await expect(page.getByRole("radio", { name: "0 stars" })).toBeChecked();
  await expect(
    score.getByText(/^(It came|It is one of \d ratings that came) much faster than usual, and it counts\.$/),
  ).toBeVisible();
  await expect(score).toContainText("4 ratings");
});

test("marks and draws a flood, and can show the score with all ratings counted", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({ RATING_OVERFLOW: "hold" });
  const author = await signUp(await openBrowser(server), "author");
  const title = newName("Flooded");
  const slug = await publish(author, { title });
  // At noon, so that each is within one day. The past before them is as old at any time of the day.
  const now = Date.now();
  const sinceNoonMs = (now % dayMs) - dayMs / 2;
  const past = [quietPast, flood, { ...flood, count: 50, agoMs: 2 * dayMs }];
  await ratePast(
    server,
    slug,
    past.map(({ agoMs, ...ratings }) => ({ ...ratings, agoMs: agoMs + sinceNoonMs })),
  );
  const [today, firstDay, secondDay] = [0, 4, 2].map((days) => dayOf(now - days * dayMs));

  const page = await openBrowser(server);
  await page.goto(postPath(slug));
  const score = page.getByRole("region", { name: "Score", exact: true });
  await expect(score).toContainText("60 ratings");
  await expect(score).toContainText(`${secondDay}: 50 ratings came in a flood. They do not count yet.`);
  await expect(score).not.toContainText(`${firstDay}:`);
  await score.getByRole("link", { name: "And 1 more flood" }).click();
  await expect(page).toHaveURL(`${server.origin}${postPath(slug)}#timeline`);
  const timeline = page.getByRole("region", { name: "Ratings over time" });
  await expect(
    timeline.getByRole("img", {
      name: /100 ratings in 2 minutes, not counted yet\. 50 ratings in 59 seconds, not counted yet/,
    }),
  ).toBeVisible();
  await timeline.getByText("As a table").click();
  const row = timeline.getByRole("row").filter({ hasText: secondDay ?? "" });
  await expect(row.getByRole("cell")).toHaveText(["50", "50", "1.00", /^3\.[45]\d$/]);
  await expect(timeline.getByRole("row").filter({ hasText: today ?? "" })).toHaveCount(0);

  await score.getByRole("link", { name: "Show with all ratings counted" }).click();
  await expect(score.getByRole("heading", { name: "With all ratings counted" })).toBeVisible();
  await expect(score).toContainText("1.00 of 5");
  await expect(score).toContainText("210 ratings");
  await score.getByText("As a table").click();
  await expect(score.getByRole("row").filter({ hasText: "150" })).toHaveText(/^0/);
  await expect(score.getByText("In figures")).toHaveCount(0);
  await score.getByRole("link", { name: "Back to the score" }).click();
  await expect(score.getByText("In figures")).toBeVisible();
  await expect(score).toContainText("60 ratings");
  await expect(score).toContainText(/3\.[45]\d of 5/);

  // Another process decides, so a visitor's page shows it within a second. The held ratings still come first.
  const shows = (text: string) =>
    expect(async () => {
      await page.goto(postPath(slug));
      expect(await score.textContent()).toContain(text);
    }).toPass();
  await decide(server, slug, "excluded", 2);
  await shows(`${firstDay}: 100 ratings came in a flood. They do not count yet.`);
  await decide(server, slug, "excluded");
  await shows(`${secondDay}: 50 ratings came in a flood, and were left out by a moderator.`);
  await decide(server, slug, "counted", 2);
  await shows(`${firstDay}: 100 ratings came in a flood, and were left out by a moderator.`);
  await expect(score.getByRole("link", { name: /more flood/ })).toHaveCount(0);
  await page.goto(`/?q=${title}`);
  await expect(page.getByRole("listitem")).toContainText("110 ratings");
});

test("How scores work explains how this blog handles a flood", async ({ page, startServer, openBrowser }) => {
  await page.goto("/how-scores-work");
  const article = page.getByRole("article");
  await expect(article.getByRole("img", { name: /^143 ratings in 4 minutes, of which 130/ })).toBeVisible();
  await expect(article).toContainText("a rating is not saved; the page says so and when to try again");
  await page.getByText("The figures behind it").click();
  await expect(page.getByRole("row").filter({ hasText: "Within 24 hours" })).toHaveText(/0\.03 stars/);
  await expect(article).toContainText("one with 400 ratings and a score of 4.8 ranks at 4.74");
  const holding = await openBrowser(await startServer({ RATING_OVERFLOW: "hold", RATING_HOLD_DAYS: "1" }));
  await holding.goto("/how-scores-work");
  await expect(holding.getByRole("article")).toContainText(
    "Without a decision within 24 hours, the ratings count",
  );
  await expect(holding.getByRole("article")).not.toContainText("is not saved");
});

/** A moderator's decision on a post's window, as on the activity page. */
async function decide(
  { databaseUrl }: Server,
  slug: string,
  status: DecidedStatus,
  number = 1,
): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    const post = await database.posts.bySlug(slug);
    if (!post) throw new Error(`There is no post ${slug}.`);
    const user = await addUser(database, newName("moderator"), { isModerator: true });
    const window = (await database.floodWindows.all(post.id)).find((each) => each.number === number);
    const input = { status, why: "As the test wants it.", after: window?.decisions };
    const context = { database, scoring: scoringDefaults };
    const { kind } = await decideWindow(context, { slug, number, user, input, now: Date.now() });
    expect(kind).toBe("decided");
  } finally {
    await database.close();
  }
}

/** The date of a time, as pages write it. */
function dayOf(time: number): string {
  return new Date(time).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
}
