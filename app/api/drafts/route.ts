import { ownListSchema, shownDraft } from "@/lib/api/posts";
import { asUser, failed, json, route } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { draftsOf } from "@/lib/posts";
import { tagsOf } from "@/lib/posts/tags";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the user's drafts, scheduled ones too. */
  GET: asUser("read", async ({ request, user, now }) => {
    const query = validate(ownListSchema, Object.fromEntries(new URL(request.url).searchParams));
    if (!query.ok) return failed({ kind: "invalid", errors: query.errors });
    const context = await currentApp(now);
    const page = await draftsOf(context, { user, ...query.value });
    if (!page)
      return failed({ kind: "invalid", errors: { cursor: ["Cursor must be a list's nextCursor."] } });
    const tags = await tagsOf(context, page.items);
    const items = page.items.map((draft) => shownDraft(draft, tags.get(draft.id) ?? [], now));
    return json({ items, nextCursor: page.nextCursor });
  }),
});
