ALTER TABLE `post_contents` ADD `html` text;--> statement-breakpoint
ALTER TABLE `post_contents` ADD `renderer` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `post_contents` ADD `rendered_at` integer;--> statement-breakpoint
CREATE INDEX `post_contents_by_renderer` ON `post_contents` (`renderer`,`post_id`);--> statement-breakpoint
-- A node of an earlier version changes a content and not its HTML, which must not stay as that of the new content.
CREATE TRIGGER post_contents_forget_html AFTER UPDATE OF content ON post_contents
WHEN new.content <> old.content AND new.html IS old.html AND new.rendered_at IS old.rendered_at
BEGIN
  UPDATE post_contents SET html = NULL, renderer = 0 WHERE post_id = new.post_id;
END;
