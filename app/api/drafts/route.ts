import { shownDraft } from "@/lib/api/posts";
import { asUser, json, route } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { draftsOf } from "@/lib/posts";
import { tagsOf } from "@/lib/posts/tags";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The user's drafts, scheduled ones too. */
  GET: asUser("read", async ({ user, now }) => {
    const context = await currentApp(now);
    const drafts = await draftsOf(context, user);
    const tags = await tagsOf(context, drafts);
    return json({ items: drafts.map((draft) => shownDraft(draft, tags.get(draft.id) ?? [], now)) });
  }),
});
