CREATE TABLE `media_folder` (
	`id` integer PRIMARY KEY NOT NULL,
	`database_id` text NOT NULL
);
