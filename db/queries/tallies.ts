/** What a post's score is made of: six counters, the settled score's state, and flood windows with their decisions. */
import { and, desc, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Connection } from "../index.ts";
import { floodWindows, posts, users, windowDecisions } from "../schema.ts";
import { type Counts, countColumns, takeCounts } from "./counts.ts";

const { placeholder } = sql;

type FloodWindow = ReturnType<typeof toWindow>;
type WindowDecision = Omit<typeof windowDecisions.$inferInsert, "id" | "postId">;

/** The columns of a settled score's state. */
export const settledColumns = {
  settledScore: posts.settledScore,
  settledSpeed: posts.settledSpeed,
  settledAt: posts.settledAt,
  raterCount: posts.raterCount,
  firstRatedAt: posts.firstRatedAt,
  lastRaterAt: posts.lastRaterAt,
};

interface SettledRow {
  settledScore: number | null;
  settledSpeed: number;
  settledAt: number;
  raterCount: number;
  firstRatedAt: number;
  lastRaterAt: number;
}

/** The settled score's state of a row, apart from the rest of it. */
export function takeSettled<Row extends SettledRow>(row: Row) {
  const { settledScore, settledSpeed, settledAt, raterCount, firstRatedAt, lastRaterAt, ...rest } = row;
  const settled = {
    score: settledScore,
    speed: settledSpeed,
    raters: raterCount,
    firstAt: firstRatedAt,
    lastRaterAt,
    at: settledAt,
  };
  return { settled, rest };
}

interface Tally {
  counts: Counts;
  settled: ReturnType<typeof takeSettled>["settled"];
  windowCount: number;
  /** When something is to be done about the post next though nobody rates it; null for never. */
  dueAt: number | null;
}

export function tallyQueries(connection: Connection) {
  const ofPost = eq(posts.id, placeholder("postId"));
  const find = connection
    .select({
      ...settledColumns,
      windowCount: posts.windowCount,
      dueAt: posts.dueAt,
      count0: posts.count0,
      count1: posts.count1,
      count2: posts.count2,
      count3: posts.count3,
      count4: posts.count4,
      count5: posts.count5,
    })
    .from(posts)
    .where(ofPost)
    .prepare();
  const given = (name: string) => sql`${placeholder(name)}`;
  const save = connection
    .update(posts)
    .set({
      count0: given("count0"),
      count1: given("count1"),
      count2: given("count2"),
      count3: given("count3"),
      count4: given("count4"),
      count5: given("count5"),
      settledScore: given("settledScore"),
      settledSpeed: given("settledSpeed"),
      settledAt: given("settledAt"),
      raterCount: given("raterCount"),
      firstRatedAt: given("firstRatedAt"),
      lastRaterAt: given("lastRaterAt"),
      windowCount: given("windowCount"),
      dueAt: given("dueAt"),
    })
    .where(ofPost)
    .prepare();
  const due = connection
    .select({ id: posts.id })
    .from(posts)
    .where(lte(posts.dueAt, placeholder("now")))
    .orderBy(posts.dueAt)
    .limit(placeholder("limit"))
    .prepare();

  const windowsOfPost = eq(floodWindows.postId, placeholder("postId"));
  const windowsOf = connection
    .select()
    .from(floodWindows)
    .where(windowsOfPost)
    .orderBy(desc(floodWindows.number))
    .prepare();
  const windowsInPlay = connection
    .select()
    .from(floodWindows)
    .where(
      and(
        windowsOfPost,
        or(
          isNull(floodWindows.closedAt),
          eq(floodWindows.status, "held"),
          eq(floodWindows.number, placeholder("last")),
          eq(floodWindows.number, placeholder("also")),
        ),
      ),
    )
    .prepare();
  const decisionsOf = connection
    .select({
      id: windowDecisions.id,
      window: windowDecisions.window,
      at: windowDecisions.at,
      status: windowDecisions.status,
      decidedBy: windowDecisions.decidedBy,
      why: windowDecisions.why,
      ratings: windowDecisions.ratings,
      username: users.username,
    })
    .from(windowDecisions)
    .leftJoin(users, eq(users.id, windowDecisions.userId))
    .where(eq(windowDecisions.postId, placeholder("postId")))
    .orderBy(desc(windowDecisions.id))
    .limit(placeholder("limit"))
    .prepare();
  const lastDecisionOn = connection
    .select({ username: users.username })
    .from(windowDecisions)
    .leftJoin(users, eq(users.id, windowDecisions.userId))
    .where(
      and(
        eq(windowDecisions.postId, placeholder("postId")),
        eq(windowDecisions.window, placeholder("window")),
      ),
    )
    .orderBy(desc(windowDecisions.id))
    .limit(1)
    .prepare();
  const windowsByStatus = connection
    .select({ window: floodWindows, slug: posts.slug, title: posts.title, author: users.username })
    .from(floodWindows)
    .innerJoin(posts, eq(posts.id, floodWindows.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(eq(floodWindows.status, placeholder("status")))
    .orderBy(desc(floodWindows.lastAt))
    .limit(placeholder("limit"))
    .prepare();

  return {
    /** Throws when there is no such post. */
    find(postId: number): Tally {
      const row = find.get({ postId });
      if (!row) throw new Error(`There is no post ${postId}.`);
      const { counts, rest } = takeCounts(row);
      const { settled, rest: windows } = takeSettled(rest);
      return { counts, settled, ...windows };
    },
    /** Saves all of a tally but its windows. Call it in a transaction, with what was found in it. */
    save(postId: number, { counts, settled, windowCount, dueAt }: Tally) {
      save.run({
        postId,
        ...countColumns(counts),
        settledScore: settled.score,
        settledSpeed: settled.speed,
        settledAt: settled.at,
        raterCount: settled.raters,
        firstRatedAt: settled.firstAt,
        lastRaterAt: settled.lastRaterAt,
        windowCount,
        dueAt,
      });
    },
    /** The posts about which something is due by `now`, those that have waited longest first. */
    due: (now: number, limit: number): number[] => due.all({ now, limit }).map(({ id }) => id),
    /** A post's flood windows, the newest first. */
    windowsOf: (postId: number) => windowsOf.all({ postId }).map(toWindow),
    /** The windows of a post that are open or held, and those with these numbers. */
    windowsInPlay: (postId: number, last: number, also: number | null) =>
      windowsInPlay.all({ postId, last, also }).map(toWindow),
    saveWindow(postId: number, { counts, ...window }: FloodWindow) {
      const columns = { ...window, ...countColumns(counts) };
      connection
        .insert(floodWindows)
        .values({ postId, ...columns })
        .onConflictDoUpdate({ target: [floodWindows.postId, floodWindows.number], set: columns })
        .run();
    },
    recordDecision: (postId: number, decision: WindowDecision) =>
      void connection
        .insert(windowDecisions)
        .values({ postId, ...decision })
        .run(),
    /** The decisions on a post's windows, the newest first. */
    decisionsOf: (postId: number, limit: number) => decisionsOf.all({ postId, limit }),
    /** Who decided on a window last. */
    lastDecisionOn: (postId: number, window: number) => lastDecisionOn.get({ postId, window }),
    /** Windows of all posts with this status, those rated last first. */
    windowsByStatus: (status: "held" | "counted" | "excluded", limit: number) =>
      windowsByStatus
        .all({ status, limit })
        .map(({ window, ...post }) => ({ ...post, window: toWindow(window) })),
  };
}

function toWindow(row: typeof floodWindows.$inferSelect) {
  const { counts, rest } = takeCounts(row);
  const { postId: _, ...window } = rest;
  return { ...window, counts };
}
