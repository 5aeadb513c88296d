import { exportAccount, exportAccountOf, isPermitted } from "@/lib/account-export";
import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { getSession } from "@/lib/auth";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { clientAddress } from "@/lib/request/current-request";
import { isFromOtherSite } from "@/lib/request/origin";
import { currentTime } from "@/lib/time/current-time";
import { userIdOf } from "@/lib/users/people";
import { archiveResponse, refusedExport } from "../_components/archive-response";

export const dynamic = "force-dynamic";

/** The archive's name: of the user's own data, and of another user's. */
const [own, another] = ["my-data", "account-data"];

/**
 * A user's own data; the ticket is from the page that has checked the password.
 * With `of`, another user's data, for administrators.
 */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const username = searchParams.get("of");
  if (username !== null && isFromOtherSite(request.headers))
    return plainText(403, translator("problems")("foreignDownload"));
  const session = await getSession();
  // Without a session it leads to the log-in page.
  if (!session) return username === null ? expired() : refusedExport({ kind: "forbidden" });
  const now = currentTime();
  const address = clientAddress();
  const { user } = session;
  const ticket = searchParams.get("ticket") ?? "";
  // The framework answers HEAD by this function, too.
  if (request.method === "HEAD") {
    if (username === null)
      return (await isPermitted(app(), { user, ticket, now })) ? archiveResponse(null, own, now) : expired();
    if (!user.isAdministrator) return refusedExport({ kind: "forbidden" });
    const isThere = (await userIdOf(app(), username)) !== undefined;
    return isThere ? archiveResponse(null, another, now) : noUser();
  }
  const outcome =
    username === null
      ? await exportAccount(app(), { session, ticket, address, now })
      : await exportAccountOf(app(), { actor: user, username, address, now });
  switch (outcome.kind) {
    case "ready":
      return archiveResponse(zipOf(outcome.files), username === null ? own : another, now);
    case "expired":
      return expired();
    case "no-such-user":
      return noUser();
    default:
      return refusedExport(outcome);
  }
}

function noUser(): Response {
  return plainText(404, translator("problems")("noUser"));
}

function expired(): Response {
  const headers = { Location: "/account/export?ticket=expired", "Cache-Control": "no-store" };
  return new Response(null, { status: 303, headers });
}
