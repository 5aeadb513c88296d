import { asViewer, json, route } from "@/lib/api/route";
import { countedAsSearch } from "@/lib/api/search-limit";
import { currentApp } from "@/lib/app";
import { archivedYears } from "@/lib/posts/archive";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The years that have posts. */
  GET: asViewer(
    "read",
    countedAsSearch(async ({ now }) => json({ items: await archivedYears(await currentApp(now)) })),
  ),
});
