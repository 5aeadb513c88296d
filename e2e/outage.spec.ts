/** The limiter's states on a Redis server, and that server gone. */
import { setTimeout as sleep } from "node:timers/promises";
import { type RedisServer, startRedis } from "../scripts/cluster/start-redis.ts";
import { gather, type Member } from "./crowd.ts";
import { giveStars, postPath, publish, signUp } from "./people.ts";
import { test as base, expect } from "./test.ts";

const test = base.extend<{ redis: RedisServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
  redis: async ({}, use) => {
    const redis = await startRedis();
    await use(redis);
    await redis.stop();
  },
});

test("in an outage a closed policy answers with a 503 that explains it, and a local one decides by itself", async ({
  startServer,
  openBrowser,
  redis,
}) => {
  const server = await startServer({
    LIMITER_STORE: "redis",
    REDIS_URL: redis.url,
    LOG_LEVEL: "silent",
    LIMITS: JSON.stringify({
      "rating.post": { capacity: 5, leakPerSecond: 0.0001, outage: "closed" },
      "post.user": { outage: "local" },
    }),
  });
  const reader = await signUp(await openBrowser(server));
  const [first, second, refused, ...later] = await gather(server, 8);
  const slug = await publish(reader);
  for (const member of [first, second]) expect((await member?.rate(slug, 4))?.status).toBe(201);

  const expectOutage = async () => {
    const response = await refused?.rate(slug, 0);
    expect(response?.status).toBe(503);
    expect(response?.headers.get("Content-Type")).toBe("application/problem+json");
    expect(response?.headers.get("Retry-After")).toBe("5");
    const problem: { detail: string } = await response?.json();
    expect(problem.detail).toContain("cannot accept this just now, so nothing was saved");
    await publish(reader);

    const { page } = reader;
    await page.goto(postPath(slug));
    await giveStars(page, "5 stars");
    await expect(page.getByRole("status").filter({ hasText: "cannot accept this just now" })).toBeVisible();
    await expect(page.getByRole("radio", { name: "5 stars" })).toBeChecked();
    await expect(page.getByRole("region", { name: "Score" })).toContainText("2 ratings");
  };
  // A request that is answered with 503, in the outage or on an overloaded machine, is not saved, and may yet be counted.
  const rateAll = async () => {
    let undecided = 0;
    const rateUntilDecided = async (member: Member): Promise<number> => {
      for (;;) {
        const { status } = await member.rate(slug, 4);
        if (status !== 503) return status;
        undecided += 1;
        await sleep(100);
      }
    };
    const statuses = await Promise.all(later.map(rateUntilDecided));
    const saved = later.filter((_, index) => statuses[index] === 201);
    expect(statuses.filter((status) => status === 429)).toHaveLength(later.length - saved.length);
    return { saved, undecided };
  };
  const requestsInOutage = 2;

  redis.pause();
  await expectOutage();
  redis.resume();
  // It still has its counts: of the five that fit, two were saved before.
  const resumed = await rateAll();
  expect(resumed.saved.length).toBeLessThanOrEqual(3);
  expect(resumed.saved.length + resumed.undecided).toBeGreaterThanOrEqual(3 - requestsInOutage);
  for (const member of resumed.saved)
    expect((await member.send("DELETE", `/api/posts/${slug}/rating`)).status).toBe(204);

  await redis.kill();
  await expectOutage();
  await redis.restart();
  // A killed server has forgotten its counts.
  const restarted = await rateAll();
  expect(restarted.saved.length + restarted.undecided).toBeGreaterThanOrEqual(5 - requestsInOutage);
});
