import { database } from "@/lib/database";
import { failed, json, route, withSlug } from "@/lib/http/route";
import { scoreFrom } from "@/lib/ratings/score";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** What everybody together thinks of a post. */
  GET: withSlug(({ slug }) => {
    const post = database().posts.bySlug(slug);
    return post ? json(scoreFrom(post.counts)) : failed({ kind: "no-such-post" });
  }),
});
