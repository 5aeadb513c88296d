/** The subscribers as a CSV file, for administrators. */
import { csvResponse } from "@/app/_components/csv-response";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { exportSubscribers } from "@/lib/mail/subscriber-list";
import { isFromOtherSite } from "@/lib/request/origin";
import { currentTime } from "@/lib/time/current-time";

export async function GET(request: Request): Promise<Response> {
  if (isFromOtherSite(request.headers))
    return new Response("Start this download on the site’s own pages.\n", { status: 403 });
  const actor = await getUser();
  const parts = actor && (await exportSubscribers(app(), { actor, now: currentTime() }));
  if (!parts) return new Response("Only administrators of this site may do this.\n", { status: 403 });
  return csvResponse(parts, "subscribers");
}
