/** Who may ask: whoever has the token, when there is one, and no browser's page. */
import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Problem } from "../../lib/http/problem.ts";

const browser: Problem = {
  status: 403,
  detail:
    "This is for programs: a request with an Origin header comes from a browser's page, and none may ask here.",
};
const named: Problem = {
  status: 403,
  detail:
    "Without a token this is shown only to who asks by an address or as localhost, since any name may have been led here to " +
    "let a browser's page read it. Ask at http://127.0.0.1, or set LIMITER_TOKEN.",
};

/**
 * What speaks against a request's sender. Without a token everybody but a browser may ask; what is open needs none. Browsers
 * say nothing of themselves when a page gets something from where it comes from itself, and its name may be led anywhere.
 */
export function createAccess(token: string | undefined) {
  const expected = token === undefined ? undefined : digestOf(token);
  return (headers: IncomingHttpHeaders, isPage: boolean, isOpen: boolean): Problem | undefined => {
    if (headers.origin !== undefined) return browser;
    if (isOpen) return undefined;
    if (expected === undefined) return isPage && isName(headers.host) ? named : undefined;
    const { authorization } = headers;
    if (authorization === undefined)
      return unauthorized("Send the service's token: Authorization: Bearer …", "Bearer");
    const given = /^bearer +(.*)$/i.exec(authorization)?.[1];
    // Digests are of one length, and take the same time to compare wherever they begin to differ.
    if (given !== undefined && timingSafeEqual(digestOf(given), expected)) return undefined;
    return unauthorized("This is not the service's token.", 'Bearer error="invalid_token"');
  };
}

/** Whether a Host header names anything but an address or this machine. */
function isName(host = "localhost"): boolean {
  return !/^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host);
}

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

function unauthorized(detail: string, challenge: string): Problem {
  return { status: 401, detail, headers: { "WWW-Authenticate": challenge } };
}
