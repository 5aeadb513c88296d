CREATE TABLE "decider_subscriptions" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"locale" text NOT NULL,
	"seen" text NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "decider_subscriptions" ADD CONSTRAINT "decider_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;