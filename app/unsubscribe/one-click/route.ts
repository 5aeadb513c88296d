/**
 * One-click unsubscribing (RFC 8058), for mail programs.
 * They post without cookies, and perhaps with an Origin of their own: only the signed token counts. A GET, such as by a
 * program that checks links, changes nothing and leads to the page with a button.
 */
import { app } from "@/lib/app";
import { unsubscribe } from "@/lib/mail/unsubscribe";
import { unsubscribePath } from "@/lib/paths";

export async function POST(request: Request): Promise<Response> {
  await unsubscribe(app(), tokenOf(request));
  return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
}

export function GET(request: Request): Response {
  const Location = `${unsubscribePath}?token=${encodeURIComponent(tokenOf(request))}`;
  return new Response(null, { status: 303, headers: { Location, "Cache-Control": "no-store" } });
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}
