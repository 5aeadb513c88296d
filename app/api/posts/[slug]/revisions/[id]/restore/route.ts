import { postResponse } from "@/lib/api/post-response";
import { asUser, failed, route, withId, withSlug } from "@/lib/api/route";
import { app, currentApp } from "@/lib/app";
import { readPost } from "@/lib/posts";
import { restoreRevision } from "@/lib/posts/revisions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Makes an earlier text the present one again; for the post's author. */
  POST: withSlug(
    withId(
      asUser("write", async ({ slug, id, user, address, now }) => {
        const outcome = await restoreRevision(app(), { slug, id, user, address, now });
        if (outcome.kind !== "updated") return failed(outcome);
        const post = await readPost(await currentApp(now), outcome.slug, user);
        return post ? postResponse(post, now) : failed({ kind: "no-such-post" });
      }),
    ),
  ),
});
