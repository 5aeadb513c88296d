import { movedPost } from "@/lib/api/moved-post";
import { asViewer, json, route, withSlug } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { findPost } from "@/lib/posts";
import { neighboursOf } from "@/lib/posts/archive";
import { relatedPosts } from "@/lib/posts/tags";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The posts before and after one, and those that share tags with it. */
  GET: withSlug(
    asViewer("read", async ({ slug, viewer, now }) => {
      const context = await currentApp(now);
      const post = await findPost(context, slug, viewer);
      if (!post) return movedPost(slug, viewer, "/nearby");
      const { older = null, newer = null } = await neighboursOf(context, post);
      return json({ older, newer, related: await relatedPosts(context, post) });
    }),
  ),
});
