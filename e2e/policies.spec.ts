import { gather } from "./crowd.ts";
import { giveStars, makeAdministrator, postPath, publish, signUp, signUpAs } from "./people.ts";
import { expect, test } from "./test.ts";

test("with RATING_OVERFLOW=wait a rating over the limit succeeds a moment later", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer({
    RATING_OVERFLOW: "wait",
    RATING_MAX_WAIT_MS: "10000",
    LEAKY_BUCKET_CAPACITY: "1",
    LEAKY_BUCKET_LEAK_PER_SECOND: "0.5",
  });
  const { page, ...reader } = await signUp(await openBrowser(server));
  const [first] = await gather(server, 1);
  const slug = await publish({ page, ...reader });
  await page.goto(postPath(slug));
  expect((await first?.rate(slug, 1))?.status).toBe(201);
  // The bucket is full, and this would be refused for two seconds.
  await giveStars(page, "4 stars");
  await expect(page.getByRole("status").filter({ hasText: "Counted as 4 stars" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Score" })).toContainText("2 ratings");
});

test("shows administrators only where a policy in shadow would have decided otherwise; it refuses no rating", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer({
    LIMITS: JSON.stringify({
      "rating.post": { capacity: 3, leakPerSecond: 0.001 },
      "rating.post.strict": { mode: "shadow", algorithm: "sliding-log", limit: 1, windowMs: 86_400_000 },
      "rating.post.lenient": {
        mode: "shadow",
        algorithm: "token-bucket",
        capacity: 50,
        refillPerSecond: 0.001,
      },
    }),
  });
  // The first account is the administrator's.
  await signUp(await openBrowser(server), "administrator");
  const author = await signUp(await openBrowser(server), "author");
  const slug = await publish(author);
  const statuses = [];
  for (const member of await gather(server, 5)) statuses.push((await member.rate(slug, 0)).status);
  expect(statuses).toEqual([201, 201, 201, 429, 429]);

  const { page } = author;
  await page.goto(`${postPath(slug)}/activity`);
  await expect(page.getByRole("region", { name: "The latest attempts" })).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText(/on trial/i);
  await makeAdministrator(server, author);
  await page.reload();
  const strict = page.getByRole("region", { name: "Limit on trial: Ratings per post (rating.post.strict)" });
  await expect(strict).toContainText("it agreed 3 times");
  await expect(strict).toContainText("2 accepted, it would have refused");
  await expect(strict).toContainText("0 refused or not counted at once, it would have accepted");
  await expect(
    strict.getByRole("img", {
      name: /^Where Ratings per post \(rating\.post\.strict\), on trial, disagrees/,
    }),
  ).toBeVisible();
  const lenient = page.getByRole("region", {
    name: "Limit on trial: Ratings per post (rating.post.lenient)",
  });
  await expect(lenient).toContainText("2 refused or not counted at once, it would have accepted");
  const rows = page.getByRole("table").filter({ hasText: "Why" }).getByRole("row");
  await expect(rows.nth(1)).toHaveText(
    /refused.*Ratings per post \(rating\.post\.lenient\), on trial, would have accepted it\./,
  );
  await expect(rows.nth(4)).toHaveText(
    /accepted.*Ratings per post \(rating\.post\.strict\), on trial, would have refused it: This post takes at most one rating within 24 hours\./,
  );
  await expect(rows.nth(5)).not.toHaveText(/on trial/);
});

test("access rules decide before any limit: a denied request is a 403 that explains it, an allowed one is not counted", async ({
  startServer,
  openBrowser,
  faults,
}) => {
  const server = await startServer({
    ACCESS_RULES: "deny user mallory, allow user alice",
    LIMITS: JSON.stringify({ "rating.post": { capacity: 1, leakPerSecond: 0.001 } }),
  });
  const mallory = await signUpAs(await openBrowser(server), "mallory");
  const alice = await signUpAs(await openBrowser(server), "alice");
  const [other] = await gather(server, 1);
  const slug = await publish(alice);

  await mallory.page.goto(postPath(slug));
  await giveStars(mallory.page, "0 stars");
  await expect(
    mallory.page
      .getByRole("status")
      .filter({ hasText: "This site has blocked your account or your network" }),
  ).toBeVisible();
  faults.expectStatus(403);
  const denied = await mallory.page.request.post(`/api/posts/${slug}/rating`, { data: { score: 0 } });
  expect(denied.status()).toBe(403);
  expect(await denied.json()).toMatchObject({ status: 403, detail: /contact the site's operator/ });

  const allowed = await alice.page.request.post(`/api/posts/${slug}/rating`, { data: { score: 5 } });
  expect(allowed.status()).toBe(201);
  expect((await other?.rate(slug, 3))?.status).toBe(201);
});

test("the API's lists of tags and years count as searches", async ({ startServer, playwright }) => {
  const server = await startServer({
    LIMITS: JSON.stringify({ "search.address": { capacity: 2, leakPerSecond: 0.001 } }),
  });
  const api = await playwright.request.newContext({ baseURL: server.origin });
  const paths = ["/api/tags", "/api/archive", "/api/tags", "/api/archive", "/api/posts?q=a", "/api/posts"];
  const statuses = [];
  for (const path of paths) statuses.push((await api.get(path)).status());
  expect(statuses).toEqual([200, 200, 429, 429, 429, 200]);
  await api.dispose();
});
