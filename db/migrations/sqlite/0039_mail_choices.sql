CREATE TABLE `announced_posts` (
	`post_id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `announced_posts_by_time` ON `announced_posts` (`at`);--> statement-breakpoint
CREATE TABLE `decision_subscriptions` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`locale` text NOT NULL,
	`after_decision` integer NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `decision_subscriptions_by_decision` ON `decision_subscriptions` (`after_decision`,`due_at`);--> statement-breakpoint
CREATE TABLE `email_changes` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_changes_token_hash_unique` ON `email_changes` (`token_hash`);--> statement-breakpoint
CREATE INDEX `email_changes_by_expiry` ON `email_changes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `pending_registrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`username` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`invitation_hash` text,
	`pending_network` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pending_registrations_token_hash_unique` ON `pending_registrations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `pending_registrations_by_expiry` ON `pending_registrations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`locale` text NOT NULL,
	`created_at` integer NOT NULL,
	`mailed_until` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email_key_unique` ON `subscribers` (`email_key`);--> statement-breakpoint
CREATE INDEX `subscribers_by_mailed_time` ON `subscribers` (`mailed_until`,`due_at`);--> statement-breakpoint
ALTER TABLE `mails` ADD `is_bulk` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_before_bulk` ON `mails` (`due_at`) WHERE due_at is not null and not is_bulk;--> statement-breakpoint
ALTER TABLE `users` ADD `email_confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `must_confirm_email` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `users` SET `email_confirmed_at` = (SELECT `confirmed_at` FROM `flood_subscriptions` WHERE `user_id` = `users`.`id` AND `address_key` = `users`.`email_key`) WHERE `id` IN (SELECT `user_id` FROM `flood_subscriptions` WHERE `confirmed_at` IS NOT NULL);