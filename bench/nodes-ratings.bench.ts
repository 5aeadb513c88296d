/**
 * Ratings through nginx and two nodes, beside nginx and one.
 *
 * Many people, many posts, each rated and then changed once, on PostgreSQL and Redis. All of it and the load itself
 * share the machine's processors, so the ratio means little by itself: beside it stands each part's share of a
 * processor, 1.00 being one of them all the time.
 */
import { availableParallelism } from "node:os";
import { startNginx } from "../scripts/cluster/start-nginx.ts";
import { inTurns, medianOf, ratioOf } from "./measure.ts";
import { whileServingBytes } from "./nodes/bare.ts";
import { type Blog, withBlog } from "./nodes/cluster.ts";
import { type Load, startLoadClient, visitorsOf } from "./nodes/load.ts";
import { saveMeasured } from "./nodes/measured.ts";
import { rater } from "./nodes/ratings.ts";
import { type LoadedSide, loadedSide } from "./nodes/sides.ts";
import type { Figure } from "./table.ts";

export const title = `Ratings per second through nginx and two nodes / and one, ${availableParallelism()} processors for all of it`;

const rounds = 6;
const raters = 24;
const postsEach = 10;
const posts = 200;
// Each side has people of its own in each round, the one that is not counted too.
const users = 2 * raters * (rounds + 1);

export function run(): Promise<Figure[]> {
  return withBlog({ nodes: 2, users, posts }, async (blog) => {
    const { cluster } = blog;
    const [first] = cluster.nodes;
    if (!first) throw new Error("The cluster has nodes");
    const beforeOne = await startNginx([new URL(first.origin).host]);
    const client = startLoadClient();
    try {
      return await whileServingBytes(20, async (bare) => {
        const alone = loadedSide(client, cluster, () => ({
          origin: bare,
          people: visitorsOf("/", raters),
          seconds: 0.5,
        }));
        const two = loadedSide(client, cluster, (round) => ratings(blog, cluster.origin, round * 2));
        const one = loadedSide(client, cluster, (round) => ratings(blog, beforeOne.origin, round * 2 + 1));
        const speeds = await inTurns(rounds, { alone: alone.side, two: two.side, one: one.side });
        const cost = two.costMs();
        saveMeasured({
          nodeRatingMs: cost.nodes,
          databaseRatingMs: cost.PostgreSQL,
          redisRatingMs: cost.Redis,
        });
        return [
          { name: "two nodes / one", value: ratioOf(speeds.two, speeds.one) },
          { name: "two nodes", value: medianOf(speeds.two), unit: "/s" },
          { name: "one node", value: medianOf(speeds.one), unit: "/s" },
          {
            name: "the load alone, answered with as many bytes",
            value: medianOf(speeds.alone),
            unit: "/s",
          },
          ...work("two nodes", two),
          ...work("one node", one),
        ];
      });
    } finally {
      client.stop();
      await beforeOne.stop();
    }
  });
}

/** People who have not rated yet, and posts that lie apart from each other's. */
async function ratings(blog: Blog, origin: string, batch: number): Promise<Load> {
  const people = Array.from({ length: raters }, (_, index) => {
    const slugs = Array.from(
      { length: postsEach },
      (_, post) => blog.slugs[(index * postsEach + post * 7) % posts] ?? "",
    );
    return rater(blog, batch * raters + index + 1, slugs, 1);
  });
  return { origin, people: await Promise.all(people) };
}

function work(of: string, side: LoadedSide): Figure[] {
  const [busy, cost] = [side.busy(), side.costMs()];
  return (["nodes", "PostgreSQL", "Redis", "nginx", "client"] as const).map((part) => ({
    name: `${of}: ${part === "client" ? "the load itself" : part}, ${cost[part].toFixed(2)} ms a rating`,
    value: busy[part],
    unit: "processors",
  }));
}
