/** Authentication: clients with the token, if there is one, never a browser's page. */
import type { IncomingHttpHeaders } from "node:http";
import { bearerToken, tokenCheck } from "../../lib/http/bearer-token.ts";
import type { Problem } from "../../lib/http/problem.ts";
import type { ServiceRoute } from "./routes.ts";

const browser: Problem = {
  status: 403,
  detail:
    "This is for programs. A request with an Origin header comes from a browser's page, so it is refused.",
};
const dnsRebinding: Problem = {
  status: 403,
  detail:
    "Without a token this is shown only at an IP address or localhost: any other name may point here so that a browser's " +
    "page can read it. Use http://127.0.0.1, or set LIMITER_TOKEN.",
};

/**
 * The check of a request's access; `/v1/alive` needs no token.
 * Browsers send no Origin with a GET of the same origin.
 */
export function createAccess(token: string | undefined) {
  const isToken = token === undefined ? undefined : tokenCheck(token);
  return (
    { origin, host = "localhost", authorization }: IncomingHttpHeaders,
    route: ServiceRoute,
  ): Problem | undefined => {
    if (origin !== undefined) return browser;
    const page = "page" in route ? route.page : undefined;
    if (page === "/v1/alive") return undefined;
    if (!isToken) return page && !isAddress(host) ? dnsRebinding : undefined;
    if (authorization === undefined)
      return unauthorized("Send the service's token: Authorization: Bearer …", "Bearer");
    if (isToken(bearerToken(authorization) ?? "")) return undefined;
    return unauthorized("This is not the service's token.", 'Bearer error="invalid_token"');
  };
}

function isAddress(host: string): boolean {
  return /^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host);
}

function unauthorized(detail: string, challenge: string): Problem {
  return { status: 401, detail, headers: { "WWW-Authenticate": challenge } };
}
