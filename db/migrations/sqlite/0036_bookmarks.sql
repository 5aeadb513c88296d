CREATE TABLE `bookmarks` (
	`post_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `user_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `bookmarks_by_user` ON `bookmarks` (`user_id`,`created_at`,`post_id`);--> statement-breakpoint
DROP INDEX `ratings_by_user`;--> statement-breakpoint
CREATE INDEX `ratings_by_user_time` ON `ratings` (`user_id`,`updated_at`);