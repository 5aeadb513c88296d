/** The parts of a post besides its text: former addresses, tags and revisions. */
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { postReference, type Referenced } from "./columns.ts";

export function postDetailTables(dialect: typeof postgresColumns, { posts }: Record<"posts", Referenced>) {
  const { table, id, bigint, text, key, index, primaryKey } = dialect;
  const ofPost = postReference(dialect, posts);

  /** The slugs that posts had before, which lead to their present ones. */
  const formerSlugs = table(
    "former_slugs",
    { slug: key().primaryKey(), postId: ofPost(), changedAt: bigint("changed_at").notNull() },
    (former) => [index("former_slugs_by_post").on(former.postId)],
  );

  const tags = table("tags", {
    id: id(),
    slug: key().notNull().unique(),
    /** As its first author wrote it. */
    name: text().notNull(),
  });

  const postTags = table(
    "post_tags",
    {
      postId: ofPost(),
      tagId: bigint("tag_id")
        .notNull()
        .references(() => tags.id, { onDelete: "cascade" }),
    },
    (tagged) => [
      primaryKey({ columns: [tagged.postId, tagged.tagId] }),
      index("post_tags_by_tag").on(tagged.tagId, tagged.postId),
    ],
  );

  /** Earlier texts of published posts. */
  const postRevisions = table(
    "post_revisions",
    {
      id: id(),
      postId: ofPost(),
      title: text().notNull(),
      content: text().notNull(),
      /** When this text was saved. */
      savedAt: bigint("saved_at").notNull(),
    },
    (revision) => [index("post_revisions_by_post").on(revision.postId, revision.id)],
  );

  return { formerSlugs, tags, postTags, postRevisions };
}
