CREATE TABLE `limit_counts` (
	`hour` integer NOT NULL,
	`policy` text NOT NULL,
	`allowed` integer NOT NULL,
	`refused` integer NOT NULL,
	`held` integer NOT NULL,
	`shadow_would_refuse` integer NOT NULL,
	PRIMARY KEY(`hour`, `policy`)
);
--> statement-breakpoint
CREATE TABLE `nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`round` integer NOT NULL,
	`report` text NOT NULL
);
