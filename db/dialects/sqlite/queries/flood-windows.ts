/** Flood windows with counters of their own, and the decisions on them. */
import { and, count, desc, eq, isNull, or, sql } from "drizzle-orm";
import { countColumns } from "../../../counts.ts";
import { toWindow } from "../../../rows.ts";
import type { FloodWindow, FloodWindowQueries, Synchronous } from "../../../types.ts";
import type { Connection } from "../index.ts";
import { floodWindows, posts, users, windowDecisions } from "../schema.ts";

const { placeholder } = sql;

export function floodWindowQueries(connection: Connection): Synchronous<FloodWindowQueries> {
  const ofPost = eq(floodWindows.postId, placeholder("postId"));
  const all = connection
    .select()
    .from(floodWindows)
    .where(ofPost)
    .orderBy(desc(floodWindows.number))
    .prepare();
  const inPlay = connection
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
  const byStatus = connection
    .select({ window: floodWindows, slug: posts.slug, title: posts.title, author: users.username })
    .from(floodWindows)
    .innerJoin(posts, eq(posts.id, floodWindows.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(eq(floodWindows.status, placeholder("status")))
    .orderBy(desc(floodWindows.lastAt))
    .limit(placeholder("limit"))
    .prepare();
  const countByStatus = connection
    .select({ windows: count() })
    .from(floodWindows)
    .where(eq(floodWindows.status, placeholder("status")))
    .prepare();

  return {
    all: (postId: number) => all.all({ postId }).map(toWindow),
    inPlay: (postId: number, last: number, also: number | null) =>
      inPlay.all({ postId, last, also }).map(toWindow),
    save(postId: number, { counts, ...window }: FloodWindow) {
      const columns = { ...window, ...countColumns(counts) };
      connection
        .insert(floodWindows)
        .values({ postId, ...columns })
        .onConflictDoUpdate({ target: [floodWindows.postId, floodWindows.number], set: columns })
        .run();
    },
    recordDecision: (postId: number, decision) =>
      void connection
        .insert(windowDecisions)
        .values({ postId, ...decision })
        .run(),
    decisionsOf: (postId: number, limit: number) => decisionsOf.all({ postId, limit }),
    lastDecisionOn: (postId: number, window: number) => lastDecisionOn.get({ postId, window }),
    byStatus: (status: "held" | "counted" | "excluded", limit: number) =>
      byStatus.all({ status, limit }).map(({ window, ...post }) => ({ ...post, window: toWindow(window) })),
    countByStatus: (status) => countByStatus.get({ status })?.windows ?? 0,
  };
}
