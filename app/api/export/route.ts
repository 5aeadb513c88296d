import { archiveResponse } from "@/app/_components/archive-response";
import { exportQuerySchema } from "@/lib/api/archives";
import { asAdministrator, failed, failedFor, route, withQuery } from "@/lib/api/route";
import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { isFromOtherSite } from "@/lib/request/origin";
import { siteSettings } from "@/lib/site";
import { exportSite } from "@/lib/site-export";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The whole site as an archive; for administrators. */
  GET: asAdministrator(
    withQuery(exportQuerySchema, async ({ request, query, user, address, now }) => {
      if (isFromOtherSite(request.headers)) return failed({ kind: "foreign-download" });
      if (request.method === "HEAD") return archiveResponse(null, "site", now);
      const context = { ...app(), settings: siteSettings() };
      const includesEmails = query.emails === "yes";
      const outcome = await exportSite(context, { actor: user, includesEmails, address, now });
      return outcome.kind === "ready"
        ? archiveResponse(zipOf(outcome.files), "site", now)
        : failedFor(user, outcome);
    }),
  ),
});
