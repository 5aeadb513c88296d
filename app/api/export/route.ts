import { archiveResponse } from "@/app/_components/archive-response";
import { exportQuerySchema } from "@/lib/api/archives";
import { asAdministrator, failed, failedFor, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { siteSettings } from "@/lib/site";
import { exportSite } from "@/lib/site-export";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The whole site as an archive; for administrators. */
  GET: asAdministrator(async ({ request, user, address, now }) => {
    const query = validate(exportQuerySchema, Object.fromEntries(new URL(request.url).searchParams));
    if (!query.ok) return failed({ kind: "invalid", errors: query.errors });
    const context = { ...app(), settings: siteSettings() };
    const includesEmails = query.value.emails === "yes";
    const outcome = await exportSite(context, { actor: user, includesEmails, address, now });
    return outcome.kind === "ready"
      ? archiveResponse(zipOf(outcome.files), "site", now)
      : failedFor(user, outcome);
  }),
});
