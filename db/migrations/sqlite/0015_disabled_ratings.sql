CREATE TABLE `account_change_users` (
	`change_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`change_id`, `user_id`),
	FOREIGN KEY (`change_id`) REFERENCES `account_changes`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `account_changes_by_user` ON `account_change_users` (`user_id`);--> statement-breakpoint
CREATE TABLE `account_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`by_user_id` integer,
	`why` text,
	`ratings` integer DEFAULT 0 NOT NULL,
	`ratings_moved` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`by_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `account_changes_by_person` ON `account_changes` (`by_user_id`);--> statement-breakpoint
CREATE TABLE `disabled_ratings` (
	`post_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`score` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`window` integer,
	PRIMARY KEY(`post_id`, `user_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `disabled_ratings_by_user` ON `disabled_ratings` (`user_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `change_id` integer;--> statement-breakpoint
CREATE INDEX `users_to_change` ON `users` (`change_id`,`id`) WHERE change_id is not null;