/**
 * The pages for running a site.
 * Work that needs a decision, and limits, nodes, stores, slowest routes.
 */
import Sqlite from "better-sqlite3";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { gather, type Member } from "./crowd.ts";
import { newName, signUp } from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./test.ts";

const pages = [
  "/admin",
  "/admin/people",
  "/admin/people/anyone",
  "/admin/posts",
  "/admin/posts/any-post",
  "/admin/images",
  "/admin/images/1",
  "/admin/decisions",
  "/admin/settings",
  "/admin/system",
  "/admin/webhooks",
  "/admin/webhooks/1",
];
const sections = [
  "Limits",
  "Scores being recalculated",
  "Deletions",
  "Email",
  "Nodes",
  "Stores",
  "Slowest routes",
];

test("shows an administrator the limit that refused, the node, the stores and the slowest routes", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer({
    LIMITS: JSON.stringify({
      "rating.post": { capacity: 1, leakPerSecond: 0.0001 },
      "rating.post.log": { mode: "shadow", algorithm: "sliding-log", limit: 2, windowMs: 86_400_000 },
    }),
  });
  const { page } = await signUp(await openBrowser(server), "administrator");
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "The site is new" })).toBeVisible();
  await page.getByRole("link", { name: "System" }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(sections);
  await expect(page.getByText("No request was refused in the last 24 hours.")).toBeVisible();
  await expect(page.getByText("One limit is off: Ratings per address.")).toBeVisible();

  await flood(server, 4);
  await page.reload();
  await expect(page.getByText("No request was refused in the last 24 hours.")).toHaveCount(0);
  const limits = page.getByRole("table", { name: /^What each limit has decided in the last 24 hours\./ });
  await expect(limits.getByRole("rowheader", { name: "Ratings per post", exact: true })).toBeVisible();
  await expect(limits.getByRole("row").nth(1)).toHaveText("Ratings per post31");
  await expect(limits.getByRole("row").nth(2)).toHaveText(
    "rating.post · Leaky bucket: 1 at once, then one every 10,000 seconds.",
  );
  await expect(limits.getByRole("row").nth(3)).toHaveText("Ratings per post (rating.post.log)–2");
  await expect(limits.getByRole("row").nth(4)).toHaveText(
    /It is in shadow, and refuses no request\. It would have refused 2\.$/,
  );
  await expect(page.getByRole("img", { name: "Ratings per post: 3 refused, hour by hour" })).toBeVisible();
  await page.getByText("As a table").click();
  await expect(page.getByRole("region", { name: "Refused hour by hour" }).getByRole("row").nth(1)).toHaveText(
    /:00Ratings per post[1-3]0$/,
  );

  const nodes = page.getByRole("region", { name: "Nodes" });
  await expect(nodes.getByRole("row")).toHaveCount(2);
  await expect(nodes.getByRole("row").nth(1)).toHaveText(
    new RegExp(`:${new URL(server.origin).port}served this pagenow.*[0-9a-f]{8}\\d+ ms\\d+ MB$`),
  );
  await expect(page.getByRole("definition")).toHaveText([
    "SQLite, reachedOne connection to one file.",
    "In the databaseSaved in the same transaction as the rating it decides on.",
  ]);
  const routes = page.getByRole("table", { name: "All routes with requests in the last hour" });
  await expect(routes.getByRole("rowheader")).toContainText(["POST /api/posts/[slug]/rating"]);
  await expect(routes.getByRole("rowheader", { name: "GET /admin/system" })).toBeVisible();
});

test("keeps the counts after a restart, and no longer lists a node that has ended", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer({
    LIMITS: JSON.stringify({ "rating.post": { capacity: 1, leakPerSecond: 0.0001 } }),
  });
  const { page } = await signUp(await openBrowser(server), "administrator");
  await flood(server, 3);
  server.terminate();
  const saved = () => {
    const sqlite = new Sqlite(server.databaseUrl.replace("file:", ""), { readonly: true, timeout: 600_000 });
    try {
      return {
        nodes: sqlite.prepare("select name from nodes").all(),
        refused: sqlite
          .prepare("select refused from limit_counts where policy = 'rating.post'")
          .pluck()
          .all(),
      };
    } finally {
      sqlite.close();
    }
  };
  await expect.poll(saved).toEqual({ nodes: [], refused: [2] });
  await page.close();
});

test("marks nodes without a heartbeat for a minute, and ignores the reports of another version", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer();
  const { page } = await signUp(await openBrowser(server), "administrator");
  const sqlite = new Sqlite(server.databaseUrl.replace("file:", ""), { timeout: 600_000 });
  const insert = sqlite.prepare("insert into nodes values (?, ?, ?, ?, 1, ?)");
  const now = Date.now();
  insert.run("1", "another:1", now - 600_000, now - 300_000, JSON.stringify({ from: "the future" }));
  insert.run("2", "another:2", now - 600_000, now + 600_000, JSON.stringify("nonsense"));
  sqlite.close();
  await page.goto("/admin/system");
  const rows = page.getByRole("region", { name: "Nodes" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText(/^another:1silent for \d+ mins/);
  await expect(rows.nth(2)).toContainText(/^another:2now/);
  await expect(page.getByText("The nodes do not all run the same build.")).toBeVisible();
});

test("reports an unreachable limiter store, and the limits' behaviour during the outage", async ({
  startServer,
  openBrowser,
}) => {
  const redis = await startRedis();
  const server = await startServer({ LIMITER_STORE: "redis", REDIS_URL: redis.url, LOG_LEVEL: "silent" });
  const { page } = await signUp(await openBrowser(server), "administrator");
  const store = page.getByRole("definition").nth(1);
  // The store is out of reach, too, when its answer is late.
  await expect(async () => {
    await page.goto("/admin/system");
    expect(await store.textContent()).toBe(
      "Redis, reachedWhen it is out of reach:Every limit: each node counts by itself, up to 50% of what the limit allows.",
    );
  }).toPass();
  await redis.kill();
  await page.reload();
  await expect(store).toContainText("Redis, out of reach");
  await expect(store).toContainText(/: (cannot be used|has not answered)/);
  await expect(store).not.toContainText("127.0.0.1");
  await redis.stop();
});

test("refuses users who are not administrators", async ({ page, openBrowser, faults }) => {
  // The first user of a site is its administrator.
  await signUp(await openBrowser());
  const other = await signUp(await openBrowser());
  faults.expectStatus(403);
  for (const path of pages) {
    const answer = await other.page.goto(path);
    expect(answer?.status()).toBe(403);
    await expect(other.page.getByRole("heading", { level: 2 })).toHaveCount(0);
    await expect(other.page.getByRole("navigation", { name: "Running the site" })).toHaveCount(0);
  }
  await page.goto("/admin");
  await expect(page).toHaveURL("/login?next=%2Fadmin");
});

/** So many people rate one post at once. */
async function flood(server: Server, size: number): Promise<void> {
  const members = await gather(server, size);
  const slug = await publishAs(members[0]);
  for (const member of members) await member.rate(slug, 0);
}

async function publishAs(member: Member | undefined): Promise<string> {
  const answer = await member?.send("POST", "/api/posts", { title: newName("Post"), content: "Words." });
  if (answer?.status !== 201) throw new Error("No post was made.");
  const { slug }: { slug: string } = await answer.json();
  return slug;
}
