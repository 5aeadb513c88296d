import type { Readable } from "node:stream";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { explainDenial, explainRefusal, retryAfterSeconds } from "@/lib/limits/refusal";
import type { Refused } from "@/lib/limits/types";

/**
 * An archive to save, named after its kind and day.
 * Null for a HEAD request, which makes none: an export is limited and on record.
 */
export function archiveResponse(archive: Readable | null, name: string, now: number): Response {
  const day = new Date(now).toISOString().slice(0, 10);
  return new Response(archive && new ReadableStream(webSource(archive)), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}-${day}.zip"`,
      "Cache-Control": "no-store",
    },
  });
}

/** The answer to a browser whose export is refused. */
export function refusedExport(outcome: { kind: "forbidden" } | Refused): Response {
  if (outcome.kind === "forbidden") return plainText(403, translator("problems")("administratorsOnly"));
  if (outcome.kind !== "limited")
    return plainText(outcome.kind === "unavailable" ? 503 : 403, explainDenial(outcome));
  const seconds = retryAfterSeconds(outcome.refusal.decision);
  const headers: Record<string, string> = seconds === null ? {} : { "Retry-After": String(seconds) };
  return plainText(429, explainRefusal(outcome.refusal), headers);
}

/** Reads as fast as the client does, and ends the archive when the client has gone. */
function webSource(archive: Readable): UnderlyingDefaultSource<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = archive[Symbol.asyncIterator]();
  return {
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      archive.destroy();
    },
  };
}
