/** One limit over two nodes, under 500 ratings at once. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../scripts/cluster/cluster.ts";
import { type Blog, newBlog, rate } from "./blog.ts";
import { figure } from "./figures.ts";
import { type Answer, newClient } from "./http-client.ts";

const raterCount = 500;
const capacity = 50;
/** So slow that nothing leaks while a test runs. */
const leakPerSecond = 1e-9;
const runs = { redis: 2, database: 1 };

describe.each(["redis", "database"] as const)("with the states in %s", (store) => {
  const runsOfEach = runs[store];
  let cluster: Cluster;
  let blog: Blog;

  beforeAll(async () => {
    cluster = await startCluster({
      // All ratings of a post wait for each other's commits, which would take most of the time.
      postgresSettings: { synchronous_commit: "off" },
      settings: {
        LIMITER_STORE: store,
        LOG_LEVEL: "error",
        LIMITS: JSON.stringify({
          // Closed: a node that decided by itself while Redis is slow would let more through, as it is to.
          "rating.post": { capacity, leakPerSecond, outage: "closed" },
          "rating.user": { mode: "off" },
        }),
      },
    });
    blog = await newBlog(cluster.settings, raterCount);
  });
  afterAll(async () => {
    await blog?.close();
    await cluster?.stop();
  });

  test(`of ${raterCount} ratings at once over two nodes exactly ${capacity} are let through, ${runsOfEach} times`, async () => {
    const origins = cluster.nodes.map(({ origin }) => origin);
    const saved = [];
    let unanswered = 0;
    for (let run = 1; run <= runsOfEach; run += 1) {
      const slug = await blog.newPost();
      // New connections each time: on a slow machine those of the last run are about to end.
      const client = newClient();
      const answers = await Promise.all(
        blog.raters.map((rater, index) =>
          rate(client, origins[index % origins.length] ?? "", rater, slug, index % 6),
        ),
      );
      client.close();
      const counts = countByStatus(answers);
      const admitted = counts[201] ?? 0;
      const unavailable = counts[503] ?? 0;
      expect(admitted + unavailable + (counts[429] ?? 0), `run ${run}`).toBe(raterCount);
      expect(admitted, `run ${run}`).toBeLessThanOrEqual(capacity);
      // Where the machine is too slow to decide all of them in time, those have a 503, and may yet have been counted.
      expect(admitted + unavailable, `run ${run}`).toBeGreaterThanOrEqual(capacity);
      if (unavailable === 0) expect(admitted, `run ${run}`).toBe(capacity);
      unanswered += unavailable;
      saved.push(
        ...blog.raters.flatMap(({ id: userId }, index) =>
          answers[index]?.status === 201 ? [{ slug, userId, score: index % 6 }] : [],
        ),
      );
    }
    // Not all of them went without a decision.
    expect(saved.length).toBeGreaterThanOrEqual(capacity);
    figure(`${store}: ${runsOfEach} runs of ${raterCount}, ${unanswered} not answered in time`);
    expect(await blog.faults(saved)).toEqual([]);
  });
});

function countByStatus(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
