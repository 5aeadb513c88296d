CREATE TABLE `flood_windows` (
	`post_id` integer NOT NULL,
	`number` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`closed_at` integer,
	`usual_gap_ms` real NOT NULL,
	`recent_gap_ms` real NOT NULL,
	`count_0` integer DEFAULT 0 NOT NULL,
	`count_1` integer DEFAULT 0 NOT NULL,
	`count_2` integer DEFAULT 0 NOT NULL,
	`count_3` integer DEFAULT 0 NOT NULL,
	`count_4` integer DEFAULT 0 NOT NULL,
	`count_5` integer DEFAULT 0 NOT NULL,
	`status` text NOT NULL,
	`decided_by` text,
	`decisions` integer NOT NULL,
	`settled_before` real,
	PRIMARY KEY(`post_id`, `number`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flood_windows_by_status` ON `flood_windows` (`status`,`last_at`);--> statement-breakpoint
CREATE TABLE `former_raters` (
	`post_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`window` integer,
	PRIMARY KEY(`post_id`, `user_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `former_raters_by_user` ON `former_raters` (`user_id`);--> statement-breakpoint
CREATE TABLE `rating_days` (
	`post_id` integer NOT NULL,
	`day` integer NOT NULL,
	`count_0` integer DEFAULT 0 NOT NULL,
	`count_1` integer DEFAULT 0 NOT NULL,
	`count_2` integer DEFAULT 0 NOT NULL,
	`count_3` integer DEFAULT 0 NOT NULL,
	`count_4` integer DEFAULT 0 NOT NULL,
	`count_5` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`post_id`, `day`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `window_decisions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`post_id` integer NOT NULL,
	`window` integer NOT NULL,
	`at` integer NOT NULL,
	`status` text NOT NULL,
	`decided_by` text NOT NULL,
	`user_id` integer,
	`why` text,
	`ratings` integer NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `window_decisions_by_post` ON `window_decisions` (`post_id`,`window`);--> statement-breakpoint
CREATE INDEX `window_decisions_by_user` ON `window_decisions` (`user_id`);--> statement-breakpoint
DROP INDEX `posts_by_rank`;--> statement-breakpoint
ALTER TABLE `posts` DROP COLUMN `rank_score`;--> statement-breakpoint
ALTER TABLE `posts` ADD `settled_score` real;--> statement-breakpoint
ALTER TABLE `posts` ADD `settled_speed` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `settled_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `rater_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `first_rated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `last_rater_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `window_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `due_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `rank_score` real GENERATED ALWAYS AS ((25.0 + (count_0 + count_1 + count_2 + count_3 + count_4 + count_5) * coalesce(settled_score, 0)) / (10 + count_0 + count_1 + count_2 + count_3 + count_4 + count_5)) VIRTUAL NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_by_rank` ON `posts` (`rank_score`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_due` ON `posts` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
ALTER TABLE `attempts` ADD `held` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `ratings` ADD `window` integer;--> statement-breakpoint
-- What was rated before has settled: the score is the raw average, and every rating there is was a new one.
UPDATE `posts` SET
	`settled_score` = (count_1 + 2 * count_2 + 3 * count_3 + 4 * count_4 + 5 * count_5) * 1.0 / `rating_count`,
	`rater_count` = `rating_count`,
	`first_rated_at` = (SELECT min(`created_at`) FROM `ratings` WHERE `post_id` = `posts`.`id`),
	`last_rater_at` = (SELECT max(`created_at`) FROM `ratings` WHERE `post_id` = `posts`.`id`),
	`settled_at` = (SELECT max(`created_at`) FROM `ratings` WHERE `post_id` = `posts`.`id`)
WHERE `rating_count` > 0;--> statement-breakpoint
INSERT INTO `rating_days` (`post_id`, `day`, `count_0`, `count_1`, `count_2`, `count_3`, `count_4`, `count_5`)
SELECT `post_id`, `created_at` / 86400000, sum(`score` = 0), sum(`score` = 1), sum(`score` = 2), sum(`score` = 3), sum(`score` = 4), sum(`score` = 5)
FROM `ratings` GROUP BY 1, 2;
