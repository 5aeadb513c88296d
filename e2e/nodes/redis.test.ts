/**
 * Redis gone, hung, back, or somewhere else, under three outage settings.
 * One person's ratings are `open`, a post's are `local`, new posts are `closed`.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../scripts/cluster/cluster.ts";
import { type RedisServer, startRedis } from "../../scripts/cluster/start-redis.ts";
import { type Switch, startSwitch } from "../../testing/switch.ts";
import { ratingPath } from "../people.ts";
import { type Blog, newBlog, type Rater, rate } from "./blog.ts";
import { figure } from "./figures.ts";
import { type Answer, newClient } from "./http-client.ts";

/**
 * The requests that all nodes together allow for a post;
 * and those that a node allows by itself.
 */
const limit = 20;
const share = limit / 2;
const before = 10;
const raterCount = 130;
/** So slow that nothing leaks while a test runs. */
const leakPerSecond = 1e-9;
const metricsToken = "token-of-these-tests";
const tries = 9;
const changes = 5;

let cluster: Cluster;
let blog: Blog;
let address: Switch;
let redis: RedisServer;
const client = newClient();

beforeAll(async () => {
  address = await startSwitch();
  cluster = await startCluster({
    settings: {
      LOG_LEVEL: "silent",
      METRICS_TOKEN: metricsToken,
      REDIS_URL: `redis://127.0.0.1:${address.port}`,
      LIMITS: JSON.stringify({
        "rating.change": { capacity: 1, leakPerSecond, outage: "open" },
        "rating.post": { capacity: limit, leakPerSecond, outage: "local", localShare: 0.5 },
        "post.user": { capacity: 1_000, outage: "closed" },
        "post.render": { capacity: 1_000, outage: "closed" },
      }),
    },
  });
  blog = await newBlog(cluster.settings, raterCount);
});
afterAll(async () => {
  client.close();
  await blog?.close();
  await cluster?.stop();
  await address?.stop();
});
beforeEach(async () => {
  redis = await startRedis();
  address.pointTo(redis.port);
  await allBack();
});
afterEach(() => redis.stop());

const faults = [
  {
    name: "killed, and started again without its data",
    begin: () => redis.kill(),
    end: () => redis.restart(),
    // Before, by the nodes' own limits, and once more by Redis, whose counts are lost.
    admittedAtMost: before + limit + limit,
  },
  {
    name: "hung, and going on",
    begin: async () => redis.pause(),
    end: async () => redis.resume(),
    admittedAtMost: limit + limit,
  },
];

test.each(faults)(
  "Redis $name: each policy follows its `outage` at once, and all is as before soon after",
  async (fault) => {
    const slug = await blog.newPost();
    const countedLocally = await admittedBefore(slug);
    await fault.begin();
    await expectOutage(slug, countedLocally);
    await fault.end();
    await expectBack(fault.name);
    const last = await admitted(slug, blog.raters.slice(before + 60, before + 120));
    figure(`${fault.name}: ${before} + ${limit} + ${last}`);
    expect(before + limit + last).toBeLessThanOrEqual(fault.admittedAtMost);
    expect(await blog.faults([])).toEqual([]);
  },
);

test("continues from a replica's data when it replaces a Redis that hangs", async () => {
  const replica = await startRedis();
  try {
    await replica.follow(redis);
    const slug = await blog.newPost();
    const countedLocally = await admittedBefore(slug);
    await replica.caughtUpWith(redis);
    redis.pause();
    await expectOutage(slug, countedLocally);
    await replica.promote();
    address.pointTo(replica.port);
    await expectBack("failed over");
    const earlier = await localDecisions();
    const last = await admitted(slug, blog.raters.slice(before + 60, before + 120));
    const late = (await localDecisions()) - earlier;
    figure(`failed over: ${before} + ${limit} + ${last}, ${late} not answered in time`);
    // Redis counts a request whose answer comes after its time limit, and the node's own limit, used up, refuses it.
    expect(last).toBeGreaterThanOrEqual(limit - before - late);
    // Redis may have counted those, too, after its time limit.
    expect(last).toBeLessThanOrEqual(limit - before + countedLocally);
  } finally {
    redis.resume();
    await replica.stop();
  }
});

/**
 * Rates the post before Redis fails.
 * Resolves to how many of these ratings the nodes counted by themselves. On a busy machine an answer of Redis may come
 * after its time limit.
 */
