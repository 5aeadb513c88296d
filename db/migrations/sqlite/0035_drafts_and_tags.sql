CREATE TABLE `former_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`post_id` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `former_slugs_by_post` ON `former_slugs` (`post_id`);--> statement-breakpoint
CREATE TABLE `post_revisions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`post_id` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`saved_at` integer NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `post_revisions_by_post` ON `post_revisions` (`post_id`,`id`);--> statement-breakpoint
CREATE TABLE `post_tags` (
	`post_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	PRIMARY KEY(`post_id`, `tag_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `post_tags_by_tag` ON `post_tags` (`tag_id`,`post_id`);--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_slug_unique` ON `tags` (`slug`);--> statement-breakpoint
ALTER TABLE `posts` ADD `published_at` integer DEFAULT -1;--> statement-breakpoint
ALTER TABLE `posts` ADD `publish_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `is_unlisted` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `chosen_excerpt` text;--> statement-breakpoint
UPDATE `posts` SET `published_at` = `created_at`;--> statement-breakpoint
CREATE INDEX `posts_by_author_published` ON `posts` (`author_id`,`published_at`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_published` ON `posts` (`published_at`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_publish_at` ON `posts` (`publish_at`) WHERE publish_at is not null;