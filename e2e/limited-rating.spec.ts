import type { Page } from "playwright/test";
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import { gather } from "./crowd.ts";
import { giveStars, newName, postPath, publish, rate, signUp, signUpAdministrator } from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./test.ts";

/** A bucket that two ratings fill, and that does not leak while a test runs. */
const smallBucket = { LEAKY_BUCKET_CAPACITY: "2", LEAKY_BUCKET_LEAK_PER_SECOND: "0.001" };

for (const verb of ["Rate", "Update rating"] as const)
  test(`with ${verb} on a flooded post a reader learns why and when, keeps the choice, and succeeds later`, {
    tag: "@without-javascript",
  }, async ({ sharedServer, openBrowser, javaScriptEnabled }) => {
    const server = await sharedServer(smallBucket);
    const reader = await signUp(await openBrowser(server));
    const slug = await publish(reader);
    const flood = await gather(server, 2);
    const { page } = reader;
    await page.clock.install();
    if (verb === "Update rating") {
      await rate(reader, slug, 1);
      await emptyBuckets(server);
    }
    await page.goto(postPath(slug));
    const answers = await Promise.all(flood.map((member) => member.rate(slug, 0)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    if (verb === "Update rating") {
      // Changes are counted apart from first ratings.
      const changes = await Promise.all(flood.map((member) => member.change(slug, 1)));
      expect(changes.map(({ status }) => status)).toEqual([200, 200]);
    }

    await giveStars(page, "4 stars", javaScriptEnabled);
    const refusal = page.getByRole("status").filter({ hasText: "Too many requests" });
    await expect(refusal).toHaveText(
      /^Too many requests: this post is getting very many ratings just now, so your rating was not saved\.$/,
    );
    await expect(page.getByRole("radio", { name: "4 stars" })).toBeChecked();
    await expect(page.getByText(/^You can try again in .+\.$/)).toBeVisible();
    if (javaScriptEnabled) {
      await page.clock.fastForward("17:00");
      await expect(page.getByText("You can try again now.")).toBeVisible();
    }
    await expect(page.getByRole("radio", { name: "4 stars" })).toBeChecked();

    await emptyBuckets(server);
    await page.getByRole("button", { name: verb, exact: true }).click();
    await expect(page.getByRole("status").filter({ hasText: "Counted as 4 stars" })).toBeVisible();
    await expect(refusal).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Score" })).toContainText("3 ratings");
    await expect(page.getByRole("radio", { name: "4 stars" })).toBeChecked();
  });

test("only the author and administrators see accepted and refused attempts with their reasons", async ({
  sharedServer,
  openBrowser,
  page: stranger,
  faults,
}) => {
  const server = await sharedServer(smallBucket);
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const author = await signUp(await openBrowser(server), "author");
  const title = newName("Flooded");
  const slug = await publish(author, { title });
  const activityPath = `${postPath(slug)}/activity`;
  await author.page.goto(activityPath);
  await expect(author.page.getByText("There were no attempts to rate this post in this time.")).toBeVisible();

  const flood = await gather(server, 3);
  for (const member of flood) await member.rate(slug, 5);
  const { page } = author;
  await page.goto(postPath(slug));
  await page.getByRole("link", { name: "Activity" }).click();
  const sums = "2 ratings were saved, 1 attempt was refused.";
  await expect(page.getByText(sums)).toBeVisible();
  await expect(page.getByRole("img", { name: "Accepted and refused ratings over time" })).toBeVisible();
  // An author sees the decision and its reason, and not who gave which rating.
  const rowsOf = (page: Page) => page.getByRole("table").filter({ hasText: "Why" }).getByRole("row");
  const refused = "This post takes at most 4 ratings an hour\\.";
  await expect(rowsOf(page)).toHaveText([
    /^WhenDecisionWhy$/,
    new RegExp(`refused${refused}$`),
    /acceptedWithin the limits\.$/,
    /acceptedWithin the limits\.$/,
  ]);
  await expect(page.getByText(flood[0]?.username ?? "")).toHaveCount(0);
  for (const span of ["Last hour", "Last day", "Last 30 days"]) {
    await page.getByRole("link", { name: span }).click();
    await expect(page.getByRole("link", { name: span })).toHaveAttribute("aria-current", "page");
    await expect(page.getByText(sums)).toBeVisible();
  }

  await administrator.page.goto(postPath(slug));
  await administrator.page.getByRole("link", { name: "Activity" }).click();
  await expect(administrator.page.getByText(sums)).toBeVisible();
  await expect(rowsOf(administrator.page)).toHaveText([
    /^WhenWhoStarsDecisionWhy$/,
    new RegExp(`${flood[2]?.username}5refused${refused}$`),
    new RegExp(`${flood[1]?.username}5acceptedWithin the limits\\.$`),
    new RegExp(`${flood[0]?.username}5acceptedWithin the limits\\.$`),
  ]);
  faults.expectStatus(403);
  const other = await signUp(await openBrowser(server));
  const answer = await other.page.goto(activityPath);
  expect(answer?.status()).toBe(403);
  await expect(other.page.getByText("refused")).toHaveCount(0);
  await other.page.goto(postPath(slug));
  await expect(other.page.getByRole("link", { name: "Activity" })).toHaveCount(0);
  await stranger.goto(server.origin + activityPath);
  await expect(stranger).toHaveURL(`${server.origin}/login?next=${encodeURIComponent(activityPath)}`);
});

/** Time would have the same effect: the limits forget their counts. */
async function emptyBuckets({ databaseUrl }: Server): Promise<void> {
  const database = openSqlite(databaseUrl);
  await database.transaction(async () => void database.sqlite.exec("delete from limiter_states"));
  await database.close();
}
