import { asAdministrator, failed, json, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { problemResponse } from "@/lib/http/problem";
import { bytesOf } from "@/lib/import-uploads/sent-archive";
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
    const outcome = await saveArchive(app().mediaFolder, bytesOf(request), currentTime());
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
