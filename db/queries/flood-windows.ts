/** Flood windows with counters of their own, and the decisions on them. */
import { and, count, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { countColumns } from "../counts.ts";
import type { Dialect } from "../dialect.ts";
import { toShownWindow, toWindow } from "../rows.ts";
import type { Tables } from "../schema/index.ts";
import { type FloodWindow, listStart, type TimePlace, type WindowStatus } from "../types.ts";
import { isPostShown, langColumn } from "./post-lists.ts";
import { hasRatings, shownColumns } from "./shown-floods.ts";

const { placeholder } = sql;

export type NewWindowDecision = Omit<Tables["windowDecisions"]["$inferInsert"], "id" | "postId">;

export function floodWindowQueries(dialect: Dialect) {
  const {
    statements,
    tables: { floodWindows, formerRaters, posts, users, windowDecisions },
    session,
  } = dialect;
  const ofPost = eq(floodWindows.postId, placeholder("postId"));
  const all = statements
    .select()
    .from(floodWindows)
    .where(ofPost)
    .orderBy(desc(floodWindows.number))
    .prepare("flood windows");
  const inPlay = statements
    .select()
    .from(floodWindows)
    .where(
      and(
        ofPost,
        or(
          isNull(floodWindows.closedAt),
          eq(floodWindows.status, "held"),
          eq(floodWindows.number, placeholder("last")),
          eq(floodWindows.number, placeholder("also")),
        ),
      ),
    )
    .orderBy(floodWindows.number)
    .prepare("flood windows in play");
  const withdrawnIn = statements
    .select({ count: count() })
    .from(formerRaters)
    .where(
      and(eq(formerRaters.postId, placeholder("postId")), eq(formerRaters.window, placeholder("number"))),
    )
    .prepare("count withdrawn ratings of flood window");
  const decisionsOf = statements
    .select({
      id: windowDecisions.id,
      window: windowDecisions.window,
      at: windowDecisions.at,
      status: windowDecisions.status,
      decidedBy: windowDecisions.decidedBy,
      role: windowDecisions.role,
      why: windowDecisions.why,
      ratings: windowDecisions.ratings,
      username: users.username,
    })
    .from(windowDecisions)
    .leftJoin(users, and(eq(users.id, windowDecisions.userId), isNull(users.deletedAt)))
    .where(eq(windowDecisions.postId, placeholder("postId")))
    .orderBy(desc(windowDecisions.id))
    .limit(placeholder("limit"))
    .prepare("decisions of post");
  const latestByPeople = statements
    .select({
      id: windowDecisions.id,
      window: windowDecisions.window,
      at: windowDecisions.at,
      status: windowDecisions.status,
      why: windowDecisions.why,
      ratings: windowDecisions.ratings,
      slug: posts.slug,
      title: posts.title,
      lang: langColumn(posts),
      by: users.username,
    })
    .from(windowDecisions)
    .innerJoin(posts, and(eq(posts.id, windowDecisions.postId), isNull(posts.deletedAt)))
    .leftJoin(users, and(eq(users.id, windowDecisions.userId), isNull(users.deletedAt)))
    .where(and(sql`${windowDecisions.decidedBy} = 'person'`, lt(windowDecisions.id, placeholder("before"))))
    .orderBy(desc(windowDecisions.id))
    .limit(placeholder("limit"))
    .prepare("latest decisions of people");
  const lastDecisionOn = statements
    .select({ role: windowDecisions.role })
    .from(windowDecisions)
    .where(
      and(
        eq(windowDecisions.postId, placeholder("postId")),
        eq(windowDecisions.window, placeholder("window")),
      ),
    )
    .orderBy(desc(windowDecisions.id))
    .limit(1)
    .prepare("last decision on window");
  const isBefore = sql`(${floodWindows.lastAt}, ${floodWindows.postId}) < (${placeholder("at")}, ${placeholder("id")})`;
  const byStatus = statements
    .select({
      window: shownColumns(floodWindows),
      postId: posts.id,
      slug: posts.slug,
      title: posts.title,
      lang: langColumn(posts),
      author: users.username,
    })
    .from(floodWindows)
    .innerJoin(posts, eq(posts.id, floodWindows.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(
      and(
        eq(floodWindows.status, placeholder("status")),
        hasRatings(floodWindows),
        isPostShown(dialect),
        isBefore,
      ),
    )
    .orderBy(desc(floodWindows.lastAt), desc(floodWindows.postId))
    .limit(placeholder("limit"))
    .prepare("flood windows by status");

  return {
    /** A post's flood windows, the newest first. */
    all: async (postId: number) => (await all.execute({ postId })).map(toWindow),
    /** The windows of a post that are open or held, and those with these numbers. */
    inPlay: async (postId: number, last: number, also: number | null) =>
      (await session.readRows([], () => inPlay.execute({ postId, last, also }))).map(toWindow),
    async save(postId: number, { counts, ...window }: FloodWindow) {
      const columns = { ...window, ...countColumns(counts) };
      await statements
        .insert(floodWindows)
        .values({ postId, ...columns })
        .onConflictDoUpdate({ target: [floodWindows.postId, floodWindows.number], set: columns });
    },
    /** How many ratings of a window were withdrawn, and not given again. */
    withdrawnIn: async (postId: number, number: number) =>
      (await withdrawnIn.execute({ postId, number }))[0]?.count ?? 0,
    async recordDecision(postId: number, decision: NewWindowDecision) {
      await statements.insert(windowDecisions).values({ postId, ...decision });
    },
    /** The decisions on a post's windows, the newest first. */
    decisionsOf: (postId: number, limit: number) => decisionsOf.execute({ postId, limit }),
    /**
     * The latest decisions of people before the one of this number.
     * Newest first.
     */
    latestByPeople: (limit: number, before = Number.MAX_SAFE_INTEGER) =>
      latestByPeople.execute({ limit, before }),
    /** The last decision on a window. */
    lastDecisionOn: async (postId: number, window: number) =>
      (await lastDecisionOn.execute({ postId, window }))[0],
    /**
     * Windows of all posts with this status, those rated last first.
     * None whose ratings have all been withdrawn.
     * `before` has the time and the post of another one; a post's windows have different times.
     */
    byStatus: async (status: WindowStatus, limit: number, before: TimePlace = listStart) =>
      (await byStatus.execute({ status, limit, ...before })).map(({ window, ...post }) => ({
        ...post,
        window: toShownWindow(window),
      })),
  };
}
