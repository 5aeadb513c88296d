import { asUser, failed, type Handler, noContent, route, withSlug } from "@/lib/api/route";
import { app } from "@/lib/app";
import { setBookmark } from "@/lib/bookmarks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  PUT: bookmark(true),
  DELETE: bookmark(false),
});

/** Saves a post for later, or removes it. */
function bookmark(isSaved: boolean): Handler {
  return withSlug(
    asUser("rate", async ({ slug, user, now }) => {
      const outcome = await setBookmark(app(), { user, slug, isSaved, now });
      return outcome.kind === "saved" || outcome.kind === "removed" ? noContent() : failed(outcome);
    }),
  );
}
