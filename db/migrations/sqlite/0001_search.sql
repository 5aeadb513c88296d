-- Full-text search over posts. It holds normalised text (lib/posts/search-text.ts), so it keeps no second copy
-- of the content, only the index; the row's number is the post's. Rows leave with their post.
CREATE VIRTUAL TABLE posts_search USING fts5(
  title, content,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2"
);
--> statement-breakpoint
CREATE TRIGGER posts_search_leaves_with_post AFTER DELETE ON posts BEGIN
  DELETE FROM posts_search WHERE rowid = old.id;
END;
