// Over 200 lines: all queries of posts share their columns and conditions.

import { and, count, desc, eq, exists, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Dialect, LockedValues } from "../dialect.ts";
import { toPost } from "../rows.ts";
import type { Tables } from "../schema/index.ts";
import { listStart, type PostInput, type PostSummary, type PostText, type TimePlace } from "../types.ts";
import { postAddressQueries } from "./post-addresses.ts";
import { isPostListed, isPostThere, postColumns, postListQueries } from "./post-lists.ts";
import { publishingQueries } from "./publishing.ts";
import { savedTallyColumns, savedTallyFrom, type TallyRow } from "./tallies.ts";

const { placeholder } = sql;

/** Finds posts too that most readers do not see. */
interface Finding {
  unpublished?: boolean;
  drafts?: boolean;
}

type Hidden = Pick<Tables["posts"]["$inferSelect"], "publishedAt" | "unpublishedAt">;

function isFound(post: Hidden, { unpublished = false, drafts = false }: Finding): boolean {
  return (drafts || post.publishedAt !== null) && (unpublished || post.unpublishedAt === null);
}

/** A post to be saved; see `insert`. */
interface NewPost extends PostInput {
  slug: string;
  authorId: number;
  createdAt: number;
  /** The post's date unless given. */
  updatedAt?: number | undefined;
  publishedAt?: number | null;
  publishAt?: number | null;
  isUnlisted?: boolean;
}

/** A post's cover image: its address and description. */
export interface Cover {
  address: string;
  alt: string;
}

/** Undefined ones stay as they are. */
interface PostOptions {
  isUnlisted?: boolean | undefined;
  chosenExcerpt?: string | null | undefined;
  cover?: Cover | null | undefined;
}

