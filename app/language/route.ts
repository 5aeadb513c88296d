/**
 * Keeps the reader's choice of a language, and returns to the page with the form.
 * The form is in each page's footer.
 */
import { isLocale, localeCookie } from "@/lib/i18n/locale";
import { localPath } from "@/lib/paths";

const oneYearSeconds = 31_536_000;

export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const chosen = form.get("language");
  if (!isLocale(chosen)) return new Response("There is no such language.\n", { status: 422 });
  return new Response(null, {
    status: 303,
    headers: {
      Location: cameFrom(request),
      "Set-Cookie": `${localeCookie}=${chosen}; Path=/; Max-Age=${oneYearSeconds}; SameSite=Lax; HttpOnly`,
    },
  });
}

/** The path of the page with the form; only pages of this site send a Referer. */
function cameFrom(request: Request): string {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  return localPath(referrer && `${referrer.pathname}${referrer.search}`);
}
