/**
 * The link of a password reset, from an email.
 * It moves the token from the address into a cookie, so that the page's address can be seen, shared and logged. It does
 * not use the link up: mail servers open links to check them.
 */
import { keepResetToken } from "@/lib/auth";

export async function GET(request: Request): Promise<Response> {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  await keepResetToken(/^[\w-]{43}$/.test(token) ? token : "none");
  const headers = { Location: "/login/new-password", "Cache-Control": "no-store" };
  return new Response(null, { status: 303, headers });
}
