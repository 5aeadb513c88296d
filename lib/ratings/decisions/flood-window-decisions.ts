/** Flood windows as readers see them, and the decisions on them. */
import { z } from "zod";
import type { Database, SavedWindowDecision, ShownWindow, WindowOfPost } from "../../../db/index.ts";
import { decidedStatuses } from "../../../db/types.ts";
import { translator } from "../../i18n/index.ts";
import { pageOf } from "../../paging/page-of.ts";
import { placeFrom, timeCursor } from "../../paging/time-cursor.ts";
import type { User } from "../../users/index.ts";
import { type Invalid, reason, validate } from "../../validation.ts";
import type { FloodWindow } from "../floods/flood-window.ts";
import { type Counts, scoreFrom } from "../score/score.ts";
import type { SettledState } from "../score/settled-score.ts";
import { saveReplayed } from "../tally/saved-replay.ts";
import { saveTally, withWindows } from "../tally/saved-tally.ts";
import { windowOf, withEverythingCounted } from "../tally/tally.ts";
import { advanceTo, decisionReplays, withWindowDecided } from "../tally/tally-windows.ts";
import type { ScoringContext } from "../types.ts";
import { type DeciderRole, decidesOn, decisionRightOf, isDecider } from "./deciders.ts";

/** Most decisions listed for a post. */
export const decisionsMaximum = 100;
const decisionBefore = () => translator("validation")("decision.after");

const decisionSchema = z.object(
  {
    status: z.enum(decidedStatuses, { error: () => translator("validation")("decision.status") }),
    why: reason,
    after: z.coerce.number({ error: decisionBefore }).int({ error: decisionBefore }),
  },
  "A decision is an object with status, why and after.",
);

interface WindowDecisionRequest {
  slug: string;
  /** The window's number. */
  number: number;
  user: User;
  /**
   * Unvalidated: `{ status: "counted" | "excluded", why, after }`.
   * `after` is the window's `decisions` as shown.
   */
  input: unknown;
  /** Milliseconds. */
  now: number;
}

type WindowDecisionOutcome =
  | { kind: "decided" }
  /** Another decision was made in the meantime; nothing was changed. */
  | { kind: "already-decided" }
  | Invalid
  | { kind: "forbidden" }
  | { kind: "no-such-post" }
  | { kind: "no-such-window" };

/**
 * Counts or excludes a window, after any earlier decision.
 * One row and six counters. An exclusion, and its end, replay the counted ratings. Answers the author's request for a
 * review, if there is one.
 */
export async function decideWindow(
  { database, scoring }: ScoringContext,
  { slug, number, user, input, now }: WindowDecisionRequest,
): Promise<WindowDecisionOutcome> {
  const checked = validate(decisionSchema, input);
  return database.transaction(async (): Promise<WindowDecisionOutcome> => {
    const post = await database.posts.lock(slug);
    if (!post) return { kind: "no-such-post" };
    const decisionRight = await decisionRightOf(database, post, user);
    if (!decisionRight) return { kind: "forbidden" };
    const loaded = await withWindows(database, post.id, post.tally, number);
    const advanced = advanceTo(loaded, now, scoring);
    const window = windowOf(advanced, number);
    if (!window) return { kind: "no-such-window" };
    if (!decidesOn(decisionRight, window)) return { kind: "forbidden" };
    if (!checked.ok) return { kind: "invalid", errors: checked.errors };
    const { status, why, after } = checked.value;
    if (window.decisions !== after) return { kind: "already-decided" };
    const tally = withWindowDecided(advanced, now, number, status, scoring);
    const person = { userId: user.id, role: decisionRight.role, why };
    if (decisionReplays(window, status))
      await saveReplayed(database, post.id, loaded, tally, now, scoring, { person });
    else await saveTally(database, post.id, loaded, tally, scoring, person);
    await database.reviewRequests.answer(post.id, number, now);
    return { kind: "decided" };
  });
}

