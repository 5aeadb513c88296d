CREATE TABLE `review_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`post_id` integer NOT NULL,
	`window` integer NOT NULL,
	`at` integer NOT NULL,
	`why` text NOT NULL,
	`answered_at` integer,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `open_review_requests` ON `review_requests` (`post_id`,`window`) WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX `open_review_requests_by_time` ON `review_requests` (`at`) WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX `review_requests_by_post` ON `review_requests` (`post_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `is_moderator` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `window_decisions` ADD `role` text;--> statement-breakpoint
update window_decisions set role = case when user_id = (select author_id from posts where posts.id = window_decisions.post_id) then 'author' else 'administrator' end where user_id is not null;
