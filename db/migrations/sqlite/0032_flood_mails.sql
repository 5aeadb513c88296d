CREATE TABLE `flood_subscriptions` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`address_key` text NOT NULL,
	`locale` text NOT NULL,
	`confirmed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `mailed_floods` (
	`post_id` integer NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`post_id`, `number`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
