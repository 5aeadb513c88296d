/** Tags of posts. */
import { and, eq, inArray, isNotNull, isNull, ne, notExists } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tag } from "../types.ts";

export function tagQueries({ statements, tables: { posts, postTags, tags }, lockByText }: Dialect) {
  const tagsOf = (postId: number) =>
    statements
      .select({ slug: tags.slug, name: tags.name })
      .from(postTags)
      .innerJoin(tags, eq(tags.id, postTags.tagId))
      .where(eq(postTags.postId, postId));
  const published = statements
    .select({ postId: postTags.postId })
    .from(postTags)
    .innerJoin(posts, eq(posts.id, postTags.postId))
    .where(and(eq(postTags.tagId, tags.id), isNotNull(posts.publishedAt), isNull(posts.deletedAt)));

  /** Gives these names to tags that no published post has. */
  async function nameUnpublished(chosen: readonly Tag[]): Promise<void> {
    for (const { slug, name } of chosen)
      await statements
        .update(tags)
        .set({ name })
        .where(and(eq(tags.slug, slug), ne(tags.name, name), notExists(published)));
  }

  return {
    /** The tags of these posts by their numbers, in the order of their names. */
    async ofPosts(postIds: readonly number[]): Promise<Map<number, Tag[]>> {
      if (postIds.length === 0) return new Map();
      const rows = await statements
        .select({ postId: postTags.postId, slug: tags.slug, name: tags.name })
        .from(postTags)
        .innerJoin(tags, eq(tags.id, postTags.tagId))
        .where(inArray(postTags.postId, [...postIds]))
        .orderBy(tags.slug);
      const byPost = Map.groupBy(rows, ({ postId }) => postId);
      return new Map([...byPost].map(([id, of]) => [id, of.map(({ slug, name }) => ({ slug, name }))]));
    },
    /**
     * Replaces a post's tags; call it in a transaction, after `posts.lock`.
     * A tag that a published post has keeps its name, and one that the post has its slug. `names`: whether the post is
     * published, or is being published, and names the others. Removes tags that no post has.
     */
    async setOf(postId: number, given: readonly Tag[], { names }: { names: boolean }) {
      const before = await tagsOf(postId);
      const bySlug = new Map(
        given.map((tag) => before.find(({ name }) => name === tag.name) ?? tag).map((tag) => [tag.slug, tag]),
      );
      const chosen = [...bySlug.values()];
      const slugs = chosen.map(({ slug }) => slug);
      const hasSame = before.length === slugs.length && before.every(({ slug }) => slugs.includes(slug));
      if (hasSame && (!names || chosen.length === 0)) return;
      // One at a time: a tag that is removed must not be given to another post meanwhile.
      await lockByText("tags");
      if (names) await nameUnpublished(chosen);
      if (hasSame) return;
      await statements.delete(postTags).where(eq(postTags.postId, postId));
      if (chosen.length > 0) {
        await statements
          .insert(tags)
          .values([...chosen])
          .onConflictDoNothing();
        const found = await statements.select({ tagId: tags.id }).from(tags).where(inArray(tags.slug, slugs));
        await statements.insert(postTags).values(found.map(({ tagId }) => ({ postId, tagId })));
      }
      const used = statements
        .select({ tagId: postTags.tagId })
        .from(postTags)
        .where(and(eq(postTags.tagId, tags.id)));
      await statements.delete(tags).where(notExists(used));
    },
  };
}
