/**
 * The memory of a node after 100,000 requests, beside that after 10,000.
 *
 * The score as JSON mostly, lists as JSON, pages of readers with a session, and ratings.
 *
 * Two measures, for two questions. The heap after a collection shows whether objects are kept that should be gone: it
 * contains no garbage. Resident memory is the machine's share; it grows at first with the heap that the engine allows
 * itself under load.
 */
import { residentMebibytes } from "../testing/resident-memory.ts";
import { withBlog } from "./nodes/cluster.ts";
import { heapMebibytes, inspectable } from "./nodes/heap.ts";
import { type LoadRequest, type LoadUser, startLoadClient } from "./nodes/load.ts";
import { rater } from "./nodes/ratings.ts";
import type { Figure } from "./table.ts";

export const title = "The memory of a node after 100,000 requests / after 10,000";

const people = 16;
const requestsEach = 125;
const posts = 30;

export function run(): Promise<Figure[]> {
  return withBlog({ nodes: 1, users: people, posts, settings: inspectable }, async (blog) => {
    const [node] = blog.cluster.nodes;
    if (!node) throw new Error("The cluster has a node");
    const { origin } = node;
    const client = startLoadClient();
    try {
      const raters = await Promise.all(
        Array.from({ length: people }, (_, index) =>
          rater(blog, index + 1, [blog.slugs[index % posts] ?? ""], 6),
        ),
      );
      await client.run({ origin, people: raters.map(firstRating) });
      const readers = raters.map((person) => ({ ...person, requests: mixed(person, blog.slugs) }));
      const requestsAtOnce = people * requestsEach;
      await client.run({ origin, people: readers, times: 10_000 / requestsAtOnce });
      const early = { resident: residentMebibytes(node.pid), heap: await heapMebibytes(node) };
      await client.run({ origin, people: readers, times: 90_000 / requestsAtOnce });
      const late = { resident: residentMebibytes(node.pid), heap: await heapMebibytes(node) };
      return [
        { name: "heap after a collection", value: late.heap / early.heap, target: { below: 1.1 } },
        { name: "resident memory", value: late.resident / early.resident, target: { below: 1.1 } },
        { name: "heap after a collection, after 10,000", value: early.heap, unit: "MiB" },
        { name: "heap after a collection, after 100,000", value: late.heap, unit: "MiB" },
        { name: "resident memory, after 10,000", value: early.resident, unit: "MiB" },
        { name: "resident memory, after 100,000", value: late.resident, unit: "MiB" },
      ];
    } finally {
      client.stop();
    }
  });
}

function firstRating(person: LoadUser): LoadUser {
  return { ...person, requests: person.requests.slice(0, 1) };
}

/** One person's requests: five changes of their rating, and all posts in turn. */
function mixed({ requests: [, ...changes] }: LoadUser, slugs: readonly string[]): LoadRequest[] {
  return Array.from({ length: requestsEach }, (_, index): LoadRequest => {
    const change = changes[Math.floor(index / 25)];
    const slug = slugs[index % slugs.length] ?? "";
    if (index % 25 === 0 && change) return change;
    if (index % 25 === 8) return { method: "GET", path: `/posts/${slug}` };
    if (index % 50 === 16) return { method: "GET", path: "/" };
    if (index % 12 === 5) return { method: "GET", path: "/api/posts?limit=5" };
    return { method: "GET", path: `/api/posts/${slug}/score` };
  });
}
