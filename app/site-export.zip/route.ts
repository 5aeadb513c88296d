import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { getUser } from "@/lib/auth";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { clientAddress } from "@/lib/request/current-request";
import { isFromOtherSite } from "@/lib/request/origin";
import { siteSettings } from "@/lib/site";
import { exportSite } from "@/lib/site-export";
import { currentTime } from "@/lib/time/current-time";
import { archiveResponse, refusedExport } from "../_components/archive-response";

export const dynamic = "force-dynamic";

/** The whole site as an archive, for administrators. */
export async function GET(request: Request): Promise<Response> {
  if (isFromOtherSite(request.headers)) return plainText(403, translator("problems")("foreignDownload"));
  const actor = await getUser();
  if (!actor?.isAdministrator) return refusedExport({ kind: "forbidden" });
  const now = currentTime();
  // The framework answers HEAD by this function, too.
  if (request.method === "HEAD") return archiveResponse(null, "site", now);
  const includesEmails = new URL(request.url).searchParams.get("emails") === "yes";
  const context = { ...app(), settings: siteSettings() };
  const outcome = await exportSite(context, { actor, includesEmails, address: clientAddress(), now });
  return outcome.kind === "ready"
    ? archiveResponse(zipOf(outcome.files), "site", now)
    : refusedExport(outcome);
}
