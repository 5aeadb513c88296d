CREATE TABLE "site_settings" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
