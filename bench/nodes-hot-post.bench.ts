/**
 * One post, rated by 200 people at once through nginx and two nodes.
 * They also change their ratings, on PostgreSQL and Redis. The limits are checked, and are so wide that they refuse no
 * rating: the measured part is the post's own lock, which its ratings pass one after the other. Every rating that was
 * answered with success must be in the post's final score.
 */
import { z } from "zod";
import { medianOf } from "./measure.ts";
import { withBlog } from "./nodes/cluster.ts";
import { failures, type Loaded, perSecond, startLoadClient } from "./nodes/load.ts";
import { saveMeasured } from "./nodes/measured.ts";
import { rater } from "./nodes/ratings.ts";
import type { Figure } from "./table.ts";

export const title = "One post under 200 raters at once, two nodes, PostgreSQL and Redis";

const raters = 200;
const changes = 9;
const posts = 3;

export function run(): Promise<Figure[]> {
  return withBlog({ nodes: 2, users: raters, posts }, async (blog) => {
    const { origin } = blog.cluster;
    const client = startLoadClient();
    try {
      const runs: Loaded[] = [];
      // One post after the other: the first compiles code and fills caches, and is not counted.
      for (const slug of blog.slugs) {
        const people = Array.from({ length: raters }, (_, index) => rater(blog, index + 1, [slug], changes));
        const run = await client.runAnyway({ origin, people: await Promise.all(people) });
        runs.push(run);
        await requireRaters(origin, slug, run.answers["201"] ?? 0);
      }
      const counted = runs.slice(1);
      const median = (of: (run: Loaded) => number) => medianOf(counted.map(of));
      const hotPostPerSecond = median(perSecond);
      saveMeasured({ hotPostPerSecond });
      return [
        {
          name: `errors (${answersOf(runs)}) among ${runs.length * raters * (changes + 1)} ratings`,
          value: runs.reduce((sum, run) => sum + failures(run), 0),
          target: { below: 1 },
        },
        { name: "ratings", value: hotPostPerSecond, unit: "/s" },
        { name: "answered within, half of them", value: median((run) => run.latencyMs.median), unit: "ms" },
        { name: "answered within, 99 of 100", value: median((run) => run.latencyMs.p99), unit: "ms" },
        { name: "the slowest", value: median((run) => run.latencyMs.highest), unit: "ms" },
      ];
    } finally {
      client.stop();
    }
  });
}

/** Throws unless the post's score has one rating of each rater that got a success. */
async function requireRaters(origin: string, slug: string, raters: number): Promise<void> {
  const answer = await fetch(`${origin}/api/posts/${slug}/score`);
  const { count } = z.object({ count: z.number() }).parse(await answer.json());
  if (count !== raters) throw new Error(`${raters} people have rated the post, and it has ${count} ratings.`);
}

/** The number of unsuccessful answers by status. */
function answersOf(runs: readonly Loaded[]): string {
  const bad = new Map<string, number>();
  for (const { answers } of runs)
    for (const [status, count] of Object.entries(answers))
      if (!status.startsWith("2")) bad.set(status, (bad.get(status) ?? 0) + count);
  return [...bad].map(([status, count]) => `${count} of ${status}`).join(", ") || "none";
}
