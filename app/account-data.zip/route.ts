import { exportAccount } from "@/lib/account-export";
import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { getSession } from "@/lib/auth";
import { bareReply } from "@/lib/http/reply";
import { explainDenial, explainRefusal, retryAfterSeconds } from "@/lib/limits/refusal";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { archiveResponse } from "../_components/archive-response";

export const dynamic = "force-dynamic";

/** A user's own data; the ticket is from the page that has checked the password. */
export async function GET(request: Request): Promise<Response> {
  const ticket = new URL(request.url).searchParams.get("ticket") ?? "";
  const session = await getSession();
  // Without a session it leads to the log-in page.
  if (!session) return expired();
  const now = currentTime();
  const outcome = await exportAccount(app(), { session, ticket, address: clientAddress(), now });
  switch (outcome.kind) {
    case "ready":
      return archiveResponse(zipOf(outcome.files), "my-data", now);
    case "expired":
      return expired();
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

function expired(): Response {
  const headers = { Location: "/account/export?ticket=expired", "Cache-Control": "no-store" };
  return new Response(null, { status: 303, headers });
}

function plain(status: number, detail: string, headers: Record<string, string> = {}): Response {
  const { body, ...head } = bareReply({ status, detail, headers });
  return new Response(body, head);
}
