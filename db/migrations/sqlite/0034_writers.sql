ALTER TABLE `invitations` ADD `makes_writer` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `is_writer` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `writing_requested_at` integer;--> statement-breakpoint
CREATE INDEX `users_who_request_to_write` ON `users` (`writing_requested_at`) WHERE writing_requested_at is not null;--> statement-breakpoint
UPDATE `users` SET `is_writer` = true WHERE `id` IN (SELECT `author_id` FROM `posts`);
