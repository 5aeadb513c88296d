ALTER TABLE `posts` ADD `cover` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `cover_alt` text;