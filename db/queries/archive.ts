/** Posts by their date: how many there are, and those before and after one. */
import { and, asc, count, desc, eq, gt, gte, lt, lte, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { TimePlace } from "../types.ts";
import { isPostListed } from "./post-lists.ts";

export function archiveQueries(dialect: Dialect) {
  const {
    statements,
    tables: { posts, users },
    opaque,
  } = dialect;
  const isListed = isPostListed(dialect);
  // In whole days: both databases divide integers alike.
  const day = sql<number>`${posts.publishedAt} / 86400000`.mapWith(Number);
  const days = statements
    .select({ day: day.as("day"), count: count() })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(isListed)
    .groupBy(sql`day`)
    .prepare("days of posts");
  const columns = {
    slug: posts.slug,
    title: posts.title,
    chosenLang: posts.chosenLang,
    detectedLang: posts.detectedLang,
  };
  const at = opaque("at");
  const id = opaque("id");
  const before = statements
    .select(columns)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    // Written so that an index leads to the place.
    .where(and(lte(posts.publishedAt, at), or(lt(posts.publishedAt, at), lt(posts.id, id)), isListed))
    .orderBy(desc(posts.publishedAt), desc(posts.id))
    .limit(1)
    .prepare("post before");
  const after = statements
    .select(columns)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(gte(posts.publishedAt, at), or(gt(posts.publishedAt, at), gt(posts.id, id)), isListed))
    .orderBy(asc(posts.publishedAt), asc(posts.id))
    .limit(1)
    .prepare("post after");

  return {
    /** How many posts there are of each UTC day, which is counted since 1970. */
    days: () => days.execute(),
    /** The posts next to a place in the list of the newest; undefined at its ends. */
    async neighbours(place: TimePlace) {
      const [[older], [newer]] = await Promise.all([
        before.execute({ ...place }),
        after.execute({ ...place }),
      ]);
      return { older: older && linked(older), newer: newer && linked(newer) };
    },
  };
}

function linked<Row extends { chosenLang: string | null; detectedLang: string | null }>(row: Row) {
  const { chosenLang, detectedLang, ...post } = row;
  return { ...post, lang: chosenLang ?? detectedLang };
}
