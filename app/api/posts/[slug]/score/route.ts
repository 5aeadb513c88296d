import { asViewer, failed, json, route, withSlug } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { publicScore } from "@/lib/ratings/tally/public-score";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** A post's public score. */
  GET: withSlug(
    asViewer("read", async ({ slug, now }) => {
      const { database, scoring } = await currentApp(now);
      const post = await database.posts.bySlug(slug);
      return post ? json(publicScore(post, now, scoring)) : failed({ kind: "no-such-post" });
    }),
  ),
});