/** Posts that are deleted, or whose author is, are found by none of these. */
export function postQueries(dialect: Dialect, lockedTallies: LockedValues<TallyRow>) {
  const {
    statements,
    tables: { formerSlugs, postContents, posts, ratingDays, removals, users },
    session,
    search,
    locking,
    lockByText,
    opaque,
  } = dialect;
  const columns = postColumns(dialect);
  const isListed = isPostListed(dialect);
  const bySlug = statements
    .select(columns)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(eq(posts.slug, opaque("slug")), isPostThere(dialect)))
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
      .select({
        ...key,
        publishedAt: posts.publishedAt,
        unpublishedAt: posts.unpublishedAt,
        ...savedTallyColumns(posts),
      })
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
    .select({ id: posts.id, slug: posts.slug, updatedAt: posts.updatedAt, publishedAt: posts.publishedAt })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    // Written so that an index leads to the place.
    .where(
      and(
        lte(posts.publishedAt, placeholder("at")),
        or(lt(posts.publishedAt, placeholder("at")), lt(posts.id, placeholder("id"))),
        isListed,
      ),
    )
    .orderBy(desc(posts.publishedAt), desc(posts.id))
    .limit(placeholder("limit"))
    .prepare("recent posts");

  /**
   * Deletes a post at once for all readers and frees its slugs.
   * Its rows are left to `removals`. Call it after `lock`.
   */
  async function markDeleted(id: number, now: number): Promise<void> {
    // No slug has a space, so the old one is free, and this one is unused.
    const gone = { slug: `deleted ${id}`, deletedAt: now, dueAt: null, replayDueAt: null, publishAt: null };
    await statements.update(posts).set(gone).where(eq(posts.id, id));
    await statements.delete(formerSlugs).where(eq(formerSlugs.postId, id));
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

  const lockedPosts = session.lockedValues<NonNullable<Awaited<ReturnType<typeof findTallied>>>>();
  async function findTallied(slug: string) {
    const query = (session.isInTransaction() ? lock : tallied).execute({ slug });
    // Before its result: a statement sent meanwhile may change the post.
    const kept = lockedPosts();
    const [row] = await query;
    if (!row) return undefined;
    const { id, authorId, publishedAt, unpublishedAt, ...tally } = row;
    const found = { id, authorId, publishedAt, unpublishedAt, tally: savedTallyFrom(tally) };
    kept.set(slug, found);
    return found;
  }

  return {
    ...postListQueries(dialect),
    ...publishingQueries(dialect),
    ...postAddressQueries(dialect),
    async bySlug(slug: string, finding: Finding = {}) {
      const [row] = await bySlug.execute({ slug });
      return row && isFound(row, finding) ? toPost(row) : undefined;
    },
    /** Locks the choice of a slug from one title until the transaction ends. */
    lockSlug: (slug: string) => lockByText(`slug ${slug}`),
    /** The post with this slug, published, draft or neither. */
    idOf: async (slug: string) => (await idOf.execute({ slug }))[0],
    /**
     * As `idOf`, with the post's tally.
     * In a transaction, locks the post and its ratings until it ends.
     */
    async lock(slug: string, finding: Finding = {}) {
      const found = lockedPosts().get(slug) ?? (await findTallied(slug));
      if (!found || !isFound(found, finding)) return undefined;
      const latest = lockedTallies().get(found.id);
      return latest ? { ...found, tally: savedTallyFrom(latest) } : found;
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
    /** Saves a content's HTML and summary, unless the content has changed meanwhile. */
    async saveHtml(id: number, text: PostText & Partial<PostSummary>, now: number) {
      const { content, html, renderer } = text;
      const isContent = and(eq(postContents.postId, id), eq(postContents.content, content));
      const summary = summaryColumns(text);
      await session.transaction(async () => {
        // Before the text, in the order in which a change saves both.
        if (Object.values(summary).some((value) => value !== undefined))
          await statements
            .update(posts)
            .set(summary)
            .where(
              and(
                eq(posts.id, id),
                exists(
                  statements.select({ postId: postContents.postId }).from(postContents).where(isContent),
                ),
              ),
            );
        await statements.update(postContents).set({ html, renderer, renderedAt: now }).where(isContent);
      });
    },
    /** The newest posts after a place, newest first: slugs and times of last changes. */
    recent: (limit: number, after: TimePlace = listStart) => recent.execute({ limit, ...after }),
    /**
     * Resolves to the new post's id; call it in a transaction.
     * It is published when it is created unless `publishedAt` is another time, or null for a draft.
     */
    insert: (post: NewPost) =>
      session.transaction(async () => {
        const { slug, title, authorId, createdAt, chosenLang, chosenExcerpt } = post;
        const { publishedAt = createdAt, publishAt = null, isUnlisted = false } = post;
        const { updatedAt = publishedAt ?? createdAt } = post;
        const [row] = await statements
          .insert(posts)
          .values({
            ...{ slug, title, authorId, createdAt, updatedAt },
            ...{ publishedAt, publishAt, isUnlisted, chosenLang, chosenExcerpt },
            ...summaryColumns(post),
          })
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
        const { title, chosenLang, chosenExcerpt } = post;
        await statements
          .update(posts)
          .set({ title, chosenLang, chosenExcerpt, updatedAt: now, ...summaryColumns(post) })
          .where(eq(posts.id, id));
        await Promise.all([
          statements.update(postContents).set(textColumns(post, now)).where(eq(postContents.postId, id)),
          search.update(id, post),
        ]);
      }),
    /** Sets the author's options: listing, excerpt, cover. */
    async setOptions(id: number, { isUnlisted, chosenExcerpt, cover }: PostOptions) {
      // Nothing that readers do not find in lists comes first in one.
      const featuredAt = isUnlisted ? null : undefined;
      const coverColumns =
        cover === undefined ? {} : { cover: cover?.address ?? null, coverAlt: cover?.alt ?? null };
      await statements
        .update(posts)
        .set({ isUnlisted, chosenExcerpt, featuredAt, ...coverColumns })
        .where(eq(posts.id, id));
    },
    markDeleted,
    /** Hides a post from readers, and features it no longer; null shows it again. */
    async setUnpublishedAt(id: number, unpublishedAt: number | null) {
      await statements
        .update(posts)
        .set({ unpublishedAt, ...(unpublishedAt !== null && { featuredAt: null }) })
        .where(eq(posts.id, id));
    },
    /**
     * How many posts come first on the home page.
     * In a transaction, no other counts them until it ends.
     */
    async countFeatured() {
      if (session.isInTransaction()) await lockByText("featured posts");
      const [row] = await statements
        .select({ count: count() })
        .from(posts)
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(and(isListed, isNotNull(posts.featuredAt)));
      return row?.count ?? 0;
    },
    async setFeaturedAt(id: number, featuredAt: number | null) {
      await statements.update(posts).set({ featuredAt }).where(eq(posts.id, id));
    },
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

function summaryColumns({ detectedLang, excerpt, readingMinutes }: Partial<PostSummary>) {
  return { detectedLang, excerpt, readingMinutes };
}

function textColumns({ content, html, renderer }: PostText, renderedAt: number) {
  return { content, html, renderer, renderedAt };
}
