ALTER TABLE `account_changes` ADD `deciders` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_changes` ADD `removed_names` text;--> statement-breakpoint
CREATE INDEX `account_changes_of_deciders` ON `account_changes` (`at`) WHERE deciders <> 0;