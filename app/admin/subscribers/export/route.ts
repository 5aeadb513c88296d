/** The subscribers as a CSV file, for administrators. */
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { exportSubscribers } from "@/lib/mail/subscriber-list";
import { isFromOtherSite } from "@/lib/request/origin";
import { currentTime } from "@/lib/time/current-time";

export async function GET(request: Request): Promise<Response> {
  if (isFromOtherSite(request.headers)) return plainText(403, translator("problems")("foreignDownload"));
  const actor = await getUser();
  const parts = actor && (await exportSubscribers(app(), { actor, now: currentTime() }));
  if (!parts) return plainText(403, translator("problems")("administratorsOnly"));
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
