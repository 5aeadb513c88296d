import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { bodyMaximumBytes } from "@/lib/http/body-limit";
import { shown } from "@/lib/http/posts";
import { asUser, failed, json, route, withInput, withSlug } from "@/lib/http/route";
import { deletePost, readPost, updatePost } from "@/lib/posts";
import type { User } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: withSlug(async ({ slug }) => showPost(slug, await getUser())),
  /** Changes title, content or both. */
  PATCH: withSlug(
    asUser(
      withInput(bodyMaximumBytes, async ({ slug, user, input, address, now }) => {
        const outcome = await updatePost(app(), { user, slug, input, address, now });
        return outcome.kind === "updated" ? showPost(slug, user) : failed(outcome);
      }),
    ),
  ),
  DELETE: withSlug(
    asUser(({ slug, user }) => {
      const outcome = deletePost(app(), { user, slug });
      return outcome.kind === "deleted" ? json({ slug }) : failed(outcome);
    }),
  ),
});

function showPost(slug: string, viewer: User | null): Response {
  const post = readPost(app(), slug, viewer);
  return post ? json(shown(post)) : failed({ kind: "no-such-post" });
}
