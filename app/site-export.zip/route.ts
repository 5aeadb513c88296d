import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { getUser } from "@/lib/auth";
import { bareReply } from "@/lib/http/reply";
import { translator } from "@/lib/i18n";
import { explainDenial, explainRefusal, retryAfterSeconds } from "@/lib/limits/refusal";
import { clientAddress } from "@/lib/request/current-request";
import { isFromOtherSite } from "@/lib/request/origin";
import { siteSettings } from "@/lib/site";
import { exportSite } from "@/lib/site-export";
import { currentTime } from "@/lib/time/current-time";
import { archiveResponse } from "../_components/archive-response";

export const dynamic = "force-dynamic";

/** The whole site as an archive, for administrators. */
export async function GET(request: Request): Promise<Response> {
  if (isFromOtherSite(request.headers)) return plain(403, translator("problems")("foreignDownload"));
  const actor = await getUser();
  if (!actor) return plain(403, translator("problems")("administratorsOnly"));
  const now = currentTime();
  const includesEmails = new URL(request.url).searchParams.get("emails") === "yes";
  const context = { ...app(), settings: siteSettings() };
  const isHead = request.method === "HEAD";
  const address = clientAddress();
  const outcome = await exportSite(context, { actor, includesEmails, address, now, isHead });
  switch (outcome.kind) {
    case "ready":
      return archiveResponse(zipOf(outcome.files), "site", now);
    case "forbidden":
      return plain(403, translator("problems")("administratorsOnly"));
    case "limited": {
      const seconds = retryAfterSeconds(outcome.refusal.decision);
      const headers: Record<string, string> = seconds === null ? {} : { "Retry-After": String(seconds) };
      return plain(429, explainRefusal(outcome.refusal), headers);
    }
    default:
      return plain(outcome.kind === "unavailable" ? 503 : 403, explainDenial(outcome));
  }
}

function plain(status: number, detail: string, headers: Record<string, string> = {}): Response {
  const { body, ...head } = bareReply({ status, detail, headers });
  return new Response(body, head);
}
