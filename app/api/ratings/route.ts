import { pageSchema } from "@/lib/api/queries";
import { shownRatedPost } from "@/lib/api/ratings";
import { asUser, badCursor, json, route, withQuery } from "@/lib/api/route";
import { currentApp } from "@/lib/app";
import { listOwnRatings } from "@/lib/ratings/own-ratings";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the posts that the user has rated. */
  GET: asUser(
    "read",
    withQuery(pageSchema, async ({ query, user, now }) => {
      const page = await listOwnRatings(await currentApp(now), { user, ...query });
      return page ? json({ ...page, items: page.items.map(shownRatedPost) }) : badCursor();
    }),
  ),
});
