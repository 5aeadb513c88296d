CREATE TABLE `decider_subscriptions` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`locale` text NOT NULL,
	`seen` text NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
