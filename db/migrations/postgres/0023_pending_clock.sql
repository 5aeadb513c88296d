ALTER TABLE "trusted_time" ADD COLUMN "pending_from" bigint;--> statement-breakpoint
ALTER TABLE "trusted_time" ADD COLUMN "pending_last" bigint;--> statement-breakpoint
ALTER TABLE "trusted_time" ADD COLUMN "pending_ran_ms" bigint;