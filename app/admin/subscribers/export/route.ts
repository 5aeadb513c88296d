/** The subscribers as a CSV file, for administrators. */
import { csvResponse } from "@/app/_components/csv-response";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { exportSubscribers } from "@/lib/mail/subscriber-list";
import { isFromOtherSite } from "@/lib/request/origin";
import { currentTime } from "@/lib/time/current-time";
import { isActingAdministrator } from "@/lib/users/permissions";

export async function GET(request: Request): Promise<Response> {
  if (isFromOtherSite(request.headers)) return plainText(403, translator("problems")("foreignDownload"));
  const actor = await getUser();
  // The framework answers HEAD by this function, too.
  if (actor && request.method === "HEAD" && (await isActingAdministrator(app().database, actor)))
    return csvResponse(null);
  const parts = actor && (await exportSubscribers(app(), { actor, now: currentTime() }));
  return parts ? csvResponse(parts) : plainText(403, translator("problems")("administratorsOnly"));
}
