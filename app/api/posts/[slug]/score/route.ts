import { currentApp } from "@/lib/app";
import { failed, json, route, withSlug } from "@/lib/http/route";
import { publicScore } from "@/lib/ratings/public-score";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** What everybody together thinks of a post. */
  GET: withSlug(async ({ slug, now }) => {
    const { database, scoring } = await currentApp(now);
    const post = await database.posts.bySlug(slug);
    return post ? json(publicScore(post, now, scoring)) : failed({ kind: "no-such-post" });
  }),
});
