ALTER TABLE `account_change_users` ADD `deciders` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_changes` ADD `actor` text;--> statement-breakpoint
ALTER TABLE `account_changes` ADD `accounts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Changes of roles are of one account each; of several that were disabled together, none is known to have decided on floods.
UPDATE "account_change_users" SET "deciders" = (
		SELECT CASE WHEN "deciders" > 0 THEN 1 WHEN "deciders" < 0 THEN -1 ELSE 0 END FROM "account_changes" WHERE "id" = "change_id"
	) WHERE "change_id" IN (SELECT "id" FROM "account_changes" WHERE "kind" <> 'disable');--> statement-breakpoint
UPDATE "account_changes" SET "accounts" = (SELECT count(*) FROM "account_change_users" WHERE "change_id" = "id")
	+ CASE WHEN "removed_names" IS NULL THEN 0 ELSE length("removed_names") - length(replace("removed_names", char(10), '')) + 1 END;--> statement-breakpoint
-- Of role changes without a person the actor is not known: the operator, or an administrator whose account is gone.
UPDATE "account_changes" SET "actor" = CASE
	WHEN "by_user_id" IS NOT NULL OR "kind" IN ('approve', 'reject') THEN 'administrator'
	WHEN "why" = 'Disabled before an update of the server; its ratings leave the scores with it.' THEN 'upgrade'
	END;--> statement-breakpoint
-- A moderator waits for no approval: rejecting one would take their right away without a record.
UPDATE "users" SET "pending_since" = null, "pending_network" = null WHERE "is_moderator" AND "pending_since" IS NOT NULL;
