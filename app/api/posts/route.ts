import { apiPath, postListSchema, shown, shownInList } from "@/lib/api/posts";
import { asUser, asViewer, failed, json, route, withInput } from "@/lib/api/route";
import { app, currentApp } from "@/lib/app";
import { bodyMaximumBytes } from "@/lib/http/json-body";
import { createPost, listPosts, readPost } from "@/lib/posts";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of posts. */
  GET: asViewer("read", async ({ request, viewer, now }) => {
    const query = validate(postListSchema, Object.fromEntries(new URL(request.url).searchParams));
    if (!query.ok) return failed({ kind: "invalid", errors: query.errors });
    const { sort, q, cursor, limit } = query.value;
    const viewerId = viewer?.id;
    const page = await listPosts(await currentApp(now), { sort, search: q, cursor, limit, viewerId });
    if (!page)
      return failed({ kind: "invalid", errors: { cursor: ["Cursor must be a list's nextCursor."] } });
    return json({ items: page.items.map((post) => shownInList(post, now)), nextCursor: page.nextCursor });
  }),
  /** Publishes a post. */
  POST: asUser(
    "write",
    withInput(bodyMaximumBytes, async ({ user, input, address, now }) => {
      const outcome = await createPost(app(), { user, address, input, now });
      if (outcome.kind !== "created") return failed(outcome);
      const post = await readPost(app(), outcome.slug, user);
      if (!post) return failed({ kind: "no-such-post" });
      return json(shown(post, now), { status: 201, headers: { Location: apiPath(outcome.slug) } });
    }),
  ),
});
