/** Lists of posts, sorted and searched, page by page. */
import { and, desc, eq, isNotNull, isNull, lt, or, type Placeholder, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { toPost } from "../rows.ts";
import type { Sort } from "../types.ts";
import { tallyColumns } from "./tallies.ts";

export interface ListRequest {
  sort: Sort;
  limit: number;
  /** The last post of the page before, with its sort value. */
  after?: { key: number; id: number } | undefined;
  /**
   * Words folded for search.
   * A post must contain all of them, the last one at least as a prefix.
   */
  search?: readonly string[] | undefined;
  authorId?: number | undefined;
  /** The slug of a tag that the posts have. */
  tag?: string | undefined;
  viewerId?: number | undefined;
  /** `shown` unless set. */
  of?: ListedPosts | undefined;
}

/**
 * The place of a page's rows: the list's start, or after a post.
 * After a post come first the posts that tie with it and then those below. These are two statements, since SQLite would
 * scan all ties for `(key, id) < (?, ?)`: it finds a place by the key alone when the column after it is the row's own
 * number.
 */
type ListPart = "start" | "tied" | "below";

/** A post's language: its author's choice, or else the detected one. */
export function langColumn({ chosenLang, detectedLang }: Dialect["tables"]["posts"]) {
  return sql<string | null>`coalesce(${chosenLang}, ${detectedLang})`;
}

/** The columns of a post without its text. */
export function postColumns({ tables: { posts, users } }: Dialect) {
  return {
    id: posts.id,
    slug: posts.slug,
    title: posts.title,
    authorId: posts.authorId,
    author: users.username,
    createdAt: posts.createdAt,
    updatedAt: posts.updatedAt,
    publishedAt: posts.publishedAt,
    publishAt: posts.publishAt,
    missedAt: posts.missedAt,
    isUnlisted: posts.isUnlisted,
    chosenLang: posts.chosenLang,
    detectedLang: posts.detectedLang,
    excerpt: posts.excerpt,
    chosenExcerpt: posts.chosenExcerpt,
    cover: posts.cover,
    coverAlt: posts.coverAlt,
    readingMinutes: posts.readingMinutes,
    ...tallyColumns(posts),
    unpublishedAt: posts.unpublishedAt,
    featuredAt: posts.featuredAt,
    windowCount: posts.windowCount,
    rankScore: posts.rankScore,
  };
}

/** The condition that neither a post nor its author is deleted. */
export function isPostThere({ tables: { posts, users } }: Dialect) {
  return and(isNull(posts.deletedAt), isNull(users.deletedAt));
}

/** A post's slug and title, null for a post that the user does not see. */
export function postSeenBy(dialect: Dialect, userId: number) {
  const { posts } = dialect.tables;
  const isSeen = or(eq(posts.authorId, userId), isPostShown(dialect));
  return {
    slug: sql<string | null>`case when ${isSeen} then ${posts.slug} end`,
    title: sql<string | null>`case when ${isSeen} then ${posts.title} end`,
  };
}

/** The condition that all readers see a post that they have a link to. */
export function isPostShown(dialect: Dialect) {
  const { posts } = dialect.tables;
  return and(isPostThere(dialect), isNotNull(posts.publishedAt), isNull(posts.unpublishedAt));
}

/** The condition that all readers find a post in lists, search, feed and sitemap. */
export function isPostListed(dialect: Dialect) {
  return and(isPostShown(dialect), sql`${dialect.tables.posts.isUnlisted} = false`);
}

/**
 * The condition that a reader sees a post.
 * Drafts only their author sees, unpublished ones also administrators. With the values of `viewerOf` of that reader.
 */
export function isPostSeen(dialect: Dialect) {
  const {
    tables: { posts },
    opaque,
  } = dialect;
  const isAuthor = eq(posts.authorId, opaque("viewerId"));
  const seesUnpublished = sql`${opaque("seesUnpublished")} = 1`;
  return and(
    isPostThere(dialect),
    or(isAuthor, and(isNotNull(posts.publishedAt), or(isNull(posts.unpublishedAt), seesUnpublished))),
  );
}

/** The values of `isPostSeen`. */
export function viewerOf({ id, isAdministrator }: { id: number; isAdministrator: boolean }) {
  return { viewerId: id, seesUnpublished: isAdministrator ? 1 : 0 };
}

/**
 * Which posts a list has, never drafts.
 * `shown` are those that all readers find, and `all` the unlisted and unpublished ones too.
 */
type ListedPosts = "shown" | "all" | "unpublished" | "featured";

export function postListQueries(dialect: Dialect) {
  const {
    statements,
    tables: { posts, ratings, users, waitingRatings },
    search,
    opaque,
  } = dialect;
  const sortedBy = {
    newest: posts.publishedAt,
    top: posts.rankScore,
    "most-rated": posts.ratingCount,
  } as const;
  const columns = postColumns(dialect);
  const isPublished = and(isPostThere(dialect), isNotNull(posts.publishedAt));
  const isListed = isPostListed(dialect);
  const conditionOf = {
    shown: isListed,
    all: isPublished,
    unpublished: and(isPublished, isNotNull(posts.unpublishedAt)),
    featured: and(isListed, isNotNull(posts.featuredAt)),
  };
  const lists = new Map<string, ReturnType<typeof prepareList>>();
  function prepareList(
    sort: Sort,
    from: ListPart,
    isSearch: boolean,
    isByAuthor: boolean,
    isTagged: boolean,
    of: ListedPosts,
  ) {
    const key = sortedBy[sort];
    const conditions = [conditionOf[of]];
    if (from === "tied") conditions.push(eq(key, opaque("afterKey")), lt(posts.id, opaque("afterId")));
    else if (from === "below") conditions.push(lt(key, opaque("afterKey")));
    if (isSearch) conditions.push(search.condition);
    if (isTagged)
      conditions.push(
        sql`${posts.id} in (select post_id from post_tags where tag_id = (select id from tags where slug = ${opaque("tag")}))`,
      );
    if (isByAuthor) conditions.push(eq(posts.authorId, opaque("authorId")));
    return (
      statements
        .select({
          ...columns,
          myScore: sql<number | null>`coalesce(${ratings.score}, ${waitingRatings.score})`,
        })
        .from(posts)
        .innerJoin(users, eq(users.id, posts.authorId))
        .leftJoin(ratings, and(eq(ratings.postId, posts.id), eq(ratings.userId, opaque("viewerId"))))
        .leftJoin(
          waitingRatings,
          and(eq(waitingRatings.postId, posts.id), eq(waitingRatings.userId, opaque("viewerId"))),
        )
        .where(and(...conditions))
        .orderBy(desc(key), desc(posts.id))
        // Drizzle's type allows numbers and bare placeholders here; it writes any expression.
        .limit(opaque("limit") as unknown as Placeholder)
        .prepare(`list ${sort}`)
    );
  }

  return {
    async list({ sort, limit, after, search: words, authorId, tag, viewerId, of = "shown" }: ListRequest) {
      const searchValues = words && search.valuesFor(words);
      if (words && !searchValues) return [];
      const values = {
        ...searchValues,
        authorId,
        tag,
        viewerId: viewerId ?? 0,
        afterKey: after?.key,
        afterId: after?.id,
      };
      const rowsOf = (from: ListPart, limit: number) => {
        const shape = [
          sort,
          from,
          words !== undefined,
          authorId !== undefined,
          tag !== undefined,
          of,
        ] as const;
        const name = shape.join();
        const list = lists.get(name) ?? prepareList(...shape);
        lists.set(name, list);
        return list.execute({ ...values, limit });
      };
      const tied = after ? await rowsOf("tied", limit) : [];
      const rest = limit - tied.length;
      const others = rest > 0 ? await rowsOf(after ? "below" : "start", rest) : [];
      return [...tied, ...others].map((row) => toPost(row));
    },
  };
}
