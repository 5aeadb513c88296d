import { and, desc, eq, lt, type Placeholder, type SQL, sql } from "drizzle-orm";
import { toPost } from "../../../rows.ts";
import type {
  ListedPost,
  ListRequest,
  Post,
  PostInput,
  PostQueries,
  Sort,
  Synchronous,
} from "../../../types.ts";
import type { Connection } from "../index.ts";
import { postContents, posts, ratings, users } from "../schema.ts";
import { tallyColumns } from "./tallies.ts";

const { placeholder } = sql;

/**
 * A value that comes with each run and that the plan does not hang on, which is what the plus sign says: without
 * it, SQLite plans a joined or limited statement anew whenever it is given values, which takes longer than the run.
 */
const given = (name: string) => sql`+${placeholder(name)}`;

/**
 * Where rows come from: the list's start, or what follows a post, which is first those that tie with it and then
 * those below. Asked for apart, since `(key, id) < (?, ?)` would walk over all that tie: SQLite finds a place by
 * the key alone when the column after it is the row's own number.
 */
type ListPart = "start" | "tied" | "below";

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

/** Words as an FTS5 expression: all must occur, the last one at least as a beginning. */
function matchExpression(words: readonly string[]): string {
  return `${words.map((word) => `"${word}"`).join(" ")}*`;
}

export function postQueries(connection: Connection): Synchronous<PostQueries> {
  const bySlug = connection
    .select(columns)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(eq(posts.slug, given("slug")))
    .prepare();
  const idOf = connection
    .select({ id: posts.id, authorId: posts.authorId })
    .from(posts)
    .where(eq(posts.slug, placeholder("slug")))
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
  function prepareList(sort: Sort, from: ListPart, search: boolean, byAuthor: boolean) {
    const key = sortedBy[sort];
    const conditions: SQL[] = [];
    if (from === "tied") conditions.push(eq(key, given("afterKey")));
    if (from === "tied" || (from === "below" && sort === "newest"))
      conditions.push(lt(posts.id, given("afterId")));
    else if (from === "below") conditions.push(lt(key, given("afterKey")));
    if (search)
      conditions.push(
        sql`${posts.id} in (select rowid from posts_search where posts_search match ${placeholder("search")})`,
      );
    if (byAuthor) conditions.push(eq(posts.authorId, given("authorId")));
    return (
      connection
        .select({ ...columns, myScore: ratings.score })
        .from(posts)
        .innerJoin(users, eq(users.id, posts.authorId))
        .leftJoin(ratings, and(eq(ratings.postId, posts.id), eq(ratings.userId, given("viewerId"))))
        .where(and(...conditions))
        .orderBy(...(sort === "newest" ? [desc(posts.id)] : [desc(key), desc(posts.id)]))
        // Drizzle knows only numbers and bare placeholders here, and writes down any expression as well.
        .limit(given("limit") as unknown as Placeholder)
        .prepare()
    );
  }

  return {
    bySlug(slug: string): Post | undefined {
      const row = bySlug.get({ slug });
      return row && toPost(row);
    },
    idOf: (slug) => idOf.get({ slug }),
    // Whoever writes is alone.
    lock: (slug) => idOf.get({ slug }),
    contentOf: (id: number) => content.get({ id })?.content ?? "",
    recent: (limit: number) => recent.all({ limit }),
    list({ sort, limit, after, search, authorId, viewerId }: ListRequest): ListedPost[] {
      const rowsOf = (from: ListPart, limit: number) => {
        const shape = [sort, from, search !== undefined, authorId !== undefined] as const;
        const name = shape.join();
        const list = lists.get(name) ?? prepareList(...shape);
        lists.set(name, list);
        const values = {
          limit,
          search: search && matchExpression(search),
          authorId,
          viewerId: viewerId ?? 0,
        };
        return list.all({ ...values, afterKey: after?.key, afterId: after?.id });
      };
      const tied = after && sort !== "newest" ? rowsOf("tied", limit) : [];
      const others = tied.length < limit ? rowsOf(after ? "below" : "start", limit - tied.length) : [];
      return [...tied, ...others].map(({ myScore, ...row }) => ({ ...toPost(row), myScore }));
    },
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
    update(id: number, post: PostInput, now: number) {
      connection.update(posts).set({ title: post.title, updatedAt: now }).where(eq(posts.id, id)).run();
      connection.update(postContents).set({ content: post.content }).where(eq(postContents.postId, id)).run();
      connection.run(
        sql`update posts_search set title = ${post.searchTitle}, content = ${post.searchContent} where rowid = ${id}`,
      );
    },
    remove(id: number) {
      connection.delete(posts).where(eq(posts.id, id)).run();
    },
  };
}
