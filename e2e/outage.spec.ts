/** The limiter's states on a Redis server, and that server gone. */
import { type RedisServer, startRedis } from "../testing/redis-server.ts";
import { gather, type Member } from "./crowd.ts";
import { postPath, publish, signUp } from "./people.ts";
import { test as base, expect } from "./test.ts";

const test = base.extend<{ redis: RedisServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
  redis: async ({}, use) => {
    const redis = await startRedis();
    await use(redis);
    await redis.stop();
  },
});

test("in an outage a closed policy answers with a 503 that says so, and a local one decides by itself", async ({
  startServer,
  openBrowser,
  redis,
}) => {
  const server = await startServer({
    LIMITER_STORE: "redis",
    REDIS_URL: redis.url,
    LOG_LEVEL: "silent",
    LIMITS: JSON.stringify({
      "rating.post": { capacity: 6, leakPerSecond: 0.001, outage: "closed" },
      "post.user": { outage: "local" },
    }),
  });
  const reader = await signUp(await openBrowser(server));
  const [refusedMember, first, second, ...others] = await gather(server, 8);
  const slug = await publish(reader);
  for (const member of [first, second]) expect((await member?.rate(slug, 4))?.status).toBe(201);

  const expectOutage = async (count: number) => {
    const refused = await refusedMember?.rate(slug, 0);
    expect(refused?.status).toBe(503);
    expect(refused?.headers.get("Content-Type")).toBe("application/problem+json");
    expect(refused?.headers.get("Retry-After")).toBe("5");
    const problem: { detail: string } = await refused?.json();
    expect(problem.detail).toContain("cannot check its limits just now, so nothing was saved");
    await publish(reader);

    const { page } = reader;
    await page.goto(postPath(slug));
    await page.getByRole("radio", { name: "5 stars" }).check();
    await page.getByRole("button", { name: "Rate", exact: true }).click();
    await expect(
      page.getByRole("status").filter({ hasText: "cannot check its limits just now" }),
    ).toBeVisible();
    await expect(page.getByRole("radio", { name: "5 stars" })).toBeChecked();
    await expect(page.getByRole("region", { name: "Score" })).toContainText(`${count} ratings`);
  };
  // Of each outage's two ratings, Redis may yet count those that it did not decide in time.
  let undecided = 2;
  const rateUntilDecided = async (member: Member): Promise<number> => {
    for (;;) {
      const { status } = await member.rate(slug, 4);
      if (status !== 503) return status;
      undecided += 1;
    }
  };

  redis.pause();
  await expectOutage(2);
  redis.resume();
  // What it had counted it still knows.
  const statuses: number[] = [];
  for (const member of others) statuses.push(await rateUntilDecided(member));
  const saved = statuses.filter((status) => status === 201).length;
  expect(saved).toBeGreaterThanOrEqual(4 - undecided);
  expect(saved).toBeLessThanOrEqual(4);
  expect(statuses.slice(saved)).toEqual(others.slice(saved).map(() => 429));

  await redis.kill();
  await expectOutage(2 + saved);
  await redis.restart();
  // A server that was killed has forgotten what it had counted.
  for (const member of others.slice(saved)) expect(await rateUntilDecided(member)).toBe(201);
});
