/** PostgreSQL gone and back, under load. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../scripts/cluster/cluster.ts";
import { type Blog, newBlog, rate, type Saved } from "./blog.ts";
import { figure } from "./figures.ts";
import { newClient } from "./http-client.ts";
import { startLoad } from "./load.ts";

const raterCount = 60;
let cluster: Cluster;
let blog: Blog;
const client = newClient();

beforeAll(async () => {
  cluster = await startCluster({
    settings: {
      LIMITER_STORE: "database",
      LIMITS: JSON.stringify({
        "rating.post": { capacity: 1_000 },
        "rating.user": { capacity: 1_000 },
        "rating.change": { capacity: 1_000 },
      }),
    },
  });
  blog = await newBlog(cluster.settings, raterCount);
});
afterAll(async () => {
  client.close();
  await blog?.close();
  await cluster?.stop();
});

const ends = [
  { name: "shut down", end: () => cluster.postgres.shutDown() },
  { name: "killed with -9", end: () => cluster.postgres.kill9() },
];

test.each(ends)(
  "PostgreSQL $name and started again: 503 meanwhile, then all goes on, and nothing is lost or half done",
  async ({ name, end }) => {
    const slugs: string[] = [];
    while (slugs.length < 40) slugs.push(await blog.newPost());
    const saved: Saved[] = [];
    const statuses = new Map<number, number>();
    /** Ratings that were answered with 503, to be sent again. */
    const unanswered: number[] = [];
    const sentAgain = new Set<number>();
    let sent = 0;
    const load = startLoad(10, async () => {
      const again = unanswered.shift();
      const number = again ?? sent++;
      if (again !== undefined) sentAgain.add(again);
      const rater = blog.raters[number % raterCount];
      const slug = slugs[Math.floor(number / raterCount)];
      if (!rater || slug === undefined) throw new Error("There are no more posts to rate");
      const origin = cluster.nodes[number % 2]?.origin ?? "";
      const answer = await rate(client, origin, rater, slug, number % 6);
      if (answer.status === 201) saved.push({ slug, userId: rater.id, score: number % 6 });
      if (answer.status === 503) {
        unanswered.push(number);
        expect(answer.headers["content-type"]).toBe("application/problem+json");
        expect(JSON.parse(answer.body)).toMatchObject({ status: 503, title: "Service Unavailable" });
        expect(answer.headers["retry-after"]).toBe("5");
      }
      // PostgreSQL may have committed it without being able to say so.
      if (answer.status === 409 && sentAgain.has(number)) return;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    });
    await load.turns(80);
    await end();
    await load.turns(20);
    for (const { origin } of cluster.nodes) {
      const headers = { Accept: "text/html", Cookie: blog.raters[0]?.cookie ?? "" };
      const page = await client.send(`${origin}/`, { headers });
      expect(page.status).toBe(503);
      expect(page.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "retry-after": "5" });
      expect(page.body).toContain("The site has a problem just now.");
      const ready = await client.send(`${origin}/readyz`);
      expect([ready.status, ready.body]).toEqual([503, expect.stringContaining('"name":"database"')]);
      const feed = await client.send(`${origin}/feed.xml`);
      expect(feed.status).toBe(503);
    }
    await load.turns(40);
    await cluster.postgres.start();
    const startedAt = performance.now();
    for (const { origin } of cluster.nodes)
      await expect.poll(async () => (await client.send(`${origin}/readyz`)).status).toBe(200);
    const tookMs = performance.now() - startedAt;
    const savedBefore = saved.length;
    await load.turns(80);
    await load.stop();
    figure(`${name}: back after ${Math.round(tookMs)} ms`);
    expect(saved.length).toBeGreaterThan(savedBefore);
    expect([...statuses.keys()].toSorted()).toEqual([201, 503]);
    expect(await blog.faults(saved)).toEqual([]);
  },
);

test("a node that is started before PostgreSQL waits for it, and one that cannot use it ends and prints the reason", async () => {
  const [node, other] = cluster.nodes;
  if (!node || !other) throw new Error("There are two nodes");
  await node.kill9();
  await cluster.postgres.shutDown();
  const started = node.start();
  await expect.poll(() => node.log.join("\n")).toContain("PostgreSQL is out of reach, and is tried again");
  await cluster.postgres.start();
  await started;

  await node.kill9();
  const wrong = new URL(cluster.settings.DATABASE_URL ?? "");
  wrong.password = "not-the-password";
  const failure: unknown = await node.start({ DATABASE_URL: wrong.href }).catch((error: unknown) => error);
  expect(String(failure)).toMatch(/ended with 1:[\s\S]*the database cannot be opened, so the server ends/);
  expect(String(failure)).not.toContain(wrong.password);
  await node.start();
});
