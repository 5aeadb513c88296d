ALTER TABLE `attempts` ADD `network` text;--> statement-breakpoint
ALTER TABLE `waiting_ratings` ADD `network` text;