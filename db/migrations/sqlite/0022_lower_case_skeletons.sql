ALTER TABLE `users` ADD `lower_case_skeleton` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_lower_case_skeleton_unique` ON `users` (`lower_case_skeleton`);--> statement-breakpoint
UPDATE `users` SET `username_skeleton` = null WHERE `username_skeleton` IS NOT NULL AND `deleted_at` IS NULL;