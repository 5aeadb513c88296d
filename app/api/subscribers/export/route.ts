import { csvResponse } from "@/app/_components/csv-response";
import { asAdministrator, failed, failedFor, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { exportSubscribers } from "@/lib/mail/subscriber-list";
import { isFromOtherSite } from "@/lib/request/origin";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** All subscribers as a CSV file, on record; for administrators. */
  GET: asAdministrator(async ({ request, user, now }) => {
    if (isFromOtherSite(request.headers)) return failed({ kind: "foreign-download" });
    if (request.method === "HEAD") return csvResponse(null);
    const parts = await exportSubscribers(app(), { actor: user, now });
    return parts ? csvResponse(parts) : failedFor(user, { kind: "forbidden" });
  }),
});
