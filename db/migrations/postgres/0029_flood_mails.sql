CREATE TABLE "flood_subscriptions" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"address_key" text collate "C" NOT NULL,
	"locale" text NOT NULL,
	"confirmed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "mailed_floods" (
	"post_id" bigint NOT NULL,
	"number" integer NOT NULL,
	CONSTRAINT "mailed_floods_post_id_number_pk" PRIMARY KEY("post_id","number")
);
--> statement-breakpoint
ALTER TABLE "flood_subscriptions" ADD CONSTRAINT "flood_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_floods" ADD CONSTRAINT "mailed_floods_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;