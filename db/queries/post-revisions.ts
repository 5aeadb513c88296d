/** Earlier texts of posts. */
import { and, desc, eq, lte, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

/** How many revisions of a post are kept, and their characters in all. */
interface RevisionBounds {
  count: number;
  characters: number;
}

export function postRevisionQueries({ statements, tables: { postRevisions } }: Dialect) {
  const { id, postId, title, content, savedAt } = postRevisions;
  const length = sql<number>`length(${title}) + length(${content})`.mapWith(Number);

  const ofPost = (post: number) =>
    statements
      .select({ id, title, savedAt, length })
      .from(postRevisions)
      .where(eq(postId, post))
      .orderBy(desc(id));

  return {
    /** The revisions of a post without their texts, the newest first. */
    ofPost,
    async find(post: number, revision: number) {
      const found = statements
        .select({ id, title, content, savedAt })
        .from(postRevisions)
        .where(and(eq(postId, post), eq(id, revision)));
      return (await found)[0];
    },
    /**
     * Keeps a text, and removes the oldest ones beyond the bounds.
     * Call it in a transaction, after `posts.lock`.
     */
    async insert(
      revision: { postId: number; title: string; content: string; savedAt: number },
      { count, characters }: RevisionBounds,
    ) {
      await statements.insert(postRevisions).values(revision);
      let kept = 0;
      const all = await ofPost(revision.postId);
      const excess = all.find((each, index) => {
        kept += each.length;
        return index >= count || (index > 0 && kept > characters);
      });
      if (excess)
        await statements.delete(postRevisions).where(and(eq(postId, revision.postId), lte(id, excess.id)));
    },
  };
}
