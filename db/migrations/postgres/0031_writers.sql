ALTER TABLE "invitations" ADD COLUMN "makes_writer" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_writer" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "writing_requested_at" bigint;--> statement-breakpoint
CREATE INDEX "users_who_request_to_write" ON "users" USING btree ("writing_requested_at") WHERE writing_requested_at is not null;--> statement-breakpoint
UPDATE "users" SET "is_writer" = true WHERE "id" IN (SELECT "author_id" FROM "posts");
