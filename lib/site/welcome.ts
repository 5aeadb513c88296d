/** The page on which the first administrator sets up a new site. */
import type { Database } from "../../db/index.ts";
import type { User } from "../users/types.ts";

export const welcomePath = "/admin/welcome";

/** Whether a site is still to be set up: it has neither saved settings nor posts. */
export async function isNewSite({ database }: { database: Database }): Promise<boolean> {
  const saved = await database.siteSettings.all();
  return saved.size === 0 && (await database.posts.list({ sort: "newest", limit: 1 })).length === 0;
}

/**
 * Where a log-in leads that was to lead to `path`.
 * The administrator of a new site sets it up first, also one whose account a command or a program has made.
 */
export async function pathAfterLogIn(
  { database }: { database: Database },
  { isAdministrator }: User,
  path: string,
): Promise<string> {
  const isStart = path === "/" || path === "/posts/new";
  if (!isStart || !isAdministrator) return path;
  return (await isNewSite({ database })) ? welcomePath : path;
}
