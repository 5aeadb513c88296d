CREATE TABLE `media` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`user_id` integer,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`is_animated` integer NOT NULL,
	`bytes` integer NOT NULL,
	`alt` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_name_unique` ON `media` (`name`);--> statement-breakpoint
CREATE INDEX `media_by_user` ON `media` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `post_media` (
	`post_id` integer NOT NULL,
	`media_id` integer NOT NULL,
	PRIMARY KEY(`post_id`, `media_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `post_media_by_media` ON `post_media` (`media_id`);