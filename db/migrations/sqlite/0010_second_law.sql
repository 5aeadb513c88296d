ALTER TABLE `posts` RENAME COLUMN "settled_speed" TO "settled_velocity";--> statement-breakpoint
ALTER TABLE `posts` ADD `replay_due_at` integer;--> statement-breakpoint
CREATE INDEX `posts_by_replay_due` ON `posts` (`replay_due_at`) WHERE replay_due_at is not null;--> statement-breakpoint
CREATE INDEX `ratings_in_window` ON `ratings` (`post_id`,`window`,`updated_at`) WHERE window is not null;--> statement-breakpoint
ALTER TABLE `flood_windows` DROP COLUMN `settled_before`;--> statement-breakpoint
-- The old speed led towards the mean; the new one has a sign. The server replays each post's ratings once it has started.
UPDATE "posts" SET
	"settled_velocity" = CASE
		WHEN count_1 + 2 * count_2 + 3 * count_3 + 4 * count_4 + 5 * count_5 < "settled_score" * "rating_count" THEN -"settled_velocity"
		ELSE "settled_velocity"
	END,
	"replay_due_at" = 0
WHERE "rater_count" > 0;
