/**
 * A post's own recorded attempts, as a trace, for its author only.
 * The times of refusals would help an attacker.
 */
import type { Database } from "../../db/index.ts";
import { mayEdit } from "../posts/index.ts";
import type { User } from "../users/index.ts";
import type { TraceRequest } from "./simulate.ts";
import { largestTrace, longestTraceMs } from "./traces.ts";

interface RecordedTrace {
  title: string;
  requests: TraceRequest[];
  /** Whether there are older attempts than these: a trace has bounds. */
  isCut: boolean;
}

export async function recordedTrace(
  { database }: { database: Database },
  { slug, user }: { slug: string; user: User },
): Promise<{ kind: "trace"; trace: RecordedTrace } | { kind: "forbidden" } | { kind: "no-such-post" }> {
  const post = await database.posts.bySlug(slug);
  if (!post) return { kind: "no-such-post" };
  if (!mayEdit(post, user)) return { kind: "forbidden" };
  // One more than is shown, to know whether older ones exist.
  const newest = await database.attempts.times(post.id, largestTrace + 1);
  const earliest = (newest.at(-1) ?? 0) - longestTraceMs;
  const within = newest.slice(-largestTrace).filter((at) => at >= earliest);
  const requests = within.map((at) => ({ at }));
  return {
    kind: "trace",
    trace: { title: post.title, requests, isCut: within.length < newest.length },
  };
}
