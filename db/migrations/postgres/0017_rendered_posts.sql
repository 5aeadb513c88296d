ALTER TABLE "post_contents" ADD COLUMN "html" text;--> statement-breakpoint
ALTER TABLE "post_contents" ADD COLUMN "renderer" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "post_contents" ADD COLUMN "rendered_at" bigint;--> statement-breakpoint
CREATE INDEX "post_contents_by_renderer" ON "post_contents" USING btree ("renderer","post_id");--> statement-breakpoint
-- A node of an earlier version changes a content and not its HTML, which must not stay as that of the new content.
CREATE FUNCTION post_contents_forget_html() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.html := NULL;
  new.renderer := 0;
  RETURN new;
END $$;--> statement-breakpoint
CREATE TRIGGER post_contents_forget_html BEFORE UPDATE OF content ON post_contents FOR EACH ROW
WHEN (new.content <> old.content AND new.html IS NOT DISTINCT FROM old.html AND new.rendered_at IS NOT DISTINCT FROM old.rendered_at)
EXECUTE FUNCTION post_contents_forget_html();
