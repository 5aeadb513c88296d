CREATE INDEX "users_disabled" ON "users" USING btree ("id") WHERE disabled_at is not null;--> statement-breakpoint
CREATE INDEX "users_with_a_role" ON "users" USING btree ("id") WHERE (is_administrator or is_moderator);--> statement-breakpoint
CREATE INDEX "window_decisions_of_people" ON "window_decisions" USING btree ("id") WHERE decided_by = 'person';--> statement-breakpoint
ALTER TABLE "account_changes" ADD COLUMN "post_id" bigint;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "unpublished_at" bigint;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "featured_at" bigint;--> statement-breakpoint
CREATE INDEX "posts_unpublished" ON "posts" USING btree ("id") WHERE unpublished_at is not null;--> statement-breakpoint
CREATE INDEX "posts_featured" ON "posts" USING btree ("featured_at") WHERE featured_at is not null;