CREATE TABLE `mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` text NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer,
	`address` text NOT NULL,
	`address_key` text NOT NULL,
	`locale` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`due_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`finished_at` integer,
	`fault` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mails_message_id_unique` ON `mails` (`message_id`);--> statement-breakpoint
CREATE INDEX `mails_by_due_time` ON `mails` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `mails_by_address` ON `mails` (`address_key`,`kind`,`created_at`);--> statement-breakpoint
CREATE INDEX `mails_by_user` ON `mails` (`user_id`);--> statement-breakpoint
CREATE INDEX `mails_by_finish` ON `mails` (`finished_at`) WHERE finished_at is not null;