import { movedPost } from "@/lib/api/moved-post";
import { postResponse } from "@/lib/api/post-response";
import { asUser, asViewer, failed, json, route, withInput, withSlug } from "@/lib/api/route";
import { app, currentApp } from "@/lib/app";
import { ifMatchTags } from "@/lib/http/etag";
import { bodyMaximumBytes } from "@/lib/http/json-body";
import { deletePost, readPost, updatePost } from "@/lib/posts";
import type { User } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: withSlug(asViewer("read", ({ slug, viewer, now }) => showPost(slug, viewer, now))),
  /**
   * Changes some fields, and publishes a draft if requested.
   * With `If-Match`, only when the post is as the client has read it.
   */
  PATCH: withSlug(
    asUser(
      "write",
      withInput(bodyMaximumBytes, async ({ request, slug, user, input, address, now }) => {
        const versions = ifMatchTags(request.headers.get("if-match"));
        const outcome = await updatePost(app(), { user, slug, input, address, now, versions });
        return outcome.kind === "updated" ? showPost(outcome.slug, user, now) : failed(outcome);
      }),
    ),
  ),
  /** With `If-Match`, only when the post is as the client has read it. */
  DELETE: withSlug(
    asUser("write", async ({ request, slug, user, now }) => {
      const versions = ifMatchTags(request.headers.get("if-match"));
      const outcome = await deletePost(app(), { user, slug, now, versions });
      return outcome.kind === "deleted" ? json({ slug }) : failed(outcome);
    }),
  ),
});

async function showPost(slug: string, viewer: User | null, now: number): Promise<Response> {
  const post = await readPost(await currentApp(now), slug, viewer);
  return post ? postResponse(post, now) : movedPost(slug, viewer);
}
