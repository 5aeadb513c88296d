CREATE TABLE `attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`post_id` integer NOT NULL,
	`user_id` integer,
	`at` integer NOT NULL,
	`verb` text NOT NULL,
	`score` integer NOT NULL,
	`allowed` integer NOT NULL,
	`policy` text,
	`reason` text,
	`level` real,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `attempts_by_post` ON `attempts` (`post_id`,`at`);--> statement-breakpoint
CREATE INDEX `attempts_by_user` ON `attempts` (`user_id`);--> statement-breakpoint
CREATE TABLE `limiter_states` (
	`key` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `limiter_states_by_expiry` ON `limiter_states` (`expires_at`);--> statement-breakpoint
CREATE TABLE `post_contents` (
	`post_id` integer PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `posts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`author_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`count_0` integer DEFAULT 0 NOT NULL,
	`count_1` integer DEFAULT 0 NOT NULL,
	`count_2` integer DEFAULT 0 NOT NULL,
	`count_3` integer DEFAULT 0 NOT NULL,
	`count_4` integer DEFAULT 0 NOT NULL,
	`count_5` integer DEFAULT 0 NOT NULL,
	`rating_count` integer GENERATED ALWAYS AS (count_0 + count_1 + count_2 + count_3 + count_4 + count_5) VIRTUAL NOT NULL,
	`rank_score` real GENERATED ALWAYS AS ((25.0 + count_1 + 2 * count_2 + 3 * count_3 + 4 * count_4 + 5 * count_5) / (10 + count_0 + count_1 + count_2 + count_3 + count_4 + count_5)) VIRTUAL NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "counts_not_negative" CHECK(min("posts"."count_0", "posts"."count_1", "posts"."count_2", "posts"."count_3", "posts"."count_4", "posts"."count_5") >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `posts_slug_unique` ON `posts` (`slug`);--> statement-breakpoint
CREATE INDEX `posts_by_author` ON `posts` (`author_id`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_rank` ON `posts` (`rank_score`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_rating_count` ON `posts` (`rating_count`,`id`);--> statement-breakpoint
CREATE TABLE `ratings` (
	`post_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`score` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `user_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "score_in_range" CHECK("ratings"."score" in (0, 1, 2, 3, 4, 5))
);
--> statement-breakpoint
CREATE INDEX `ratings_by_user` ON `ratings` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`is_administrator` integer DEFAULT false NOT NULL,
	`session_version` integer DEFAULT 1 NOT NULL,
	`disabled_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_key_unique` ON `users` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);