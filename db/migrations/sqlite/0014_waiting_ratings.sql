CREATE TABLE `waiting_ratings` (
	`post_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`score` integer NOT NULL,
	`created_at` integer NOT NULL,
	`counts_from` integer NOT NULL,
	PRIMARY KEY(`post_id`, `user_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "waiting_score_in_range" CHECK(score in (0, 1, 2, 3, 4, 5))
);
--> statement-breakpoint
CREATE INDEX `waiting_ratings_by_user` ON `waiting_ratings` (`user_id`);--> statement-breakpoint
CREATE INDEX `waiting_ratings_by_time` ON `waiting_ratings` (`counts_from`);