import { translator } from "@/lib/i18n";

/** That a post is unpublished, and why; for its author and administrators. */
export function unpublishedText({ unpublishedWhy: why }: { unpublishedWhy: string | null }): string {
  const t = translator("post");
  // Isolated: the reason may be in a script of the other direction.
  return why === null ? t("unpublished.label") : t("unpublished.by", { why: `\u2068${why}\u2069` });
}
