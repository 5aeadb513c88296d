/**
 * The attempts to rate a post over time, its flood windows and their decisions.
 * Only for the post's author, administrators and, where there was a flood, moderators: an attacker could learn from it.
 */
import type { Database, ReviewRequest, SavedWindowDecision, ShownWindow } from "../../../db/index.ts";
import { findPost, mayEdit } from "../../posts/index.ts";
import { dayMs, hourMs, minuteMs } from "../../time/units.ts";
import type { User } from "../../users/index.ts";
import type { Counts } from "../score/score.ts";
import { publicScore } from "../tally/public-score.ts";
import type { ScoringContext } from "../types.ts";
import { type AccountAges, accountAgesOf } from "./account-ages.ts";
import { type DecisionRight, decidesOn, decisionRightOf, maySeeActivity } from "./deciders.ts";
import { type FloodPreview, previewsOf } from "./flood-previews.ts";
import { windowDecisionsOf } from "./flood-window-decisions.ts";

/** Selectable lengths of time; null is the post's whole life. */
const spans = { hour: hourMs, day: dayMs, month: 30 * dayMs, all: null } as const;
export type ActivitySpan = keyof typeof spans;

const intervalsMaximum = 60;
/** Those below an hour are for at most two days: so long are minutes kept. */
const intervalsMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 12 * hourMs, dayMs];
const latestMaximum = 50;

export interface Interval {
  /** Start in milliseconds. */
  from: number;
  /** Saved and counted at once. */
  accepted: number;
  /** Saved in a flood window that was not counted at the time. */
  held: number;
  refused: number;
  /**
   * Of the levels that the post's policy measured before each decision.
   * Null without any. The highest shows how near a bucket's level, a count or a Z came to a refusal; of tokens the
   * lowest does.
   */
  lowest: number | null;
  highest: number | null;
}

/** How a shadow policy's decisions compare with the actual ones. */
export interface ShadowComparison {
  policy: string;
  agreed: number;
  /** Intervals with disagreements, oldest first. */
  disagreements: {
    /** The interval's start in milliseconds. */
    from: number;
    /** Accepted, but the shadow policy would have refused. */
    wouldRefuse: number;
    /** Refused or held, but the shadow policy would have accepted. */
    wouldAccept: number;
  }[];
}

export type Activity = Awaited<ReturnType<typeof activityBetween>>;

export type { SavedWindowDecision };

export interface PostActivity {
  title: string;
  /** Its language; null for an unknown one. */
  lang: string | null;
  /** Whether the user wrote the post. */
  isAuthor: boolean;
  /** Counted ratings only. */
  counts: Counts;
  /** The settled score; null without ratings. */
  score: number | null;
  /** All windows, newest first. */
  windows: readonly ShownWindow[];
  /** The latest decisions on the windows, newest first. */
  decisions: readonly SavedWindowDecision[];
  /** The author's open requests to review windows. */
  requests: readonly ReviewRequest[];
  /** On which windows the user decides; on the others an author requests a review. */
  decisionRight: DecisionRight | null;
  /** The scores that each decision would give, for windows without a final one. */
  previews: readonly FloodPreview[];
  /**
   * The raters and the ages of their accounts, for the newest windows.
   * Only for deciders, who can change a decision.
   */
  accounts: readonly AccountAges[];
  activity: Activity;
}

/** The post's activity; attempts within the span that ends at `now`. */
export async function activityOf(
  { database, scoring }: ScoringContext,
  { slug, user, span, now }: { slug: string; user: User; span: ActivitySpan; now: number },
): Promise<({ kind: "activity" } & PostActivity) | { kind: "forbidden" } | { kind: "no-such-post" }> {
  const post = await findPost({ database }, slug, user);
  if (!post) return { kind: "no-such-post" };
  if (!maySeeActivity(post, user)) return { kind: "forbidden" };
  const spanMs = spans[span];
  const from =
    spanMs === null ? ((await database.attempts.span(post.id)).first ?? now - hourMs) : now - spanMs;
  const windows = await database.shownFloods.ofPost(post.id);
  const decisionRight = await decisionRightOf(database, post, user);
  const decidable = windows.filter((window) => decidesOn(decisionRight, window));
  const undecidable = windows.filter((window) => !decidesOn(decisionRight, window));
  const showsRaterAt = (at: number) =>
    decidesOn(decisionRight, { openedAt: at }) &&
    !undecidable.some(({ openedAt, lastAt }) => openedAt <= at && at <= lastAt);
  const requests = await database.reviewRequests.openOf(post.id);
  const requested = new Set(requests.map(({ window }) => window));
  return {
    kind: "activity",
    title: post.title,
    lang: post.lang,
    isAuthor: mayEdit(post, user),
    counts: post.counts,
    score: publicScore(post, now, scoring).settled,
    windows,
    decisions: await windowDecisionsOf({ database }, post.id),
    requests,
    decisionRight,
    previews: await previewsOf(database, post, windows, requested, now, scoring),
    accounts: await accountAgesOf(database, post.id, decidable),
    activity: await activityBetween(database, post.id, from, now, showsRaterAt),
  };
}

async function activityBetween(
  database: Database,
  postId: number,
  from: number,
  now: number,
  showsRaterAt: (at: number) => boolean,
) {
  const intervalMs =
    intervalsMs.find((each) => (now - from) / each <= intervalsMaximum) ??
    Math.ceil((now - from) / intervalsMaximum / dayMs) * dayMs;
  // Intervals begin at round times, so that an attempt stays in the same interval on each load.
  const begin = Math.floor(from / intervalMs) * intervalMs;
  const counted = new Map(
    (await database.attempts.perInterval(postId, begin, intervalMs)).map((row) => [row.interval, row]),
  );
  const length = Math.floor((now - begin) / intervalMs) + 1;
  const intervals = Array.from({ length }, (_, index): Interval => {
    const { accepted = 0, held = 0, refused = 0, lowest = null, highest = null } = counted.get(index) ?? {};
    return { from: begin + index * intervalMs, accepted, held, refused, lowest, highest };
  });
  const attempts = await database.attempts.latest(postId, latestMaximum);
  // An author sees the number of ratings of each score, but no raters. A decider sees the raters of their own windows.
  const latest = attempts.map(({ username, score, ...attempt }) => ({
    ...attempt,
    rater: showsRaterAt(attempt.at) ? { username, score } : undefined,
  }));
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
