CREATE TABLE `removals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ratings` integer NOT NULL,
	`ratings_removed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `removals_by_subject` ON `removals` (`kind`,`subject_id`);--> statement-breakpoint
ALTER TABLE `posts` ADD `deleted_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `deleted_at` integer;