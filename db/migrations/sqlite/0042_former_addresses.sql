ALTER TABLE `mail_links` ADD `address` text;--> statement-breakpoint
CREATE INDEX `mail_links_by_address` ON `mail_links` (`address_key`) WHERE address is not null;