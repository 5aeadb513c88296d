CREATE TABLE "waiting_ratings" (
	"post_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"score" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"counts_from" bigint NOT NULL,
	CONSTRAINT "waiting_ratings_post_id_user_id_pk" PRIMARY KEY("post_id","user_id"),
	CONSTRAINT "waiting_score_in_range" CHECK (score in (0, 1, 2, 3, 4, 5))
);
--> statement-breakpoint
ALTER TABLE "waiting_ratings" ADD CONSTRAINT "waiting_ratings_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_ratings" ADD CONSTRAINT "waiting_ratings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "waiting_ratings_by_user" ON "waiting_ratings" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "waiting_ratings_by_time" ON "waiting_ratings" USING btree ("counts_from");