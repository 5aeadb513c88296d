import { ownListSchema, shownBookmark } from "@/lib/api/posts";
import { asUser, failed, json, route } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { listBookmarks } from "@/lib/bookmarks";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the user's saved posts. */
  GET: asUser("read", async ({ request, user, now }) => {
    const query = validate(ownListSchema, Object.fromEntries(new URL(request.url).searchParams));
    if (!query.ok) return failed({ kind: "invalid", errors: query.errors });
    const context = await currentApp(now);
    const page = await listBookmarks(context, { user, ...query.value });
    if (!page)
      return failed({ kind: "invalid", errors: { cursor: ["Cursor must be a list's nextCursor."] } });
    const tags = await context.database.tags.ofPosts(page.items.map(({ id }) => id));
    const items = page.items.map((post) => shownBookmark(post, tags.get(post.id) ?? [], now));
    return json({ items, nextCursor: page.nextCursor });
  }),
});
