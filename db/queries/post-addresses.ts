/** Slugs that are taken, and former ones, which lead to a post's present slug. */
import { type AnyColumn, and, asc, count, eq, gte, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

const { placeholder } = sql;

export function postAddressQueries({ statements, tables: { formerSlugs, posts } }: Dialect) {
  const present = statements
    .select({ slug: posts.slug })
    .from(formerSlugs)
    .innerJoin(posts, and(eq(posts.id, formerSlugs.postId), isNull(posts.deletedAt)))
    .where(eq(formerSlugs.slug, placeholder("slug")))
    .prepare("present slug");
  const byId = statements
    .select({ slug: posts.slug })
    .from(posts)
    .where(and(eq(posts.id, placeholder("id")), isNull(posts.deletedAt)))
    .prepare("slug of a post");

  return {
    /**
     * Whether a post has this slug, or had it.
     * Leaves out `exceptId`, which may have its former slugs again.
     */
    async isSlugTaken(slug: string, exceptId = 0) {
      // In one statement: between two, a post could leave this slug and be seen in neither.
      const taking = await statements
        .select({ id: posts.id })
        .from(posts)
        .where(eq(posts.slug, slug))
        .unionAll(
          statements.select({ id: formerSlugs.postId }).from(formerSlugs).where(eq(formerSlugs.slug, slug)),
        );
      return taking.some(({ id }) => id !== exceptId);
    },
    /** The present slug of the post that had this one; undefined when none had. */
    presentSlug: async (slug: string) => (await present.execute({ slug }))[0]?.slug,
    slugOf: async (id: number) => (await byId.execute({ id }))[0]?.slug,
    /**
     * The present slugs of posts that have, or had, `slug` or one made of it.
     * One made of it is `slug-…`. Of those dated `date`; of drafts with this title where `date` is null.
     */
    async slugsLike(slug: string, { date, title }: { date: number | null; title: string }) {
      const isLike = (column: AnyColumn) =>
        or(eq(column, slug), and(gte(column, `${slug}-`), lt(column, `${slug}.`)));
      const isSame = and(
        isNull(posts.deletedAt),
        date === null
          ? and(isNull(posts.publishedAt), eq(posts.title, title))
          : or(eq(posts.publishedAt, date), eq(posts.publishAt, date), eq(posts.createdAt, date)),
      );
      const [present, former] = await Promise.all([
        statements
          .select({ found: posts.slug, slug: posts.slug })
          .from(posts)
          .where(and(isLike(posts.slug), isSame)),
        statements
          .select({ found: formerSlugs.slug, slug: posts.slug })
          .from(formerSlugs)
          .innerJoin(posts, and(eq(posts.id, formerSlugs.postId), isSame))
          .where(isLike(formerSlugs.slug)),
      ]);
      return [...present, ...former];
    },
    /** The former slugs of these posts, the oldest first. */
    async formerSlugsOf(ids: readonly number[]): Promise<Map<number, string[]>> {
      if (ids.length === 0) return new Map();
      const rows = await statements
        .select({ postId: formerSlugs.postId, slug: formerSlugs.slug })
        .from(formerSlugs)
        .where(inArray(formerSlugs.postId, [...ids]))
        .orderBy(asc(formerSlugs.changedAt), asc(formerSlugs.slug));
      const slugs = new Map<number, string[]>();
      for (const { postId, slug } of rows) slugs.set(postId, [...(slugs.get(postId) ?? []), slug]);
      return slugs;
    },
    /** Gives a post a former slug that no post has or had; call it in a transaction. */
    async addFormerSlug(postId: number, former: { slug: string; changedAt: number }) {
      await statements.insert(formerSlugs).values({ ...former, postId });
    },
    async countFormerSlugs(id: number) {
      const of = statements.select({ count: count() }).from(formerSlugs).where(eq(formerSlugs.postId, id));
      return (await of)[0]?.count ?? 0;
    },
    /**
     * Gives a post another slug; call it in a transaction.
     * The former one leads to it, unless `former` is null.
     */
    async setSlug(id: number, slug: string, former: { slug: string; changedAt: number } | null) {
      await statements.delete(formerSlugs).where(and(eq(formerSlugs.postId, id), eq(formerSlugs.slug, slug)));
      if (former) await statements.insert(formerSlugs).values({ ...former, postId: id });
      await statements.update(posts).set({ slug }).where(eq(posts.id, id));
    },
  };
}
