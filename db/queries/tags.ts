/** Tags of posts. */
import { and, eq, inArray, notExists } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tag } from "../types.ts";

export function tagQueries({ statements, tables: { postTags, tags }, lockByText }: Dialect) {
  async function slugsOf(postId: number): Promise<string[]> {
    const rows = statements
      .select({ slug: tags.slug })
      .from(postTags)
      .innerJoin(tags, eq(tags.id, postTags.tagId))
      .where(eq(postTags.postId, postId));
    return (await rows).map(({ slug }) => slug);
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
     * A tag that exists keeps its name. Removes tags that no post has.
     */
    async setOf(postId: number, chosen: readonly Tag[]) {
      const slugs = chosen.map(({ slug }) => slug);
      const before = await slugsOf(postId);
      if (before.length === slugs.length && before.every((slug) => slugs.includes(slug))) return;
      // One at a time: a tag that is removed must not be given to another post meanwhile.
      await lockByText("tags");
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
