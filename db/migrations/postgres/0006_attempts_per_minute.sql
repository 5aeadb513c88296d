CREATE TABLE "attempt_counts" (
	"post_id" bigint NOT NULL,
	"interval_ms" integer NOT NULL,
	"begins_at" bigint NOT NULL,
	"accepted" integer NOT NULL,
	"held" integer NOT NULL,
	"refused" integer NOT NULL,
	"lowest" double precision,
	"highest" double precision,
	CONSTRAINT "attempt_counts_post_id_interval_ms_begins_at_pk" PRIMARY KEY("post_id","interval_ms","begins_at")
);
--> statement-breakpoint
CREATE TABLE "shadow_counts" (
	"post_id" bigint NOT NULL,
	"interval_ms" integer NOT NULL,
	"begins_at" bigint NOT NULL,
	"policy" text collate "C" NOT NULL,
	"agreed" integer NOT NULL,
	"would_refuse" integer NOT NULL,
	"would_accept" integer NOT NULL,
	CONSTRAINT "shadow_counts_post_id_interval_ms_begins_at_policy_pk" PRIMARY KEY("post_id","interval_ms","begins_at","policy")
);
--> statement-breakpoint
DROP INDEX "attempts_by_user";--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "minute" bigint GENERATED ALWAYS AS (at / 60000) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "count" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "lasted_ms" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "attempt_counts" ADD CONSTRAINT "attempt_counts_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shadow_counts" ADD CONSTRAINT "shadow_counts_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempt_counts_by_time" ON "attempt_counts" USING btree ("interval_ms","begins_at");--> statement-breakpoint
CREATE INDEX "shadow_counts_by_time" ON "shadow_counts" USING btree ("interval_ms","begins_at");--> statement-breakpoint
INSERT INTO attempt_counts (post_id, interval_ms, begins_at, accepted, held, refused, lowest, highest)
SELECT post_id, 3600000, at - at % 3600000, count(*) FILTER (WHERE allowed AND NOT held), count(*) FILTER (WHERE held),
  count(*) FILTER (WHERE NOT allowed), min(level), max(level)
FROM attempts GROUP BY 1, 3;--> statement-breakpoint
-- Minutes are kept for two days.
INSERT INTO attempt_counts (post_id, interval_ms, begins_at, accepted, held, refused, lowest, highest)
SELECT post_id, 60000, at - at % 60000, count(*) FILTER (WHERE allowed AND NOT held), count(*) FILTER (WHERE held),
  count(*) FILTER (WHERE NOT allowed), min(level), max(level)
FROM attempts WHERE at > (SELECT max(at) FROM attempts) - 172800000 GROUP BY 1, 3;--> statement-breakpoint
INSERT INTO shadow_counts (post_id, interval_ms, begins_at, policy, agreed, would_refuse, would_accept)
SELECT post_id, 3600000, at - at % 3600000, shadow.policy,
  count(*) FILTER (WHERE shadow.allowed = (attempts.allowed AND NOT held)),
  count(*) FILTER (WHERE attempts.allowed AND NOT held AND NOT shadow.allowed),
  count(*) FILTER (WHERE shadow.allowed AND NOT (attempts.allowed AND NOT held))
FROM attempts JOIN shadow_decisions AS shadow ON shadow.attempt_id = attempts.id GROUP BY 1, 3, 4;--> statement-breakpoint
INSERT INTO shadow_counts (post_id, interval_ms, begins_at, policy, agreed, would_refuse, would_accept)
SELECT post_id, 60000, at - at % 60000, shadow.policy,
  count(*) FILTER (WHERE shadow.allowed = (attempts.allowed AND NOT held)),
  count(*) FILTER (WHERE attempts.allowed AND NOT held AND NOT shadow.allowed),
  count(*) FILTER (WHERE shadow.allowed AND NOT (attempts.allowed AND NOT held))
FROM attempts JOIN shadow_decisions AS shadow ON shadow.attempt_id = attempts.id
WHERE at > (SELECT max(at) FROM attempts) - 172800000 GROUP BY 1, 3, 4;--> statement-breakpoint
-- Of those that become one row, the last stays.
UPDATE attempts SET count = alike.count, at = alike.last, lasted_ms = alike.last - alike.first
FROM (
  SELECT max(id) AS id, min(at) AS first, max(at) AS last, count(*) AS count
  FROM attempts GROUP BY user_id, post_id, minute, verb, allowed, held HAVING count(*) > 1
) AS alike
WHERE attempts.id = alike.id;--> statement-breakpoint
DELETE FROM attempts WHERE id IN (
  SELECT id FROM (
    SELECT id, max(id) OVER (PARTITION BY user_id, post_id, minute, verb, allowed, held) AS last FROM attempts
  ) AS alike WHERE id < last
);--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_by_user" ON "attempts" USING btree ("user_id","post_id","minute","verb","allowed","held");--> statement-breakpoint
ALTER TABLE "attempts" DROP COLUMN "level";
