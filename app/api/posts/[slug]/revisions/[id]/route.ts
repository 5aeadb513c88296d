import { movedPost } from "@/lib/api/moved-post";
import { shownRevisionText } from "@/lib/api/revisions";
import { asUser, failedFor, json, route, withId, withSlug } from "@/lib/api/route";
import { app } from "@/lib/app";
import { readRevision } from "@/lib/posts/revisions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** An earlier text of a post; for its author and administrators. */
  GET: withSlug(
    withId(
      asUser("read", async ({ slug, id, user }) => {
        const outcome = await readRevision(app(), { slug, id, user });
        if (outcome.kind === "no-such-post") return movedPost(slug, user, `/revisions/${id}`);
        return outcome.kind === "revision"
          ? json(shownRevisionText(outcome.revision))
          : failedFor(user, outcome);
      }),
    ),
  ),
});
