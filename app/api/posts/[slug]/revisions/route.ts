import { movedPost } from "@/lib/api/moved-post";
import { shownRevision } from "@/lib/api/revisions";
import { asUser, failedFor, json, route, withSlug } from "@/lib/api/route";
import { app } from "@/lib/app";
import { revisionsOf } from "@/lib/posts/revisions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** A post's earlier texts; for its author and administrators. */
  GET: withSlug(
    asUser("read", async ({ slug, user }) => {
      const outcome = await revisionsOf(app(), { slug, user });
      if (outcome.kind === "no-such-post") return movedPost(slug, user, "/revisions");
      if (outcome.kind !== "revisions") return failedFor(user, outcome);
      return json({ items: outcome.revisions.map(shownRevision) });
    }),
  ),
});