async function admittedBefore(slug: string): Promise<number> {
  const earlier = await localDecisions();
  expect(await admitted(slug, blog.raters.slice(0, before))).toBe(before);
  return (await localDecisions()) - earlier;
}

/** How often the nodes have decided about ratings of posts without Redis. */
async function localDecisions(): Promise<number> {
  const counts = cluster.nodes.map(async ({ origin }) => {
    const { status, body } = await client.send(`${origin}/metrics`, {
      headers: { Authorization: `Bearer ${metricsToken}` },
    });
    expect(status).toBe(200);
    return Number(/^weir_limiter_outages_total\{policy="rating\.post"\} (\d+)/m.exec(body)?.[1] ?? 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** While Redis is out: the requests that each policy lets through, and how soon. */
async function expectOutage(slug: string, countedLocally: number): Promise<void> {
  for (const { origin } of cluster.nodes) {
    const measured = await blog.newPost();
    const [changer, ...others] = blog.raters;
    const answers: Record<"closed" | "open" | "local", Timed[]> = { closed: [], open: [], local: [] };
    for (let index = 0; index < tries; index += 1) {
      answers.closed.push(await timed(() => publish(origin)));
      if (index < changes) {
        const method = index === 0 ? "POST" : "PUT";
        answers.open.push(await timed(() => change(origin, method, changer, measured)));
      }
    }
    for (const rater of others.slice(0, tries + share))
      answers.local.push(await timed(() => rate(client, origin, rater, measured, 3)));
    expect(answers.closed.map(({ status }) => status)).toEqual(Array(tries).fill(503));
    expect(answers.closed[0]?.body).toContain("cannot accept this just now, so nothing was saved");
    // One change a person would be the limit.
    expect(answers.open.map(({ status }) => status)).toEqual([201, ...Array(changes - 1).fill(200)]);
    // Of those, the first rating counted for the post's first ratings.
    const isAllowed = (_: unknown, index: number) => (index < share - 1 ? 201 : 429);
    expect(answers.local.map(({ status }) => status)).toEqual(answers.local.map(isAllowed));
    for (const [policy, times] of Object.entries(answers)) {
      const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
      figure(`${policy}: median ${Math.round(median)} ms, ${sorted.map(Math.round).join(" ")}`);
    }
  }
  // Both nodes together: no more than the limit.
  expect(await admitted(slug, blog.raters.slice(before, before + 60))).toBe(limit - countedLocally);
  expect(await localDecisions()).toBeGreaterThan(countedLocally);
}

interface Timed extends Answer {
  ms: number;
}

async function timed(request: () => Promise<Answer>): Promise<Timed> {
  const startedAt = performance.now();
  const answer = await request();
  return { ...answer, ms: performance.now() - startedAt };
}

/** How many of these may rate the post, half of them at each node, all at once. */
async function admitted(slug: string, raters: readonly Rater[]): Promise<number> {
  const answers = await Promise.all(
    raters.map((rater, index) =>
      rate(client, cluster.nodes[index % cluster.nodes.length]?.origin ?? "", rater, slug, 4),
    ),
  );
  const others = answers.filter(({ status }) => status !== 201 && status !== 429);
  expect(others.map(({ status, body }) => `${status} ${body}`)).toEqual([]);
  return answers.filter(({ status }) => status === 201).length;
}

async function expectBack(what: string): Promise<void> {
  const startedAt = performance.now();
  await allBack();
  const tookMs = performance.now() - startedAt;
  figure(`${what}: back after ${Math.round(tookMs)} ms`);
}

/** Resolves when no node reports any more that it cannot check. */
async function allBack(): Promise<void> {
  for (const { origin } of cluster.nodes) await expect.poll(() => statusOf(publish(origin))).toBe(201);
}

async function statusOf(answer: Promise<Answer>): Promise<number> {
  return (await answer).status;
}

function publish(origin: string): Promise<Answer> {
  return client.send(`${origin}/api/posts`, {
    method: "POST",
    headers: { Cookie: blog.raters.at(-1)?.cookie ?? "", "Content-Type": "application/json" },
    body: JSON.stringify({ title: "A post", content: "Words." }),
  });
}

function change(origin: string, method: string, rater: Rater | undefined, slug: string): Promise<Answer> {
  return client.send(origin + ratingPath(slug), {
    method,
    headers: { Cookie: rater?.cookie ?? "", "Content-Type": "application/json" },
    body: JSON.stringify({ score: 2 }),
  });
}
