CREATE TABLE `shadow_decisions` (
	`attempt_id` integer NOT NULL,
	`policy` text NOT NULL,
	`allowed` integer NOT NULL,
	`reason` text NOT NULL,
	PRIMARY KEY(`attempt_id`, `policy`),
	FOREIGN KEY (`attempt_id`) REFERENCES `attempts`(`id`) ON UPDATE no action ON DELETE cascade
);
