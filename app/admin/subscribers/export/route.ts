/** The subscribers as a CSV file, for administrators. */
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
  return new Response(streamOf(parts), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="subscribers.csv"',
      "Cache-Control": "no-store",
    },
  });
}

/** Reads the next part when the client has room for it. */
function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
