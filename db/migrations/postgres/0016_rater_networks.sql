ALTER TABLE "attempts" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "waiting_ratings" ADD COLUMN "network" text;