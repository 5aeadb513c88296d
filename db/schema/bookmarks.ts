/** Posts that users have saved for later. */
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { postReference, type Referenced, userReference } from "./columns.ts";

export function bookmarkTables(
  dialect: typeof postgresColumns,
  { users, posts }: Record<"users" | "posts", Referenced>,
) {
  const { table, bigint, index, primaryKey } = dialect;
  const bookmarks = table(
    "bookmarks",
    {
      postId: postReference(dialect, posts)(),
      userId: userReference(dialect, users)(),
      createdAt: bigint("created_at").notNull(),
    },
    (bookmark) => [
      primaryKey({ columns: [bookmark.postId, bookmark.userId] }),
      index("bookmarks_by_user").on(bookmark.userId, bookmark.createdAt, bookmark.postId),
    ],
  );
  return { bookmarks };
}
