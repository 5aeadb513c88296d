ALTER TABLE "posts" ADD COLUMN "chosen_lang" text;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "detected_lang" text;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "excerpt" text;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "reading_minutes" integer;