import { app, currentApp } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { bodyMaximumBytes } from "@/lib/http/body-limit";
import { shown } from "@/lib/http/posts";
import { asUser, failed, json, route, withInput, withSlug } from "@/lib/http/route";
import { deletePost, readPost, updatePost } from "@/lib/posts";
import type { User } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: withSlug(async ({ slug, now }) => showPost(slug, await getUser(), now)),
  /** Changes title, content or both. */
  PATCH: withSlug(
    asUser(
      withInput(bodyMaximumBytes, async ({ slug, user, input, address, now }) => {
        const outcome = await updatePost(app(), { user, slug, input, address, now });
        return outcome.kind === "updated" ? showPost(slug, user, now) : failed(outcome);
      }),
    ),
  ),
  DELETE: withSlug(
    asUser(async ({ slug, user }) => {
      const outcome = await deletePost(app(), { user, slug });
      return outcome.kind === "deleted" ? json({ slug }) : failed(outcome);
    }),
  ),
});

async function showPost(slug: string, viewer: User | null, now: number): Promise<Response> {
  const post = await readPost(await currentApp(now), slug, viewer);
  return post ? json(shown(post, now)) : failed({ kind: "no-such-post" });
}
