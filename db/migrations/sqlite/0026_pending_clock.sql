ALTER TABLE `trusted_time` ADD `pending_from` integer;--> statement-breakpoint
ALTER TABLE `trusted_time` ADD `pending_last` integer;--> statement-breakpoint
ALTER TABLE `trusted_time` ADD `pending_ran_ms` integer;