ALTER TABLE `posts` ADD `chosen_lang` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `detected_lang` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `excerpt` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `reading_minutes` integer;