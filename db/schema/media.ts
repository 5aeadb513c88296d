/** Images, and the posts that use them. */
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { postReference, type Referenced } from "./columns.ts";

export function mediaTables(dialect: typeof postgresColumns, { users }: Record<"users", Referenced>) {
  const { table, id, integer, bigint, boolean, text, key, index } = dialect;

  /**
   * Images; their files are in the media folder (lib/media).
   * A file without a row here is removed after an hour.
   */
  const media = table(
    "media",
    {
      id: id(),
      /** The beginning of its files' names: 25 random letters and digits. */
      name: key().notNull().unique(),
      /** The person who uploaded it; null for the site's own logo and icon. */
      userId: bigint("user_id").references(() => users.id, { onDelete: "cascade" }),
      /** The size of the largest file. */
      width: integer().notNull(),
      height: integer().notNull(),
      isAnimated: boolean("is_animated").notNull(),
      /** The size of all files together, in bytes. */
      bytes: bigint().notNull(),
      /** A description for readers who do not see it; empty for a decoration. */
      alt: text().notNull(),
      createdAt: bigint("created_at").notNull(),
    },
    (image) => [index("media_by_user").on(image.userId, image.id)],
  );

  /** The id of the database, in one row, which its folder of images has in a file. */
  const mediaFolder = table("media_folder", {
    id: integer().primaryKey(),
    databaseId: key("database_id").notNull(),
  });

  return { media, mediaFolder };
}

export function mediaUseTables(
  dialect: typeof postgresColumns,
  { posts, media }: Record<"posts" | "media", Referenced>,
) {
  const { table, bigint, index, primaryKey } = dialect;

  /** The author's own images that a post shows. */
  const postMedia = table(
    "post_media",
    {
      postId: postReference(dialect, posts)(),
      mediaId: bigint("media_id")
        .notNull()
        .references(() => media.id, { onDelete: "cascade" }),
    },
    (use) => [
      primaryKey({ columns: [use.postId, use.mediaId] }),
      index("post_media_by_media").on(use.mediaId),
    ],
  );

  return { postMedia };
}
