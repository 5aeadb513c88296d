/**
 * Visitors' pages from a node's memory, through nginx.
 * Beside them are pages that the node renders for each request. The same process makes the load on either side, with the
 * same connections: so where nginx is faster than that process can send, the ratio measures that process. Its speed against a server that does nothing is shown.
 */
import { inTurns, medianOf, ratioOf } from "./measure.ts";
import { bytesOf, whileServingBytes } from "./nodes/bare.ts";
import { withBlog } from "./nodes/cluster.ts";
import { startLoadClient, visitorsOf } from "./nodes/load.ts";
import { saveMeasured } from "./nodes/measured.ts";
import { loadedSide } from "./nodes/sides.ts";
import type { Figure } from "./table.ts";

export const title =
  "Visitors' pages per second from memory, through nginx / made anew, from one node directly";

const rounds = 5;
const seconds = 2;
const connections = 16;
/** A cookie that has no other effect on a visitor's page. */
const withoutCopies = "weir-browser=x";

export function run(): Promise<Figure[]> {
  return withBlog({ nodes: 1, users: 100, posts: 30 }, async ({ cluster, slugs, cookieOf }) => {
    const [node] = cluster.nodes;
    if (!node) throw new Error("The cluster has a node");
    const postPage = `/posts/${slugs[0]}`;
    const cookie = await cookieOf(2);
    const bytes = await bytesOf(`${cluster.origin}${postPage}`);
    const client = startLoadClient();
    const visits = (origin: string, path: string, cookie?: string) =>
      loadedSide(client, cluster, () => ({
        origin,
        people: visitorsOf(path, connections).map((person) => ({ ...person, ...(cookie && { cookie }) })),
        seconds,
      }));
    try {
      return await whileServingBytes(bytes, async (bare) => {
        const sides = {
          bare: visits(bare, "/"),
          cachedPost: visits(cluster.origin, postPage),
          post: visits(node.origin, postPage, withoutCopies),
          cachedHome: visits(cluster.origin, "/"),
          home: visits(node.origin, "/", withoutCopies),
          userPost: visits(cluster.origin, postPage, cookie),
        };
        const speeds = await inTurns(rounds, {
          bare: sides.bare.side,
          cachedPost: sides.cachedPost.side,
          post: sides.post.side,
          cachedHome: sides.cachedHome.side,
          home: sides.home.side,
          userPost: sides.userPost.side,
        });
        saveMeasured({
          nodeHitMs: sides.cachedPost.costMs().nodes,
          nodePageMs: sides.post.costMs().nodes,
          databasePageMs: sides.post.costMs().PostgreSQL,
          nodeUserPageMs: sides.userPost.costMs().nodes,
          databaseUserPageMs: sides.userPost.costMs().PostgreSQL,
          nginxHitMs: sides.cachedPost.costMs().nginx,
          nginxPassMs: sides.userPost.costMs().nginx,
        });
        const perSecond = (name: string, measured: readonly number[]): Figure => ({
          name,
          value: medianOf(measured),
          unit: "/s",
        });
        return [
          { name: "post page", value: ratioOf(speeds.cachedPost, speeds.post), target: { atLeast: 10 } },
          { name: "home page", value: ratioOf(speeds.cachedHome, speeds.home), target: { atLeast: 10 } },
          perSecond("post page through nginx", speeds.cachedPost),
          perSecond("post page made anew", speeds.post),
          perSecond("home page through nginx", speeds.cachedHome),
          perSecond("home page made anew", speeds.home),
          perSecond("post page through nginx, with a session", speeds.userPost),
          perSecond(`the load alone, answered with as many bytes (${bytes})`, speeds.bare),
          {
            name: "a page from memory: the node's work",
            value: sides.cachedPost.costMs().nodes,
            unit: "ms",
          },
          {
            name: "a page through nginx: the load's own work",
            value: sides.cachedPost.costMs().client,
            unit: "ms",
          },
          { name: "a page through nginx: nginx's work", value: sides.cachedPost.costMs().nginx, unit: "ms" },
          { name: "a page made anew: the node's work", value: sides.post.costMs().nodes, unit: "ms" },
          {
            name: "a page made anew: PostgreSQL's work",
            value: sides.post.costMs().PostgreSQL,
            unit: "ms",
          },
        ];
      });
    } finally {
      client.stop();
    }
  });
}
