ALTER TABLE "users" ADD COLUMN "username_skeleton" text collate "C";--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_username_skeleton_unique" UNIQUE("username_skeleton");