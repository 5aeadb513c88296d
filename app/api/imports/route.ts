import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { asAdministrator, failed, json, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { problemResponse } from "@/lib/http/problem";
import { saveArchive } from "@/lib/import-uploads/uploads";
import { currentTime } from "@/lib/time/current-time";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /**
   * Uploads an archive to import; for administrators.
   * It goes to the disk as it arrives.
   */
  POST: asAdministrator(async ({ request }) => {
    if (request.headers.get("content-type")?.toLowerCase() !== "application/octet-stream")
      return problemResponse({ status: 415, detail: "Send the file itself, as application/octet-stream." });
    // The two types of streams are one, declared twice.
    const body = request.body
      ? Readable.fromWeb(request.body as ReadableStream<Uint8Array>)
      : Readable.from([]);
    const outcome = await saveArchive(app().mediaFolder, body, currentTime());
    switch (outcome.kind) {
      case "saved":
        return json({ archive: outcome.id }, { status: 201 });
      case "empty":
        return problemResponse({ status: 400, detail: "The body is empty: send the file." });
      case "too-large":
        return failed({ kind: "archive-too-large" });
      case "disk-full":
        return failed({ kind: "disk-full" });
    }
  }),
});
