CREATE TABLE "replay_claims" (
	"post_id" bigint PRIMARY KEY NOT NULL,
	"claim" text collate "C" NOT NULL,
	"seen_at" bigint NOT NULL,
	"replayed" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "replay_claims" ADD CONSTRAINT "replay_claims_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Accounts disabled by earlier versions, which left their ratings in the scores: the server takes them out once it has started.
INSERT INTO "account_changes" ("kind", "at", "why", "ratings")
	SELECT 'disable', (extract(epoch from now()) * 1000)::bigint, 'Disabled before an update of the server; its ratings leave the scores with it.',
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
