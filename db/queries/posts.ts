import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Connection } from "../index.ts";
import { postContents, posts, ratings, users } from "../schema.ts";
import type { Counts } from "./counts.ts";

const { placeholder } = sql;

/** A post as every page shows it, without its content. */
export interface Post {
  id: number;
  slug: string;
  title: string;
  authorId: number;
  author: string;
  createdAt: number;
  updatedAt: number;
  counts: Counts;
  rankScore: number;
}

/** A post in a list, with the viewer's own score; null when they have none. */
export interface ListedPost extends Post {
  myScore: number | null;
}

export const sorts = ["newest", "top", "most-rated"] as const;
export type Sort = (typeof sorts)[number];

export interface ListRequest {
  sort: Sort;
  limit: number;
  /** The last post of the page before, with what the sort goes by. */
  after?: { key: number; id: number } | undefined;
  /** An FTS5 expression over normalised text. */
  search?: string | undefined;
  authorId?: number | undefined;
  viewerId?: number | undefined;
}

const sortedBy = { newest: posts.id, top: posts.rankScore, "most-rated": posts.ratingCount } as const;

const columns = {
  id: posts.id,
  slug: posts.slug,
  title: posts.title,
  authorId: posts.authorId,
  author: users.username,
  createdAt: posts.createdAt,
  updatedAt: posts.updatedAt,
  count0: posts.count0,
  count1: posts.count1,
  count2: posts.count2,
  count3: posts.count3,
  count4: posts.count4,
  count5: posts.count5,
  rankScore: posts.rankScore,
};

type Row = Omit<Post, "counts"> &
  Record<"count0" | "count1" | "count2" | "count3" | "count4" | "count5", number>;

function toPost({ count0, count1, count2, count3, count4, count5, ...post }: Row): Post {
  return { ...post, counts: [count0, count1, count2, count3, count4, count5] };
}

export function postQueries(connection: Connection) {
  const withSlug = eq(posts.slug, placeholder("slug"));
  const bySlug = connection
    .select(columns)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(withSlug)
    .prepare();
  const idOf = connection
    .select({ id: posts.id, authorId: posts.authorId })
    .from(posts)
    .where(withSlug)
    .prepare();
  const content = connection
    .select({ content: postContents.content })
    .from(postContents)
    .where(eq(postContents.postId, placeholder("id")))
    .prepare();
  const recent = connection
    .select({ slug: posts.slug, updatedAt: posts.updatedAt })
    .from(posts)
    .orderBy(desc(posts.id))
    .limit(placeholder("limit"))
    .prepare();

  const lists = new Map<string, ReturnType<typeof prepareList>>();
  function prepareList(sort: Sort, after: boolean, search: boolean, byAuthor: boolean) {
    const key = sortedBy[sort];
    const conditions: SQL[] = [];
    if (after)
      conditions.push(
        sort === "newest"
          ? sql`${posts.id} < ${placeholder("afterId")}`
          : sql`(${key}, ${posts.id}) < (${placeholder("afterKey")}, ${placeholder("afterId")})`,
      );
    if (search)
      conditions.push(
        sql`${posts.id} in (select rowid from posts_search where posts_search match ${placeholder("search")})`,
      );
    if (byAuthor) conditions.push(eq(posts.authorId, placeholder("authorId")));
    return connection
      .select({ ...columns, myScore: ratings.score })
      .from(posts)
      .innerJoin(users, eq(users.id, posts.authorId))
      .leftJoin(ratings, and(eq(ratings.postId, posts.id), eq(ratings.userId, placeholder("viewerId"))))
      .where(and(...conditions))
      .orderBy(...(sort === "newest" ? [desc(posts.id)] : [desc(key), desc(posts.id)]))
      .limit(placeholder("limit"))
      .prepare();
  }

  return {
    bySlug(slug: string): Post | undefined {
      const row = bySlug.get({ slug });
      return row && toPost(row);
    },
    idOf: (slug: string) => idOf.get({ slug }),
    contentOf: (id: number) => content.get({ id })?.content ?? "",
    /** The slugs of the newest posts with the times of their last change, newest first. */
    recent: (limit: number) => recent.all({ limit }),
    list(request: ListRequest): ListedPost[] {
      const { sort, limit, after, search, authorId, viewerId } = request;
      const shape = [sort, after !== undefined, search !== undefined, authorId !== undefined] as const;
      const name = shape.join();
      const list = lists.get(name) ?? prepareList(...shape);
      lists.set(name, list);
      return list
        .all({
          limit,
          search,
          authorId,
          viewerId: viewerId ?? 0,
          afterKey: after?.key,
          afterId: after?.id,
        })
        .map(({ myScore, ...row }) => ({ ...toPost(row), myScore }));
    },
    /** Saves a new post with its search text; call it in a transaction. Returns its id. Throws on a taken slug. */
    insert(post: PostInput & { slug: string; authorId: number; createdAt: number }): number {
      const { slug, title, authorId, createdAt } = post;
      const { id } = connection
        .insert(posts)
        .values({ slug, title, authorId, createdAt, updatedAt: createdAt })
        .returning({ id: posts.id })
        .get();
      connection.insert(postContents).values({ postId: id, content: post.content }).run();
      connection.run(
        sql`insert into posts_search (rowid, title, content) values (${id}, ${post.searchTitle}, ${post.searchContent})`,
      );
      return id;
    },
    /** Replaces a post's title and content; call it in a transaction. */
    update(id: number, post: PostInput, now: number) {
      connection.update(posts).set({ title: post.title, updatedAt: now }).where(eq(posts.id, id)).run();
      connection.update(postContents).set({ content: post.content }).where(eq(postContents.postId, id)).run();
      connection.run(
        sql`update posts_search set title = ${post.searchTitle}, content = ${post.searchContent} where rowid = ${id}`,
      );
    },
    /** Removes a post with its ratings and attempts. */
    remove(id: number) {
      connection.delete(posts).where(eq(posts.id, id)).run();
    },
  };
}

export interface PostInput {
  title: string;
  content: string;
  searchTitle: string;
  searchContent: string;
}
