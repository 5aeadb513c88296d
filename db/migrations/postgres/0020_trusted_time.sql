CREATE TABLE "trusted_time" (
	"id" integer PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL
);
