/** Keeping a choice of the reader's in a cookie. */
import { cookies } from "next/headers";
import { cookieOptions } from "@/lib/auth";
import { choiceCookieMs } from "@/lib/auth/cookie-names";
import { localPath } from "@/lib/paths";

/** Keeps a choice (null forgets it), and returns to the page with the form. */
export async function keepChoice(request: Request, cookie: string, choice: string | null): Promise<Response> {
  const maxAge = choice === null ? 0 : choiceCookieMs / 1_000;
  (await cookies()).set(cookie, choice ?? "", { ...(await cookieOptions()), maxAge });
  return new Response(null, { status: 303, headers: { Location: cameFrom(request) } });
}

/** The path of the page with the form; only pages of this site send a Referer. */
function cameFrom(request: Request): string {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  return localPath(referrer && `${referrer.pathname}${referrer.search}`);
}
