ALTER TABLE "mail_links" ADD COLUMN "address" text;--> statement-breakpoint
CREATE INDEX "mail_links_by_address" ON "mail_links" USING btree ("address_key") WHERE address is not null;