CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`note` text NOT NULL,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`used_by` integer,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`used_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `invitations_by_creator` ON `invitations` (`created_by`);--> statement-breakpoint
CREATE INDEX `invitations_by_user` ON `invitations` (`used_by`);--> statement-breakpoint
ALTER TABLE `users` ADD `pending_since` integer;--> statement-breakpoint
CREATE INDEX `users_by_pending` ON `users` (`pending_since`) WHERE pending_since is not null;