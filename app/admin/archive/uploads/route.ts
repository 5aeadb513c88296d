/** Takes an archive to import, from the form of the page before. */
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { boundaryIn } from "@/lib/http/multipart";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { bytesOf, fileIn, MalformedForm } from "@/lib/import-uploads/sent-archive";
import { saveArchive } from "@/lib/import-uploads/uploads";
import { currentTime } from "@/lib/time/current-time";

const page = "/admin/archive";

/** Streams the file to the disk; nothing of it is kept in memory. */
export async function POST(request: Request): Promise<Response> {
  const user = await getUser();
  if (!user?.isAdministrator) return plainText(403, translator("problems")("administratorsOnly"));
  const boundary = boundaryIn(request.headers.get("content-type"));
  if (boundary === undefined) return redirectTo(`${page}?problem=incomplete`);
  try {
    const file = fileIn(bytesOf(request), boundary);
    const outcome = await saveArchive(app().mediaFolder, file, currentTime());
    return redirectTo(outcome.kind === "saved" ? `${page}/${outcome.id}` : `${page}?problem=${outcome.kind}`);
  } catch (error) {
    if (error instanceof MalformedForm) return redirectTo(`${page}?problem=incomplete`);
    throw error;
  }
}

function redirectTo(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location, "Cache-Control": "no-store" } });
}
