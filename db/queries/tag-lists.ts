/** Tags that readers find, and the posts that share tags with one. */
import { and, desc, eq, exists, gt, type SQL, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tag } from "../types.ts";
import { isPostListed } from "./post-lists.ts";

const { placeholder } = sql;

/** How many posts of a tag are considered on each side of a post. */
const nearestPerTag = 25;

export function tagListQueries(dialect: Dialect) {
  const {
    statements,
    tables: { posts, postTags, tags, users },
  } = dialect;
  const isListed = isPostListed(dialect);
  const listedPosts = statements
    .select({ id: posts.id })
    .from(postTags)
    .innerJoin(posts, eq(posts.id, postTags.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(eq(postTags.tagId, tags.id), isListed));
  const hasListed = exists(listedPosts);
  const columns = { slug: tags.slug, name: tags.name };
  const listed = statements
    .select(columns)
    .from(tags)
    .where(and(eq(tags.slug, placeholder("slug")), hasListed))
    .prepare("listed tag");
  const all = statements
    .select(columns)
    .from(tags)
    .where(hasListed)
    .orderBy(tags.slug)
    .limit(placeholder("limit"))
    .prepare("listed tags");
  const counted = statements
    .select({
      ...columns,
      posts: sql<number>`(select count(*) from ${listedPosts} as listed)`.mapWith(Number),
    })
    .from(tags)
    .where(and(gt(tags.slug, placeholder("after")), hasListed))
    .orderBy(tags.slug)
    .limit(placeholder("limit"))
    .prepare("counted tags");
  const ofPost = statements
    .select({ tagId: postTags.tagId })
    .from(postTags)
    .where(eq(postTags.postId, placeholder("postId")))
    .prepare("tag numbers");

  /** The posts with a tag whose numbers are next to that of a post. */
  function nearest(tagId: number, postId: number): SQL[] {
    const ofTag = sql`select post_id from post_tags where tag_id = ${tagId}`;
    return [
      sql`select post_id from (${ofTag} and post_id < ${postId} order by post_id desc limit ${nearestPerTag}) as below`,
      sql`select post_id from (${ofTag} and post_id > ${postId} order by post_id limit ${nearestPerTag}) as above`,
    ];
  }

  return {
    /** A tag that a post in the lists has; undefined when there is none. */
    listedTag: async (slug: string): Promise<Tag | undefined> => (await listed.execute({ slug }))[0],
    /** All of them by their slugs, at most `limit`. */
    listedTags: (limit: number): Promise<Tag[]> => all.execute({ limit }),
    /** Those after a slug, each with its number of listed posts. */
    counted: (request: { after: string; limit: number }) => counted.execute(request),
    /**
     * The posts that share the most tags with one, those nearest in time first.
     * Of each tag the posts that were written shortly before and after it are considered: a tag of many thousands
     * costs no more.
     */
    async related({ id, publishedAt }: { id: number; publishedAt: number }, limit: number) {
      const tagIds = (await ofPost.execute({ postId: id })).map(({ tagId }) => tagId);
      if (tagIds.length === 0) return [];
      const near = sql.join(
        tagIds.flatMap((tagId) => nearest(tagId, id)),
        sql` union all `,
      );
      const rows = await statements
        .select({
          slug: posts.slug,
          title: posts.title,
          chosenLang: posts.chosenLang,
          detectedLang: posts.detectedLang,
        })
        .from(posts)
        .innerJoin(users, eq(users.id, posts.authorId))
        .innerJoin(
          sql`(select post_id, count(*) as shared from (${near}) as near group by post_id) as related`,
          sql`related.post_id = ${posts.id}`,
        )
        .where(isListed)
        .orderBy(sql`related.shared desc`, sql`abs(${posts.publishedAt} - ${publishedAt})`, desc(posts.id))
        .limit(limit);
      return rows.map(({ chosenLang, detectedLang, ...post }) => ({
        ...post,
        lang: chosenLang ?? detectedLang,
      }));
    },
  };
}
