import { shownDraft } from "@/lib/api/posts";
import { pageSchema } from "@/lib/api/queries";
import { asUser, badCursor, json, route, withQuery } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { draftsOf } from "@/lib/posts";
import { tagsOf } from "@/lib/posts/tags";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the user's drafts, scheduled ones too. */
  GET: asUser(
    "read",
    withQuery(pageSchema, async ({ query, user, now }) => {
      const context = await currentApp(now);
      const page = await draftsOf(context, { user, ...query });
      if (!page) return badCursor();
      const tags = await tagsOf(context, page.items);
      const items = page.items.map((draft) => shownDraft(draft, tags.get(draft.id) ?? [], now));
      return json({ items, nextCursor: page.nextCursor });
    }),
  ),
});
