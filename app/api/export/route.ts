import { archiveResponse } from "@/app/_components/archive-response";
import { exportQuerySchema } from "@/lib/api/archives";
import { asAdministrator, failedFor, route, withQuery } from "@/lib/api/route";
import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { problemResponse } from "@/lib/http/problem";
import { isFromOtherSite } from "@/lib/request/origin";
import { siteSettings } from "@/lib/site";
import { exportSite } from "@/lib/site-export";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The whole site as an archive; for administrators. */
  GET: asAdministrator(
    withQuery(exportQuerySchema, async ({ request, query, user, address, now }) => {
      if (isFromOtherSite(request.headers))
        return problemResponse({ status: 403, detail: "Start this download on the site's own pages." });
      const context = { ...app(), settings: siteSettings() };
      const includesEmails = query.emails === "yes";
      const isHead = request.method === "HEAD";
      const outcome = await exportSite(context, { actor: user, includesEmails, address, now, isHead });
      return outcome.kind === "ready"
        ? archiveResponse(zipOf(outcome.files), "site", now)
        : failedFor(user, outcome);
    }),
  ),
});
