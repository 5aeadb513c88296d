/**
 * Flood windows for people: what a post has had of them, and a person's say on whether they count. Its author and
 * administrators have that say; everybody may see that there was a flood, and what became of it.
 */
import { z } from "zod";
import type { Database, WindowOfPost } from "../../db/index.ts";
import type { User } from "../users/index.ts";
import { type FieldErrors, lines, validate } from "../validation.ts";
import type { FloodWindow } from "./flood-window.ts";
import { loadTally, saveTally } from "./saved-tally.ts";
import { type Counts, scoreFrom } from "./score.ts";
import { scoringDefaults, type TallySettings, windowOf, withEverythingCounted } from "./tally.ts";
import { advanceTo, withWindowDecided } from "./tally-windows.ts";

const whyMaximum = 500;
/** How many decisions on a post's windows are listed. */
export const decisionsMaximum = 100;
/** How many windows of each status administrators are shown. */
export const listMaximum = 100;

const decisionSchema = z.object(
  {
    status: z.enum(["counted", "excluded"], "Decide counted or excluded."),
    why: lines("Why", 1, whyMaximum),
    after: z.coerce.number("Say which decision this follows.").int("Say which decision this follows."),
  },
  "A decision is an object with status, why and after.",
);

export interface WindowContext {
  database: Database;
  scoring?: TallySettings;
}

export interface WindowDecisionRequest {
  slug: string;
  /** The window's number. */
  number: number;
  user: User;
  /** What was sent, not yet checked: `{ status: "counted" | "excluded", why, after }`, `after` being the window's `decisions` as seen. */
  input: unknown;
  /** Milliseconds. */
  now: number;
}

export type WindowDecisionOutcome =
  | { kind: "decided" }
  /** Somebody else decided in the meantime, or a rule did; nothing was changed. */
  | { kind: "already-decided" }
  | { kind: "invalid"; errors: FieldErrors }
  | { kind: "forbidden" }
  | { kind: "no-such-post" }
  | { kind: "no-such-window" };

/** Who has a say in a post's flood windows, and may see who rated when. */
export function mayDecide(post: { authorId: number }, user: User | null): boolean {
  return user !== null && (user.id === post.authorId || user.isAdministrator);
}

/** Counts a window's ratings or takes them out, whatever was decided before: one row and six counters. */
export async function decideWindow(
  { database, scoring = scoringDefaults }: WindowContext,
  { slug, number, user, input, now }: WindowDecisionRequest,
): Promise<WindowDecisionOutcome> {
  const checked = validate(decisionSchema, input);
  return database.transaction(async (): Promise<WindowDecisionOutcome> => {
    const post = await database.posts.lock(slug);
    if (!post) return { kind: "no-such-post" };
    if (!mayDecide(post, user)) return { kind: "forbidden" };
    const loaded = await loadTally(database, post.id, number);
    const brought = advanceTo(loaded, now, scoring);
    const window = windowOf(brought, number);
    if (!window) return { kind: "no-such-window" };
    if (!checked.ok) return { kind: "invalid", errors: checked.errors };
    const { status, why, after } = checked.value;
    if (window.decisions !== after) return { kind: "already-decided" };
    const tally = withWindowDecided(brought, now, number, status, scoring);
    await saveTally(database, post.id, loaded, tally, scoring, { userId: user.id, why });
    return { kind: "decided" };
  });
}

/** What everybody may see of a post's floods. */
export interface Floods {
  /** The newest first. */
  windows: readonly FloodWindow[];
  /** All ratings by the day they were given, whether they count or not; a day is a number of UTC days since 1970. */
  days: readonly { day: number; counts: Counts }[];
  /** The counters if everything counted. */
  everything: Counts;
  /** The windows whose ratings do not count, the one to tell of first. */
  uncounted: readonly FloodWindow[];
  /** Who decided on that one; null when no person did, or one whose account has gone. */
  decider: Decider | null;
}

/** Who has decided on a window, as readers are told. */
export type Decider = "author" | "administrator";

export async function floodsOf(
  { database }: Pick<WindowContext, "database">,
  post: { id: number; author: string; counts: Counts; windowCount: number },
): Promise<Floods> {
  const windows = post.windowCount === 0 ? [] : await database.floodWindows.all(post.id);
  const uncounted = uncountedOf(windows);
  const [first] = uncounted;
  return {
    windows,
    days: await database.ratings.days(post.id),
    everything: withEverythingCounted(post.counts, windows),
    uncounted,
    decider: first ? await deciderOf(database, post, first) : null,
  };
}

/** The windows whose ratings do not count though there are some: those held first, and the newest of each. */
export function uncountedOf(windows: readonly FloodWindow[]): FloodWindow[] {
  const withRatings = windows.filter(({ counts }) => scoreFrom(counts).count > 0);
  const of = (status: FloodWindow["status"]) => withRatings.filter((window) => window.status === status);
  return [...of("held"), ...of("excluded")];
}

async function deciderOf(
  { floodWindows }: Database,
  post: { id: number; author: string },
  { number, decidedBy }: FloodWindow,
): Promise<Decider | null> {
  if (decidedBy !== "person") return null;
  const username = (await floodWindows.lastDecisionOn(post.id, number))?.username;
  if (!username) return null;
  return username === post.author ? "author" : "administrator";
}

/** The newest decisions on a post's windows, the newest first. */
export function windowDecisionsOf({ database }: Pick<WindowContext, "database">, postId: number) {
  return database.floodWindows.decisionsOf(postId, decisionsMaximum);
}

export type { WindowOfPost };

/** Flood windows of all posts, for administrators: those that wait for a decision first. */
export async function windowsForAdministrators(
  { database }: Pick<WindowContext, "database">,
  user: User,
): Promise<
  | { kind: "windows"; held: WindowOfPost[]; excluded: WindowOfPost[]; counted: WindowOfPost[] }
  | { kind: "forbidden" }
> {
  if (!user.isAdministrator) return { kind: "forbidden" };
  const of = (status: FloodWindow["status"]) => database.floodWindows.byStatus(status, listMaximum);
  return {
    kind: "windows",
    held: await of("held"),
    excluded: await of("excluded"),
    counted: await of("counted"),
  };
}
