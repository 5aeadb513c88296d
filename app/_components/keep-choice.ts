/** Keeping a choice of the reader's in a cookie. */
import { localPath } from "@/lib/paths";

const oneYearSeconds = 31_536_000;

/** Keeps a choice (null forgets it), and returns to the page with the form. */
export function keepChoice(request: Request, cookie: string, choice: string | null): Response {
  const lifetime = choice === null ? 0 : oneYearSeconds;
  return new Response(null, {
    status: 303,
    headers: {
      Location: cameFrom(request),
      "Set-Cookie": `${cookie}=${choice ?? ""}; Path=/; Max-Age=${lifetime}; SameSite=Lax; HttpOnly`,
    },
  });
}

/** The path of the page with the form; only pages of this site send a Referer. */
function cameFrom(request: Request): string {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  return localPath(referrer && `${referrer.pathname}${referrer.search}`);
}
