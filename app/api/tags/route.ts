import { tagListSchema } from "@/lib/api/catalogue";
import { asViewer, json, route, withQuery } from "@/lib/api/route";
import { countedAsSearch } from "@/lib/api/search-limit";
import { app } from "@/lib/app";
import { listTags } from "@/lib/posts/tags";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the tags, with their numbers of posts. */
  GET: asViewer(
    "read",
    countedAsSearch(withQuery(tagListSchema, async ({ query }) => json(await listTags(app(), query)))),
  ),
});
