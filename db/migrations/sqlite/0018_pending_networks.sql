ALTER TABLE `users` ADD `pending_network` text;--> statement-breakpoint
CREATE INDEX `users_by_pending_network` ON `users` (`pending_network`) WHERE pending_network is not null;--> statement-breakpoint
UPDATE `users` SET `username_skeleton` = null WHERE `username_skeleton` IS NOT NULL;