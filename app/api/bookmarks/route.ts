import { shownBookmark } from "@/lib/api/posts";
import { pageSchema } from "@/lib/api/queries";
import { asUser, badCursor, json, route, withQuery } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { listBookmarks } from "@/lib/bookmarks";
import { tagsOf } from "@/lib/posts/tags";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the user's saved posts. */
  GET: asUser(
    "read",
    withQuery(pageSchema, async ({ query, user, now }) => {
      const context = await currentApp(now);
      const page = await listBookmarks(context, { user, ...query });
      if (!page) return badCursor();
      const tags = await tagsOf(context, page.items);
      const items = page.items.map((post) => shownBookmark(post, tags.get(post.id) ?? [], now));
      return json({ items, nextCursor: page.nextCursor });
    }),
  ),
});
