import { app } from "../app.ts";
import { presentSlugOf } from "../posts/index.ts";
import type { User } from "../users/index.ts";
import { apiPath } from "./posts.ts";
import { failed } from "./route.ts";

/** The answer for a slug that no post has: a redirect where one had it before. */
export async function movedPost(slug: string, viewer: User | null, subpath = ""): Promise<Response> {
  const present = await presentSlugOf(app(), slug, viewer);
  if (present === null) return failed({ kind: "no-such-post" });
  return new Response(null, {
    status: 308,
    headers: { Location: apiPath(present) + subpath, "Cache-Control": "no-store" },
  });
}
