import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { toPost } from "../../../rows.ts";
import type { PostInput, PostQueries, Sort } from "../../../types.ts";
import { postContents, posts, postsSearch, ratings, users } from "../schema.ts";
import type { Search } from "../search.ts";
import type { Session } from "../session.ts";
import type { Statements } from "../statements.ts";
import { tallyColumns } from "./tallies.ts";

const { placeholder } = sql;

const sortedBy = { newest: posts.id, top: posts.rankScore, "most-rated": posts.ratingCount } as const;

const columns = {
  id: posts.id,
  slug: posts.slug,
  title: posts.title,
  authorId: posts.authorId,
  author: users.username,
  createdAt: posts.createdAt,
  updatedAt: posts.updatedAt,
  ...tallyColumns,
  windowCount: posts.windowCount,
  rankScore: posts.rankScore,
};

export function postQueries(statements: Statements, session: Session, search: Search): PostQueries {
  const bySlug = statements
    .select(columns)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(eq(posts.slug, placeholder("slug")))
    .prepare("post by slug");
  const selectKey = () =>
    statements
      .select({ id: posts.id, authorId: posts.authorId })
      .from(posts)
      .where(eq(posts.slug, placeholder("slug")));
  const idOf = selectKey().prepare("post's number");
  // Keeps out all who lock the post, change it or remove it, and lets those pass who merely refer to it.
  const lock = selectKey().for("no key update").prepare("lock post");
  const content = statements
    .select({ content: postContents.content })
    .from(postContents)
    .where(eq(postContents.postId, placeholder("id")))
    .prepare("content");
  const recent = statements
    .select({ slug: posts.slug, updatedAt: posts.updatedAt })
    .from(posts)
    .orderBy(desc(posts.id))
    .limit(placeholder("limit"))
    .prepare("recent posts");

  const lists = new Map<string, ReturnType<typeof prepareList>>();
  function prepareList(sort: Sort, isAfter: boolean, isSearch: boolean, isByAuthor: boolean) {
    const key = sortedBy[sort];
    const conditions: SQL[] = [];
    if (isAfter)
      conditions.push(
        sort === "newest"
          ? lt(posts.id, placeholder("afterId"))
          : sql`(${key}, ${posts.id}) < (${placeholder("afterKey")}, ${placeholder("afterId")})`,
      );
    if (isSearch)
      conditions.push(
        sql`${posts.id} in (select post_id from posts_search where words @@ ${placeholder("query")}::tsquery and spelled like all (${placeholder("patterns")}::text[]))`,
      );
    if (isByAuthor) conditions.push(eq(posts.authorId, placeholder("authorId")));
    return statements
      .select({ ...columns, myScore: ratings.score })
      .from(posts)
      .innerJoin(users, eq(users.id, posts.authorId))
      .leftJoin(ratings, and(eq(ratings.postId, posts.id), eq(ratings.userId, placeholder("viewerId"))))
      .where(and(...conditions))
      .orderBy(...(sort === "newest" ? [desc(posts.id)] : [desc(key), desc(posts.id)]))
      .limit(placeholder("limit"))
      .prepare(`list ${sort}`);
  }

  function keptForSearch({ searchTitle, searchContent }: PostInput) {
    const { words, spelled } = search.textOf(searchTitle, searchContent);
    return { words: sql`array_to_tsvector(${sql.param(words)}::text[])`, spelled };
  }

  return {
    async bySlug(slug) {
      const [row] = await bySlug.execute({ slug });
      return row && toPost(row);
    },
    idOf: async (slug) => (await idOf.execute({ slug }))[0],
    lock: async (slug) => (await (session.isInTransaction() ? lock : idOf).execute({ slug }))[0],
    contentOf: async (id) => (await content.execute({ id }))[0]?.content ?? "",
    recent: (limit) => recent.execute({ limit }),
    async list({ sort, limit, after, search: asked, authorId, viewerId }) {
      const condition = asked && search.conditionOf(asked);
      if (asked && !condition) return [];
      const shape = [sort, after !== undefined, condition !== undefined, authorId !== undefined] as const;
      const name = shape.join();
      const list = lists.get(name) ?? prepareList(...shape);
      lists.set(name, list);
      const rows = await list.execute({
        limit,
        ...condition,
        authorId,
        viewerId: viewerId ?? 0,
        afterKey: after?.key,
        afterId: after?.id,
      });
      return rows.map(({ myScore, ...row }) => ({ ...toPost(row), myScore }));
    },
    insert: (post) =>
      session.transaction(async () => {
        const { slug, title, authorId, createdAt } = post;
        const [row] = await statements
          .insert(posts)
          .values({ slug, title, authorId, createdAt, updatedAt: createdAt })
          .returning({ id: posts.id });
        if (!row) throw new Error("A row that was inserted is returned");
        const postId = row.id;
        await Promise.all([
          statements.insert(postContents).values({ postId, content: post.content }),
          statements.insert(postsSearch).values({ postId, ...keptForSearch(post) }),
        ]);
        return postId;
      }),
    update: (id, post, now) =>
      session.transaction(async () => {
        await statements.update(posts).set({ title: post.title, updatedAt: now }).where(eq(posts.id, id));
        await Promise.all([
          statements.update(postContents).set({ content: post.content }).where(eq(postContents.postId, id)),
          statements.update(postsSearch).set(keptForSearch(post)).where(eq(postsSearch.postId, id)),
        ]);
      }),
    remove: (id) =>
      session.longTransaction(async () => {
        await statements.delete(posts).where(eq(posts.id, id));
      }),
  };
}
