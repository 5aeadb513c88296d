ALTER TABLE "users" ADD COLUMN "pending_network" text collate "C";--> statement-breakpoint
CREATE INDEX "users_by_pending_network" ON "users" USING btree ("pending_network") WHERE pending_network is not null;--> statement-breakpoint
UPDATE "users" SET "username_skeleton" = null WHERE "username_skeleton" IS NOT NULL;