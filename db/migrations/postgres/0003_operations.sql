CREATE TABLE "limit_counts" (
	"hour" integer NOT NULL,
	"policy" text collate "C" NOT NULL,
	"allowed" bigint NOT NULL,
	"refused" bigint NOT NULL,
	"held" bigint NOT NULL,
	"shadow_would_refuse" bigint NOT NULL,
	CONSTRAINT "limit_counts_hour_policy_pk" PRIMARY KEY("hour","policy")
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text collate "C" NOT NULL,
	"started_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"round" integer NOT NULL,
	"report" text NOT NULL
);
