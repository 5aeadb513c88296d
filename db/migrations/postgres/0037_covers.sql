ALTER TABLE "posts" ADD COLUMN "cover" text;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "cover_alt" text;