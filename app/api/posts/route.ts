import { postResponse } from "@/lib/api/post-response";
import { apiPath, postListSchema, shownPage } from "@/lib/api/posts";
import { asUser, asViewer, badCursor, failed, json, route, withInput, withQuery } from "@/lib/api/route";
import { searchRefusal } from "@/lib/api/search-limit";
import { app, currentApp } from "@/lib/app";
import { bodyMaximumBytes } from "@/lib/http/json-body";
import { createPost, listPosts, readPost } from "@/lib/posts";
import { tagSlugFrom } from "@/lib/posts/slug";
import { profileOf } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of posts. */
  GET: asViewer(
    "read",
    withQuery(postListSchema, async ({ query, viewer, address, now }) => {
      const { sort, q, tag, author, cursor, limit } = query;
      const refused = q ? await searchRefusal({ viewer, address, now }) : undefined;
      if (refused) return failed(refused);
      const context = await currentApp(now);
      const profile = author === undefined ? undefined : await profileOf(context, author);
      if (profile === null) return json({ items: [], nextCursor: null });
      const page = await listPosts(context, {
        ...{ sort, search: q, cursor, limit, viewer },
        tag: tag === undefined ? undefined : tagSlugFrom(tag),
        authorId: profile?.id,
      });
      return page ? json(await shownPage(context, page, now)) : badCursor();
    }),
  ),
  /** Publishes a post. */
  POST: asUser(
    "write",
    withInput(bodyMaximumBytes, async ({ user, input, address, now }) => {
      const outcome = await createPost(app(), { user, address, input, now });
      if (outcome.kind !== "created") return failed(outcome);
      const post = await readPost(app(), outcome.slug, user);
      if (!post) return failed({ kind: "no-such-post" });
      return postResponse(post, now, { status: 201, headers: { Location: apiPath(outcome.slug) } });
    }),
  ),
});
