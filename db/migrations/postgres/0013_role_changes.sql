ALTER TABLE "account_changes" ADD COLUMN "deciders" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account_changes" ADD COLUMN "removed_names" text;--> statement-breakpoint
CREATE INDEX "account_changes_of_deciders" ON "account_changes" USING btree ("at") WHERE deciders <> 0;