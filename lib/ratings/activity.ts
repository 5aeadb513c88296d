/**
 * The tries to rate a post over time, and its flood windows with what was decided about them; for its author and
 * administrators and nobody else: to an attacker they would be a guide.
 */
import type { Database, SavedWindowDecision } from "../../db/index.ts";
import { mayEdit } from "../posts/index.ts";
import type { User } from "../users/index.ts";
import type { FloodWindow } from "./flood-window.ts";
import type { Counts } from "./score.ts";
import { mayDecide, windowDecisionsOf } from "./windows.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How far back one may look; null is as far as there is anything. */
export const spans = { hour: hourMs, day: dayMs, month: 30 * dayMs, all: null } as const;
export type Span = keyof typeof spans;

const intervalsMaximum = 60;
const intervalsMs = [
  secondMs,
  10 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  3 * hourMs,
  12 * hourMs,
  dayMs,
];
const latestMaximum = 50;

export interface Interval {
  /** When it begins, in milliseconds. */
  from: number;
  /** Saved, and counted when it came. */
  accepted: number;
  /** Saved, but in a flood window that did not count then. */
  held: number;
  refused: number;
  /**
   * Of the levels in it, which are what the post's own policy measured before each decision; null when nothing was. The
   * highest tells how near a bucket's level, a count or a Z came to a refusal; of tokens the lowest does.
   */
  lowest: number | null;
  highest: number | null;
}

/** How a policy in shadow compares with what was decided. */
export interface ShadowComparison {
  policy: string;
  agreed: number;
  /** Where they disagreed, in the order of time. */
  disagreements: {
    /** When the interval begins, in milliseconds. */
    from: number;
    /** Accepted, but it would have been refused. */
    wouldRefuse: number;
    /** Refused or held, but it would have been accepted. */
    wouldAccept: number;
  }[];
}

export type Activity = Awaited<ReturnType<typeof activityBetween>>;

export type WindowDecision = SavedWindowDecision;

export interface PostActivity {
  title: string;
  /** Whether whoever asked wrote the post. */
  isAuthor: boolean;
  /** The ratings that count. */
  counts: Counts;
  /** All that there were, the newest first. */
  windows: readonly FloodWindow[];
  /** The newest decisions on them, the newest first. */
  decisions: readonly WindowDecision[];
  /** Within the span. */
  activity: Activity;
}

/** What happened to a post's ratings, the tries within a span that ends at `now`. */
export async function activityOf(
  { database }: { database: Database },
  { slug, user, span, now }: { slug: string; user: User; span: Span; now: number },
): Promise<({ kind: "activity" } & PostActivity) | { kind: "forbidden" } | { kind: "no-such-post" }> {
  const post = await database.posts.bySlug(slug);
  if (!post) return { kind: "no-such-post" };
  if (!mayDecide(post, user)) return { kind: "forbidden" };
  const spanMs = spans[span];
  const from =
    spanMs === null ? ((await database.attempts.span(post.id)).first ?? now - hourMs) : now - spanMs;
  return {
    kind: "activity",
    title: post.title,
    isAuthor: mayEdit(post, user),
    counts: post.counts,
    windows: await database.floodWindows.all(post.id),
    decisions: await windowDecisionsOf({ database }, post.id),
    activity: await activityBetween(database, post.id, from, now),
  };
}

async function activityBetween(database: Database, postId: number, from: number, now: number) {
  const intervalMs =
    intervalsMs.find((each) => (now - from) / each <= intervalsMaximum) ??
    Math.ceil((now - from) / intervalsMaximum / dayMs) * dayMs;
  // Intervals begin at round times, so that the same moment falls into the same one at each reading.
  const begin = Math.floor(from / intervalMs) * intervalMs;
  const counted = new Map(
    (await database.attempts.perInterval(postId, begin, intervalMs)).map((row) => [row.interval, row]),
  );
  const length = Math.floor((now - begin) / intervalMs) + 1;
  const intervals = Array.from({ length }, (_, index): Interval => {
    const { accepted = 0, held = 0, refused = 0, lowest = null, highest = null } = counted.get(index) ?? {};
    return { from: begin + index * intervalMs, accepted, held, refused, lowest, highest };
  });
  const latest = await database.attempts.latest(postId, latestMaximum);
  const shadows = comparisons(
    await database.attempts.disagreements(postId, begin, intervalMs),
    begin,
    intervalMs,
  );
  return { intervals, intervalMs, latest, shadows };
}

function comparisons(
  rows: Awaited<ReturnType<Database["attempts"]["disagreements"]>>,
  begin: number,
  intervalMs: number,
): ShadowComparison[] {
  return [...Map.groupBy(rows, ({ policy }) => policy)].map(([policy, ofPolicy]) => ({
    policy,
    agreed: ofPolicy.reduce((sum, { agreed }) => sum + agreed, 0),
    disagreements: ofPolicy
      .filter(({ wouldRefuse, wouldAccept }) => wouldRefuse + wouldAccept > 0)
      .map(({ interval, wouldRefuse, wouldAccept }) => ({
        from: begin + interval * intervalMs,
        wouldRefuse,
        wouldAccept,
      })),
  }));
}
