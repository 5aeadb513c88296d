import { postResponse } from "@/lib/api/post-response";
import { asUser, failed, route, withId, withSlug } from "@/lib/api/route";
import { app, currentApp } from "@/lib/app";
import { ifMatchTags } from "@/lib/http/etag";
import { readPost } from "@/lib/posts";
import { restoreRevision } from "@/lib/posts/revisions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /**
   * Makes an earlier text the present one again; for the post's author.
   * With `If-Match`, only when the post is as the client has read it.
   */
  POST: withSlug(
    withId(
      asUser("write", async ({ request, slug, id, user, address, now }) => {
        const versions = ifMatchTags(request.headers.get("if-match"));
        const outcome = await restoreRevision(app(), { slug, id, user, address, now, versions });
        if (outcome.kind !== "updated") return failed(outcome);
        const post = await readPost(await currentApp(now), outcome.slug, user);
        return post ? postResponse(post, now) : failed({ kind: "no-such-post" });
      }),
    ),
  ),
});
