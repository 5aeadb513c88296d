CREATE TABLE `replay_claims` (
	`post_id` integer PRIMARY KEY NOT NULL,
	`claim` text NOT NULL,
	`seen_at` integer NOT NULL,
	`replayed` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
-- Accounts disabled by earlier versions, which left their ratings in the scores: the server takes them out once it has started.
INSERT INTO "account_changes" ("kind", "at", "why", "ratings")
	SELECT 'disable', cast(unixepoch('subsec') * 1000 as integer), 'Disabled before an update of the server; its ratings leave the scores with it.',
		(SELECT count(*) FROM "ratings" WHERE "user_id" IN (SELECT "id" FROM "users" WHERE "disabled_at" IS NOT NULL AND "deleted_at" IS NULL AND "id" NOT IN (
			SELECT "user_id" FROM "account_change_users" WHERE "change_id" IN (SELECT "id" FROM "account_changes" WHERE "kind" = 'disable')
		)))
	WHERE EXISTS (SELECT 1 FROM "users" WHERE "disabled_at" IS NOT NULL AND "deleted_at" IS NULL AND "id" NOT IN (
			SELECT "user_id" FROM "account_change_users" WHERE "change_id" IN (SELECT "id" FROM "account_changes" WHERE "kind" = 'disable')
		));--> statement-breakpoint
INSERT INTO "account_change_users" ("change_id", "user_id")
	SELECT (SELECT max("id") FROM "account_changes"), "id" FROM "users" WHERE "disabled_at" IS NOT NULL AND "deleted_at" IS NULL AND "id" NOT IN (
			SELECT "user_id" FROM "account_change_users" WHERE "change_id" IN (SELECT "id" FROM "account_changes" WHERE "kind" = 'disable')
		);--> statement-breakpoint
UPDATE "users" SET "change_id" = (SELECT max("id") FROM "account_changes")
	WHERE "disabled_at" IS NOT NULL AND "deleted_at" IS NULL AND "change_id" IS NULL
		AND "id" IN (SELECT "user_id" FROM "account_change_users" WHERE "change_id" = (SELECT max("id") FROM "account_changes"));
