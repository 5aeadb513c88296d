import type { Readable } from "node:stream";

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
