/** Takes an archive to import, from the form of the page before. */
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { boundaryIn } from "@/lib/http/multipart";
import { translator } from "@/lib/i18n";
import { bytesOf, fileIn, MalformedForm } from "@/lib/import-uploads/sent-archive";
import { saveArchive } from "@/lib/import-uploads/uploads";
import { logInPath } from "@/lib/paths";
import { barePage } from "@/lib/request/bare-page";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";

const page = "/admin/archive";

/** Streams the file to the disk; nothing of it is kept in memory. */
export async function POST(request: Request): Promise<Response> {
  const user = await getUser();
  if (!user?.isAdministrator) return forbidden(user);
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

/** The 403 as a page; `public/form.js` shows its link to log in beside the form. */
function forbidden(user: User | null): Response {
  const t = translator("errors");
  const link = (text: string) =>
    `<a href="${logInPath(page)}" target="_blank" rel="noopener" data-log-in="">${text}</a>`;
  const { body, ...reply } = user
    ? barePage(403, t("forbidden"), `<p>${t("notAllowed")}</p>`)
    : barePage(403, t("sessionEnded"), `<p>${t.markup("sessionEndedHelp", { link })}</p>`);
  return new Response(body, reply);
}

function redirectTo(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location, "Cache-Control": "no-store" } });
}
