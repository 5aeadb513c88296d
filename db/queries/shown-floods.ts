/** Flood windows with all ratings that arrived, and with their posts. */
import { and, desc, eq, getTableColumns, ne, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { toShownWindow } from "../rows.ts";
import type { Tables } from "../schema/index.ts";
import { isPostSeen, langColumn, viewerOf } from "./post-lists.ts";

const { placeholder } = sql;

/**
 * A window's columns, and the number of its ratings that were withdrawn.
 * The names are written out: in a select from one table, Drizzle leaves out the tables' names.
 */
export function shownColumns(floodWindows: Tables["floodWindows"]) {
  return {
    ...getTableColumns(floodWindows),
    withdrawn:
      sql`(select count(*) from former_raters where former_raters.post_id = flood_windows.post_id and former_raters."window" = flood_windows.number)`.mapWith(
        Number,
      ),
  };
}

/** Whether a rating of a window is left: without one, it needs no decision. */
export function hasRatings({ count0, count1, count2, count3, count4, count5 }: Tables["floodWindows"]) {
  return sql`${count0} + ${count1} + ${count2} + ${count3} + ${count4} + ${count5} > 0`;
}

/** The user whose view of floods a query returns. */
type Viewer = Parameters<typeof viewerOf>[0];

export function shownFloodQueries(dialect: Dialect) {
  const {
    statements,
    tables: { floodWindows, posts, ratings, users },
    opaque,
  } = dialect;
  const window = shownColumns(floodWindows);
  const shown = statements
    .select(window)
    .from(floodWindows)
    .where(eq(floodWindows.postId, placeholder("postId")))
    .orderBy(desc(floodWindows.number))
    .prepare("shown flood windows");
  const isSeen = isPostSeen(dialect);
  const ofPosts = () =>
    statements
      .select({
        window,
        slug: posts.slug,
        title: posts.title,
        lang: langColumn(posts),
        author: users.username,
        authorId: posts.authorId,
      })
      .from(floodWindows)
      .innerJoin(posts, eq(posts.id, floodWindows.postId))
      .innerJoin(users, eq(users.id, posts.authorId));
  const isHeld = and(sql`${floodWindows.status} = 'held'`, hasRatings(floodWindows));
  const isOwn = eq(posts.authorId, opaque("viewerId"));
  const ofAuthor = ofPosts()
    .where(and(isHeld, isOwn, isSeen))
    .orderBy(desc(floodWindows.lastAt))
    .limit(placeholder("limit"))
    .prepare("author's undecided floods");
  // Of each post one: many floods on one post hide no others.
  const lastHeld = sql`select post_id, max(${floodWindows.number}) from ${floodWindows} where ${isHeld} group by post_id`;
  const requested = sql`select post_id, "window" from review_requests where answered_at is null`;
  const ofAll = ofPosts()
    .where(
      and(
        sql`(${floodWindows.postId}, ${floodWindows.number}) in (${lastHeld} union ${requested})`,
        hasRatings(floodWindows),
        isSeen,
      ),
    )
    .orderBy(desc(floodWindows.lastAt))
    .limit(placeholder("limit"))
    .prepare("undecided floods");
  const ofRater = statements
    .select({
      window,
      slug: posts.slug,
      title: posts.title,
      lang: langColumn(posts),
      score: ratings.score,
    })
    .from(ratings)
    .innerJoin(
      floodWindows,
      and(eq(floodWindows.postId, ratings.postId), eq(floodWindows.number, ratings.window)),
    )
    .innerJoin(posts, eq(posts.id, ratings.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(eq(ratings.userId, placeholder("viewerId")), ne(floodWindows.status, "counted"), isSeen))
    .orderBy(desc(ratings.updatedAt))
    .limit(placeholder("limit"))
    .prepare("rater's ratings that do not count");

  return {
    /** A post's windows, the newest first. */
    ofPost: async (postId: number) => (await shown.execute({ postId })).map(toShownWindow),
    /**
     * The held floods of a user's posts, those rated last first.
     * With `all` the last one of each post that the user sees, and those with a requested review.
     */
    undecidedFor: async (viewer: Viewer, { all, limit }: { all: boolean; limit: number }) =>
      (await (all ? ofAll : ofAuthor).execute({ ...viewerOf(viewer), limit })).map(({ window, ...post }) => ({
        ...post,
        window: toShownWindow(window),
      })),
    /** A user's ratings that do not count because of their flood, the latest first. */
    uncountedOf: async (viewer: Viewer, limit: number) =>
      (await ofRater.execute({ ...viewerOf(viewer), limit })).map(({ window, ...rating }) => ({
        ...rating,
        window: toShownWindow(window),
      })),
  };
}