/** A post's floods as any reader may see them. */
export interface Floods {
  /** Newest first. */
  windows: readonly ShownWindow[];
  /**
   * All ratings by day, counted or not.
   * `day` is the number of the UTC day since 1970.
   */
  days: readonly { day: number; counts: Counts }[];
  /** The counters as if all windows were counted. */
  everything: Counts;
  /** The counters, and the state of the settled score. */
  counts: Counts;
  settled: SettledState;
  /** The windows whose ratings do not count, the most important first. */
  uncounted: readonly ShownWindow[];
  /** The role of the person who decided on the first of these; null without a person. */
  decider: DeciderRole | null;
  /**
   * The last decision on each window that a person decided on.
   * As far back as decisions are listed.
   */
  decisions: readonly SavedWindowDecision[];
}

export async function floodsOf(
  { database }: Pick<ScoringContext, "database">,
  post: { id: number; counts: Counts; settled: SettledState; windowCount: number },
): Promise<Floods> {
  const [windows, days] = await Promise.all([
    post.windowCount === 0 ? [] : database.shownFloods.ofPost(post.id),
    database.ratings.days(post.id),
  ]);
  const uncounted = uncountedOf(windows);
  const [first] = uncounted;
  const [decider, decisions] = await Promise.all([
    first ? deciderOf(database, post.id, first) : null,
    windows.some(({ decidedBy }) => decidedBy === "person") ? windowDecisionsOf({ database }, post.id) : [],
  ]);
  return {
    windows,
    days,
    everything: withEverythingCounted(post.counts, windows),
    counts: post.counts,
    settled: post.settled,
    uncounted,
    decider,
    decisions: lastByPerson(decisions),
  };
}

/** The last decision on each window, unless no person made it; newest first. */
function lastByPerson(decisions: readonly SavedWindowDecision[]): SavedWindowDecision[] {
  const last = [...Map.groupBy(decisions, ({ window }) => window).values()].flatMap(([first]) => first ?? []);
  return last.filter(({ decidedBy }) => decidedBy === "person");
}

/**
 * Windows with ratings that do not count.
 * Held ones first, newest first among each.
 */
export function uncountedOf<Window extends FloodWindow>(windows: readonly Window[]): Window[] {
  const withRatings = windows.filter(({ counts }) => scoreFrom(counts).count > 0);
  const of = (status: FloodWindow["status"]) => withRatings.filter((window) => window.status === status);
  return [...of("held"), ...of("excluded")];
}

async function deciderOf(
  { floodWindows }: Database,
  postId: number,
  { number, decidedBy }: FloodWindow,
): Promise<DeciderRole | null> {
  if (decidedBy !== "person") return null;
  return (await floodWindows.lastDecisionOn(postId, number))?.role ?? null;
}

/** The latest decisions on a post's windows, newest first. */
export function windowDecisionsOf({ database }: Pick<ScoringContext, "database">, postId: number) {
  return database.floodWindows.decisionsOf(postId, decisionsMaximum);
}

export type { DeciderRole, SavedWindowDecision, ShownWindow, WindowOfPost };

/**
 * A page of a list of flood windows.
 * The cursor of the next page is null on the last one.
 */
interface WindowPage {
  items: WindowOfPost[];
  nextCursor: string | null;
}

/**
 * A page of all posts' flood windows with a status, those rated last first.
 * For administrators and moderators. A malformed cursor is the list's start.
 */
export async function windowsForDeciders(
  { database }: Pick<ScoringContext, "database">,
  user: User,
  { status, limit, cursor }: { status: FloodWindow["status"]; limit: number; cursor?: string | undefined },
): Promise<({ kind: "windows" } & WindowPage) | { kind: "forbidden" }> {
  if (!isDecider(user)) return { kind: "forbidden" };
  const found = await database.floodWindows.byStatus(status, limit + 1, placeFrom(cursor) ?? undefined);
  const page = pageOf(found, limit, ({ window, postId }) => timeCursor({ at: window.lastAt, id: postId }));
  return { kind: "windows", ...page };
}
