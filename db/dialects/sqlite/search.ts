/**
 * Posts' words in SQLite's full-text table.
 * `migrations/sqlite/0001_search.sql` makes the table.
 */
import { sql } from "drizzle-orm";
import type { Dialect, Search } from "../../dialect.ts";

export function searchQueries({ tables: { posts }, execute }: Pick<Dialect, "tables" | "execute">): Search {
  return {
    condition: sql`${posts.id} in (select rowid from posts_search where posts_search match ${sql.placeholder("search")})`,
    // An FTS5 expression: all words must occur, the last one at least as a prefix.
    valuesFor: (words) => ({ search: `${words.map((word) => `"${word}"`).join(" ")}*` }),
    insert: (postId, { searchTitle, searchContent }) =>
      execute(
        sql`insert into posts_search (rowid, title, content) values (${postId}, ${searchTitle}, ${searchContent})`,
      ),
    update: (postId, { searchTitle, searchContent }) =>
      execute(
        sql`update posts_search set title = ${searchTitle}, content = ${searchContent} where rowid = ${postId}`,
      ),
  };
}
