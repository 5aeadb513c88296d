ALTER TABLE `account_changes` ADD `post_id` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `unpublished_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `featured_at` integer;--> statement-breakpoint
CREATE INDEX `posts_unpublished` ON `posts` (`id`) WHERE unpublished_at is not null;--> statement-breakpoint
CREATE INDEX `posts_featured` ON `posts` (`featured_at`) WHERE featured_at is not null;--> statement-breakpoint
CREATE INDEX `users_disabled` ON `users` (`id`) WHERE disabled_at is not null;--> statement-breakpoint
CREATE INDEX `users_with_a_role` ON `users` (`id`) WHERE (is_administrator or is_moderator);--> statement-breakpoint
CREATE INDEX `window_decisions_of_people` ON `window_decisions` (`id`) WHERE decided_by = 'person';