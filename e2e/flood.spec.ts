import { gather, type Member } from "./crowd.ts";
import { newName } from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./test.ts";

/**
 * A bucket of the usual size that does not leak while a test runs.
 * Time cannot be stopped over HTTP.
 */
const tightBucket = { LEAKY_BUCKET_CAPACITY: "20", LEAKY_BUCKET_LEAK_PER_SECOND: "0.001" };

test("admits exactly 20 of 60 ratings at one instant, and saves nothing of the others", async ({
  startServer,
}) => {
  const { crowd, slug } = await crowdBeforePost(await startServer(tightBucket), 61);
  const last = crowd.pop();
  const answers = await Promise.all(crowd.map((member) => member.rate(slug, 5)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  const refused = await last?.rate(slug, 0);
  expect(refused?.status).toBe(429);
  expect(refused?.headers.get("Content-Type")).toContain("application/problem+json");
  expect(refused?.headers.get("Cache-Control")).toBe("no-store");
  expect(Number(refused?.headers.get("Retry-After"))).toBeGreaterThan(0);
  const problem: { detail: string } = await refused?.json();
  expect(problem.detail).toContain("Too many requests");
  expect(problem.detail).toContain("your rating was not saved");
  expect(await scoreOf(crowd, slug)).toMatchObject({ average: 5, count: 20, histogram: [0, 0, 0, 0, 0, 20] });
});

async function crowdBeforePost(
  server: Server,
  count: number,
): Promise<{ crowd: [Member, ...Member[]]; slug: string }> {
  const [first, ...others] = await gather(server, count);
  if (!first) throw new Error("A crowd is at least one person.");
  const answer = await first.send("POST", "/api/posts", { title: newName("Flooded"), content: "Words." });
  const { slug }: { slug: string } = await answer.json();
  return { crowd: [first, ...others], slug };
}

async function scoreOf([member]: [Member, ...Member[]], slug: string): Promise<unknown> {
  return (await member.send("GET", `/api/posts/${slug}/score`)).json();
}
