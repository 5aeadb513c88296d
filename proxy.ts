/**
 * Before a page, an action or an API call: refuses what another site's page had a browser send, and gives each page
 * a Content-Security-Policy with a nonce of its own, which the framework takes from the request's headers.
 *
 * Nothing here says who may do what: that is decided beside the data.
 */
import { type NextRequest, NextResponse } from "next/server";
import { env } from "./lib/env.ts";
import { isForeign } from "./lib/http/origin.ts";
import { bareProblem } from "./lib/http/problem.ts";
import { pagePolicy } from "./lib/http/security-headers.ts";
import { log } from "./lib/log.ts";

const foreign = {
  status: 403,
  detail:
    "This request was sent by a page of another site, so it was refused. If it was not: the server does not know " +
    "its own address; behind a proxy, TRUSTED_PROXY_HOPS or SITE_URL must be set.",
};

export function proxy(request: NextRequest): NextResponse {
  const { pathname } = request.nextUrl;
  if (isForeign(request)) {
    log.warn({ method: request.method, path: pathname }, "refused a request with a foreign Origin");
    const { headers, body } = bareProblem(pathname, foreign);
    return new NextResponse(body, { status: foreign.status, headers });
  }
  if (pathname === "/api" || pathname.startsWith("/api/")) return NextResponse.next();

  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = pagePolicy({
    nonce,
    isHttps: request.headers.get("x-forwarded-proto") === "https",
    isDevelopment: env.NODE_ENV === "development",
  });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Everything but the built files, which nobody can change and which are no pages. */
export const config = { matcher: "/((?!_next/static/).*)" };
