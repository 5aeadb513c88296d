import { and, desc, eq, isNull, lt, type Placeholder, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { toPost } from "../rows.ts";
import type { PostInput, PostText, Sort } from "../types.ts";
import { savedTallyColumns, savedTallyFrom, tallyColumns } from "./tallies.ts";

const { placeholder } = sql;

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
  viewerId?: number | undefined;
}

/**
 * The place of a page's rows: the list's start, or after a post.
 * After a post come first the posts that tie with it and then those below. These are two statements, since SQLite would
 * scan all ties for `(key, id) < (?, ?)`: it finds a place by the key alone when the column after it is the row's own
 * number.
 */
type ListPart = "start" | "tied" | "below";

/** Posts that are deleted, or whose author is, are found by none of these. */
export function postQueries({
  statements,
  tables: { postContents, posts, ratingDays, ratings, removals, users, waitingRatings },
  session,
  search,
  locking,
  lockByText,
  opaque,
}: Dialect) {
  const sortedBy = { newest: posts.id, top: posts.rankScore, "most-rated": posts.ratingCount } as const;
  const columns = {
    id: posts.id,
    slug: posts.slug,
    title: posts.title,
    authorId: posts.authorId,
    author: users.username,
    createdAt: posts.createdAt,
    updatedAt: posts.updatedAt,
    ...tallyColumns(posts),
    windowCount: posts.windowCount,
    rankScore: posts.rankScore,
  };
  const isShown = and(isNull(posts.deletedAt), isNull(users.deletedAt));
  const bySlug = statements
    .select(columns)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(eq(posts.slug, opaque("slug")), isShown))
    .prepare("post by slug");
  const isThere = and(
    eq(posts.slug, opaque("slug")),
    isNull(posts.deletedAt),
    sql`exists (select 1 from ${users} where ${users.id} = ${posts.authorId} and ${users.deletedAt} is null)`,
  );
  const key = { id: posts.id, authorId: posts.authorId };
  const idOf = statements.select(key).from(posts).where(isThere).prepare("post's number");
  const selectTallied = () =>
    statements
      .select({ ...key, ...savedTallyColumns(posts) })
      .from(posts)
      .where(isThere);
  const tallied = selectTallied().prepare("post with tally");
  // Excludes transactions that lock, change or remove the post, not those that only refer to it.
  const lock = locking(selectTallied(), "no key update").prepare("lock post with tally");
  const text = statements
    .select({ content: postContents.content, html: postContents.html, renderer: postContents.renderer })
    .from(postContents)
    .where(eq(postContents.postId, placeholder("id")))
    .prepare("text");
  const recent = statements
    .select({ slug: posts.slug, updatedAt: posts.updatedAt })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(isShown)
    .orderBy(desc(posts.id))
    .limit(placeholder("limit"))
    .prepare("recent posts");

  const lists = new Map<string, ReturnType<typeof prepareList>>();
  function prepareList(sort: Sort, from: ListPart, isSearch: boolean, isByAuthor: boolean) {
    const key = sortedBy[sort];
    const conditions = [isShown];
    if (from === "tied") conditions.push(eq(key, opaque("afterKey")));
    if (from === "tied" || (from === "below" && sort === "newest"))
      conditions.push(lt(posts.id, opaque("afterId")));
    else if (from === "below") conditions.push(lt(key, opaque("afterKey")));
    if (isSearch) conditions.push(search.condition);
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
        .orderBy(...(sort === "newest" ? [desc(posts.id)] : [desc(key), desc(posts.id)]))
        // Drizzle's type allows numbers and bare placeholders here; it writes any expression.
        .limit(opaque("limit") as unknown as Placeholder)
        .prepare(`list ${sort}`)
    );
  }

  /**
   * Deletes a post at once for all readers and frees its slug.
   * Its rows are left to `removals`. Call it after `lock`.
   */
  async function markDeleted(id: number, now: number): Promise<void> {
    // No slug has a space, so the old one is free, and this one is unused.
    const gone = { slug: `deleted ${id}`, deletedAt: now, dueAt: null, replayDueAt: null };
    await statements.update(posts).set(gone).where(eq(posts.id, id));
    const { count0, count1, count2, count3, count4, count5 } = ratingDays;
    const [counted] = await statements
      .select({
        ratings: sql<number>`cast(coalesce(sum(${count0} + ${count1} + ${count2} + ${count3} + ${count4} + ${count5}), 0) as bigint)`,
      })
      .from(ratingDays)
      .where(eq(ratingDays.postId, id));
    const removal = { kind: "post", subjectId: id, startedAt: now } as const;
    await statements.insert(removals).values({ ...removal, ratings: counted?.ratings ?? 0 });
  }

  return {
    async bySlug(slug: string) {
      const [row] = await bySlug.execute({ slug });
      return row && toPost(row);
    },
    /** Locks the choice of a slug from one title until the transaction ends. */
    lockSlug: (slug: string) => lockByText(`slug ${slug}`),
    idOf: async (slug: string) => (await idOf.execute({ slug }))[0],
    /**
     * As `idOf`, with the post's tally.
     * In a transaction, locks the post and its ratings until it ends.
     */
    async lock(slug: string) {
      const [row] = await (session.isInTransaction() ? lock : tallied).execute({ slug });
      if (!row) return undefined;
      const { id, authorId, ...tally } = row;
      return { id, authorId, tally: savedTallyFrom(tally) };
    },
    textOf: async (id: number): Promise<PostText | undefined> => (await text.execute({ id }))[0],
    /**
     * Texts that no renderer of this version or a later one has tried.
     * At most `limit`, those of new posts first.
     */
    textsToRender: (renderer: number, limit: number) =>
      statements
        .select({ postId: postContents.postId, content: postContents.content })
        .from(postContents)
        .where(lt(postContents.renderer, renderer))
        .orderBy(desc(postContents.renderer), desc(postContents.postId))
        .limit(limit),
    /** Saves the HTML of a content, unless the content has changed meanwhile. */
    async saveHtml(id: number, { content, html, renderer }: PostText, now: number) {
      await statements
        .update(postContents)
        .set({ html, renderer, renderedAt: now })
        .where(and(eq(postContents.postId, id), eq(postContents.content, content)));
    },
    /** The slugs of the newest posts with the times of their last change, newest first. */
    recent: (limit: number) => recent.execute({ limit }),
    async list({ sort, limit, after, search: words, authorId, viewerId }: ListRequest) {
      const searchValues = words && search.valuesFor(words);
      if (words && !searchValues) return [];
      const values = {
        ...searchValues,
        authorId,
        viewerId: viewerId ?? 0,
        afterKey: after?.key,
        afterId: after?.id,
      };
      const rowsOf = (from: ListPart, limit: number) => {
        const shape = [sort, from, words !== undefined, authorId !== undefined] as const;
        const name = shape.join();
        const list = lists.get(name) ?? prepareList(...shape);
        lists.set(name, list);
        return list.execute({ ...values, limit });
      };
      const tied = after && sort !== "newest" ? await rowsOf("tied", limit) : [];
      const rest = limit - tied.length;
      const others = rest > 0 ? await rowsOf(after ? "below" : "start", rest) : [];
      return [...tied, ...others].map(({ myScore, ...row }) => ({ ...toPost(row), myScore }));
    },
    /** Resolves to the new post's id; call it in a transaction. */
    insert: (post: PostInput & { slug: string; authorId: number; createdAt: number }) =>
      session.transaction(async () => {
        const { slug, title, authorId, createdAt } = post;
        const [row] = await statements
          .insert(posts)
          .values({ slug, title, authorId, createdAt, updatedAt: createdAt })
          .returning({ id: posts.id });
        if (!row) throw new Error("A row that was inserted is returned");
        const postId = row.id;
        await Promise.all([
          statements.insert(postContents).values({ postId, ...textColumns(post, createdAt) }),
          search.insert(postId, post),
        ]);
        return postId;
      }),
    /** Replaces a post's title and content; call it in a transaction. */
    update: (id: number, post: PostInput, now: number) =>
      session.transaction(async () => {
        await statements.update(posts).set({ title: post.title, updatedAt: now }).where(eq(posts.id, id));
        await Promise.all([
          statements.update(postContents).set(textColumns(post, now)).where(eq(postContents.postId, id)),
          search.update(id, post),
        ]);
      }),
    markDeleted,
    /**
     * Marks posts of a deleted user as deleted, at most `limit` of them.
     * Resolves to how many there were.
     */
    async markDeletedOf(authorId: number, now: number, limit: number) {
      const found = await statements
        .select({ id: posts.id })
        .from(posts)
        .where(and(eq(posts.authorId, authorId), isNull(posts.deletedAt)))
        .orderBy(posts.id)
        .limit(limit);
      for (const { id } of found) await markDeleted(id, now);
      return found.length;
    },
    /** Whether any post of a user is left, deleted or not. */
    async anyOf(authorId: number) {
      const of = statements.select({ id: posts.id }).from(posts).where(eq(posts.authorId, authorId));
      return (await of.limit(1)).length > 0;
    },
    /** Removes the row of a post whose other rows are removed. */
    async remove(id: number) {
      await statements.delete(posts).where(eq(posts.id, id));
    },
  };
}

function textColumns({ content, html, renderer }: PostText, renderedAt: number) {
  return { content, html, renderer, renderedAt };
}
