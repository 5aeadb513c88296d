import { csvResponse } from "@/app/_components/csv-response";
import { asAdministrator, failedFor, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { problemResponse } from "@/lib/http/problem";
import { exportSubscribers } from "@/lib/mail/subscriber-list";
import { isFromOtherSite } from "@/lib/request/origin";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** All subscribers as a CSV file, on record; for administrators. */
  GET: asAdministrator(async ({ request, user, now }) => {
    if (isFromOtherSite(request.headers))
      return problemResponse({ status: 403, detail: "Start this download on the site's own pages." });
    const isHead = request.method === "HEAD";
    const parts = await exportSubscribers(app(), { actor: user, now, isHead });
    return parts ? csvResponse(parts, "subscribers") : failedFor(user, { kind: "forbidden" });
  }),
});
