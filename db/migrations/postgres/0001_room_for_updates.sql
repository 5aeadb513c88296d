-- Room on each page for the next version of a row: a state that is saved again and again stays where it is, and no
-- index has to be told.
ALTER TABLE "limiter_states" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "posts" SET (fillfactor = 80);
