import { apiPath, postListSchema, shown, shownInList } from "@/lib/api/posts";
import { asUser, asViewer, failed, json, route, withInput } from "@/lib/api/route";
import { app, currentApp } from "@/lib/app";
import { bodyMaximumBytes } from "@/lib/http/json-body";
import { createPost, listPosts, readPost } from "@/lib/posts";
import { tagSlugFrom } from "@/lib/posts/slug";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of posts. */
  GET: asViewer("read", async ({ request, viewer, now }) => {
    const query = validate(postListSchema, Object.fromEntries(new URL(request.url).searchParams));
    if (!query.ok) return failed({ kind: "invalid", errors: query.errors });
    const { sort, q, tag, cursor, limit } = query.value;
    const context = await currentApp(now);
    const page = await listPosts(context, {
      ...{ sort, search: q, cursor, limit },
      tag: tag === undefined ? undefined : tagSlugFrom(tag),
      viewerId: viewer?.id,
    });
    if (!page)
      return failed({ kind: "invalid", errors: { cursor: ["Cursor must be a list's nextCursor."] } });
    const tags = await context.database.tags.ofPosts(page.items.map(({ id }) => id));
    const items = page.items.map((post) => shownInList(post, tags.get(post.id) ?? [], now));
    return json({ items, nextCursor: page.nextCursor });
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
