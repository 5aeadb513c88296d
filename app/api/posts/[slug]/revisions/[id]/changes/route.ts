import { movedPost } from "@/lib/api/moved-post";
import { shownChanges } from "@/lib/api/revisions";
import { asUser, failed, failedFor, json, route, withId, withSlug } from "@/lib/api/route";
import { app } from "@/lib/app";
import { compareRevision } from "@/lib/posts/revisions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The changes since an earlier text; for the post's author and administrators. */
  GET: withSlug(
    withId(
      asUser("read", async ({ slug, id, user }) => {
        const outcome = await compareRevision(app(), { slug, id, user });
        if (outcome.kind === "no-such-post") return movedPost(slug, user, `/revisions/${id}/changes`);
        if (outcome.kind !== "compared") return failedFor(user, outcome);
        const changes = shownChanges(outcome);
        return changes ? json(changes) : failed({ kind: "busy" });
      }),
    ),
  ),
});
