/** The page on which the first administrator sets up a new site. */
import type { Database } from "../../db/index.ts";

export const welcomePath = "/admin/welcome";

/** Whether a site is still to be set up: it has neither saved settings nor posts. */
export async function isNewSite({ database }: { database: Database }): Promise<boolean> {
  const saved = await database.siteSettings.all();
  return saved.size === 0 && (await database.posts.list({ sort: "newest", limit: 1 })).length === 0;
}
