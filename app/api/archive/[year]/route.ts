import { shownPage } from "@/lib/api/posts";
import { pageSchema } from "@/lib/api/queries";
import { asViewer, badCursor, failed, json, route, withQuery } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { postsOfYear } from "@/lib/posts/archive";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of a year's posts. */
  GET: asViewer(
    "read",
    withQuery(pageSchema, async ({ params, query, viewer, now }) => {
      const year = String(params.year);
      if (!/^[1-9]\d{3}$/.test(year)) return failed({ kind: "nothing-there" });
      const context = await currentApp(now);
      const page = await postsOfYear(context, { year: Number(year), viewerId: viewer?.id, ...query });
      return page ? json(await shownPage(context, page, now)) : badCursor();
    }),
  ),
});
