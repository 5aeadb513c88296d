import { movedPost } from "@/lib/api/moved-post";
import { asViewer, json, route, withSlug } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { findPost } from "@/lib/posts";
import { publicScore } from "@/lib/ratings/tally/public-score";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** A post's public score. */
  GET: withSlug(
    asViewer("read", async ({ slug, viewer, now }) => {
      const context = await currentApp(now);
      const post = await findPost(context, slug, viewer);
      return post ? json(publicScore(post, now, context.scoring)) : movedPost(slug, viewer, "/score");
    }),
  ),
});
