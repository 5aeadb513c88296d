/** Authors' requests to review a flood window of their post. */
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { toShownWindow } from "../rows.ts";
import type { Tables } from "../schema/index.ts";
import { listStart, type TimePlace } from "../types.ts";
import { isPostShown, langColumn } from "./post-lists.ts";
import { shownColumns } from "./shown-floods.ts";

const { placeholder } = sql;

/** An author's request to review a flood window of their post. */
export type ReviewRequest = Pick<Tables["reviewRequests"]["$inferSelect"], "window" | "at" | "why">;

export function reviewRequestQueries(dialect: Dialect) {
  const {
    statements,
    tables: { floodWindows, posts, reviewRequests, users },
  } = dialect;
  const { window, at, why } = reviewRequests;
  const isOpen = isNull(reviewRequests.answeredAt);
  const openOf = statements
    .select({ window, at, why })
    .from(reviewRequests)
    .where(and(eq(reviewRequests.postId, placeholder("postId")), isOpen))
    .orderBy(desc(at), desc(reviewRequests.id))
    .prepare("open review requests of post");
  const isBefore = sql`(${at}, ${reviewRequests.id}) < (${placeholder("at")}, ${placeholder("id")})`;
  const open = statements
    .select({
      id: reviewRequests.id,
      request: { window, at, why },
      window: shownColumns(floodWindows),
      postId: posts.id,
      slug: posts.slug,
      title: posts.title,
      lang: langColumn(posts),
      author: users.username,
    })
    .from(reviewRequests)
    .innerJoin(
      floodWindows,
      and(eq(floodWindows.postId, reviewRequests.postId), eq(floodWindows.number, reviewRequests.window)),
    )
    .innerJoin(posts, eq(posts.id, reviewRequests.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(isOpen, isPostShown(dialect), isBefore))
    .orderBy(desc(at), desc(reviewRequests.id))
    .limit(placeholder("limit"))
    .prepare("open review requests");

  return {
    /** Saves an open request. Rejects when there is one for the window. */
    async insert(postId: number, request: ReviewRequest) {
      await statements.insert(reviewRequests).values({ postId, ...request });
    },
    /** The open requests for a post's windows, the newest first. */
    openOf: (postId: number) => openOf.execute({ postId }),
    /**
     * The open requests of all posts, the newest first.
     * `before` has the time and the number of another one.
     */
    open: async (limit: number, before: TimePlace = listStart) =>
      (await open.execute({ limit, ...before })).map(({ window, ...row }) => ({
        ...row,
        window: toShownWindow(window),
      })),
    /** Closes the request for a window, if there is one. */
    async answer(postId: number, window: number, answeredAt: number) {
      await statements
        .update(reviewRequests)
        .set({ answeredAt })
        .where(and(eq(reviewRequests.postId, postId), eq(reviewRequests.window, window), isOpen));
    },
  };
}
