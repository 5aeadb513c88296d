ALTER TABLE "users" ADD COLUMN "lower_case_skeleton" text collate "C";--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_lower_case_skeleton_unique" UNIQUE("lower_case_skeleton");--> statement-breakpoint
UPDATE "users" SET "username_skeleton" = null WHERE "username_skeleton" IS NOT NULL AND "deleted_at" IS NULL;