/**
 * Before a page, an action or an API call: refuses what another site's page had a browser send, and gives each page
 * a Content-Security-Policy with a nonce of its own, which the framework takes from the request's headers.
 *
 * Nothing here says who may do what: that is decided beside the data.
 */
import { type NextRequest, NextResponse } from "next/server";
import { env } from "./lib/env.ts";
import { isSealed } from "./lib/http/client-address.ts";
import { isForeign } from "./lib/http/origin.ts";
import { bareProblem, isApi, type Problem } from "./lib/http/problem.ts";
import { pagePolicy } from "./lib/http/security-headers.ts";
import { log } from "./lib/log.ts";

const foreign = {
  status: 403,
  detail:
    "This request was sent by a page of another site, so it was refused. If it was not: the server does not know " +
    "its own address; behind a proxy, TRUSTED_PROXY_HOPS or SITE_URL must be set.",
};

const broken = { status: 400, detail: "The form was not sent whole, or is no form." };
const actionHeader = "next-action";

export async function proxy(request: NextRequest): Promise<NextResponse> {
  // The framework listens a moment before it calls `instrumentation.ts`. Where nothing held what arrived in that moment
  // (scripts/hold-requests.mjs), it has passed no front door, and is to be sent again: 307 keeps method and body.
  if (!isSealed(request.headers)) return NextResponse.redirect(request.nextUrl, 307);

  const { pathname } = request.nextUrl;
  if (isForeign(request)) {
    log.warn({ method: request.method, path: pathname }, "refused a request with a foreign Origin");
    return refusal(pathname, foreign);
  }
  if (isApi(pathname)) return NextResponse.next();
  if (!(await isFormReadable(request))) return refusal(pathname, broken);

  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = pagePolicy({
    nonce,
    isHttps: request.headers.get("x-forwarded-proto") === "https",
    isDevelopment: env.NODE_ENV === "development",
  });
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Asked here because the framework, which asks it again, answers a server error. */
async function isFormReadable(request: NextRequest): Promise<boolean> {
  if (request.method !== "POST") return true;
  const type = request.headers.get("content-type")?.toLowerCase() ?? "";
  try {
    if (type.startsWith("multipart/form-data")) await request.formData();
    else if (request.headers.has(actionHeader)) return Array.isArray(JSON.parse(await request.text()));
    return true;
  } catch {
    return false;
  }
}

function refusal(pathname: string, problem: Problem): NextResponse {
  const { headers, body } = bareProblem(pathname, problem);
  return new NextResponse(body, { status: problem.status, headers });
}

/** Everything but the built files, which nobody can change and which are no pages. */
export const config = {
  matcher: [
    "/((?!_next/static/).*)",
    { source: "/_next/static/:path*", missing: [{ type: "header", key: "x-weir-client-address" }] },
  ],
};
