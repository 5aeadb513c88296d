/** Flood windows with all ratings that arrived, and with their posts. */
import { and, desc, eq, getTableColumns, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { toShownWindow } from "../rows.ts";
import type { Tables } from "../schema/index.ts";

const { placeholder } = sql;

/** The most held floods that one look for `toLookAt` reads. */
const heldMaximum = 200;

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

export function shownFloodQueries({ statements, tables: { floodWindows, posts, ratings, users } }: Dialect) {
  const window = shownColumns(floodWindows);
  const shown = statements
    .select(window)
    .from(floodWindows)
    .where(eq(floodWindows.postId, placeholder("postId")))
    .orderBy(desc(floodWindows.number))
    .prepare("shown flood windows");
  const isShown = and(isNull(posts.deletedAt), isNull(users.deletedAt));
  const ofPosts = () =>
    statements
      .select({
        window,
        slug: posts.slug,
        title: posts.title,
        author: users.username,
        authorId: posts.authorId,
      })
      .from(floodWindows)
      .innerJoin(posts, eq(posts.id, floodWindows.postId))
      .innerJoin(users, eq(users.id, posts.authorId));
  const latestHeld = sql`select post_id, number from (select post_id, number from flood_windows where status = 'held' order by last_at desc limit ${sql.raw(String(heldMaximum))}) as latest_held`;
  const requested = sql`select post_id, "window" from review_requests where answered_at is null`;
  const isOneOf = (numbers: SQL) => sql`(${floodWindows.postId}, ${floodWindows.number}) in (${numbers})`;
  const { count0, count1, count2, count3, count4, count5 } = floodWindows;
  const hasRatings = sql`${count0} + ${count1} + ${count2} + ${count3} + ${count4} + ${count5} > 0`;
  const ofAuthor = ofPosts()
    .where(and(isOneOf(latestHeld), hasRatings, isShown, eq(posts.authorId, placeholder("userId"))))
    .orderBy(desc(floodWindows.lastAt))
    .limit(placeholder("limit"))
    .prepare("author's floods to look at");
  const ofAll = ofPosts()
    .where(and(isOneOf(sql`${latestHeld} union ${requested}`), hasRatings, isShown))
    .orderBy(desc(floodWindows.lastAt))
    .limit(placeholder("limit"))
    .prepare("floods to look at");
  const ofRater = statements
    .select({ window, slug: posts.slug, title: posts.title, score: ratings.score })
    .from(ratings)
    .innerJoin(
      floodWindows,
      and(eq(floodWindows.postId, ratings.postId), eq(floodWindows.number, ratings.window)),
    )
    .innerJoin(posts, eq(posts.id, ratings.postId))
    .where(
      and(
        eq(ratings.userId, placeholder("userId")),
        ne(floodWindows.status, "counted"),
        isNull(posts.deletedAt),
      ),
    )
    .orderBy(desc(ratings.updatedAt))
    .limit(placeholder("limit"))
    .prepare("rater's ratings that do not count");

  return {
    /** A post's windows, the newest first. */
    ofPost: async (postId: number) => (await shown.execute({ postId })).map(toShownWindow),
    /**
     * The held floods of a user's posts, those rated last first.
     * With `all` those of all posts, and those with a requested review.
     */
    toLookAt: async (userId: number, { all, limit }: { all: boolean; limit: number }) =>
      (all ? await ofAll.execute({ limit }) : await ofAuthor.execute({ userId, limit })).map(
        ({ window, ...post }) => ({ ...post, window: toShownWindow(window) }),
      ),
    /** A user's ratings that do not count because of their flood, the latest first. */
    uncountedOf: async (userId: number, limit: number) =>
      (await ofRater.execute({ userId, limit })).map(({ window, ...rating }) => ({
        ...rating,
        window: toShownWindow(window),
      })),
  };
}
