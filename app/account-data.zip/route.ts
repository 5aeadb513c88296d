import { exportAccount, exportAccountOf } from "@/lib/account-export";
import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { getSession } from "@/lib/auth";
import { bareReply } from "@/lib/http/reply";
import { translator } from "@/lib/i18n";
import { explainDenial, explainRefusal, retryAfterSeconds } from "@/lib/limits/refusal";
import { clientAddress } from "@/lib/request/current-request";
import { isFromOtherSite } from "@/lib/request/origin";
import { currentTime } from "@/lib/time/current-time";
import { archiveResponse } from "../_components/archive-response";

export const dynamic = "force-dynamic";

/**
 * A user's own data; the ticket is from the page that has checked the password.
 * With `of`, another user's data, for administrators.
 */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const username = searchParams.get("of");
  if (username !== null && isFromOtherSite(request.headers))
    return plain(403, translator("problems")("foreignDownload"));
  const session = await getSession();
  // Without a session it leads to the log-in page.
  if (!session) return username === null ? expired() : forbidden();
  const now = currentTime();
  const address = clientAddress();
  const isHead = request.method === "HEAD";
  const outcome =
    username === null
      ? await exportAccount(app(), { session, ticket: searchParams.get("ticket") ?? "", address, now })
      : await exportAccountOf(app(), { actor: session.user, username, address, now, isHead });
  switch (outcome.kind) {
    case "ready":
      return archiveResponse(zipOf(outcome.files), username === null ? "my-data" : "account-data", now);
    case "expired":
      return expired();
    case "forbidden":
      return forbidden();
    case "no-such-user":
      return plain(404, translator("problems")("noUser"));
    case "limited": {
      const { decision } = outcome.refusal;
      const seconds = retryAfterSeconds(decision);
      const headers: Record<string, string> = seconds === null ? {} : { "Retry-After": String(seconds) };
      return plain(429, explainRefusal(outcome.refusal), headers);
    }
    default:
      return plain(outcome.kind === "unavailable" ? 503 : 403, explainDenial(outcome));
  }
}

function forbidden(): Response {
  return plain(403, translator("problems")("administratorsOnly"));
}

function expired(): Response {
  const headers = { Location: "/account/export?ticket=expired", "Cache-Control": "no-store" };
  return new Response(null, { status: 303, headers });
}

function plain(status: number, detail: string, headers: Record<string, string> = {}): Response {
  const { body, ...head } = bareReply({ status, detail, headers });
  return new Response(body, head);
}
