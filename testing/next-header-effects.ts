/**
 * The effects of headers that are not dropped.
 * The server replaces `x-forwarded-*` by values that it trusts.
 */
export const headerEffects: Record<string, string> = {
  rsc: "answers with the data of a page in place of its HTML",
  "next-router-state-tree": "with rsc: what the browser has of the page already",
  "next-router-prefetch": "with rsc: only what can be shown in advance",
  "next-router-segment-prefetch": "with rsc: one part of the page",
  "next-url": "with rsc: the page that the browser is on",
  "next-action": "the form's action, sent by a script of ours",
  "x-action-forwarded": "of a request from the server to itself: the action's result without a page",
  "x-deployment-id": "the build that the browser's page is of",
  purpose: "prefetch: an answer that is rendered in advance may be older",
  "sec-purpose": "as purpose",
  "sec-fetch-dest": "a page that is not there is a short text for a script or a picture",
  "sec-fetch-mode": "as sec-fetch-dest",
  "sec-fetch-site": "as sec-fetch-dest",
  "sec-fetch-user": "as sec-fetch-dest",
  "x-forwarded-for": "replaced",
  "x-forwarded-host": "replaced",
  "x-forwarded-port": "replaced",
  "x-forwarded-proto": "replaced",
  accept: "the formats that the client prefers",
  "accept-charset": "no effect",
  "accept-encoding": "whether the answer is compressed",
  "accept-language": "no effect: the server negotiates the language before Next.js",
  "if-match": "dropped by the request handler, except for the JSON API",
  "if-modified-since": "an answer that has not changed since is a 304",
  "if-none-match": "an answer that the client has already is a 304",
  "if-range": "with range",
  "if-unmodified-since": "dropped by the request handler",
  range: "dropped by the request handler",
  "access-control-request-headers": "of a preflight, in development",
  "cache-control": "no effect on pages that are made for each request",
  "content-encoding": "a body that is compressed is not read",
  "content-length": "the length of the body",
  "content-type": "the format of the body",
  cookie: "the session",
  etag: "of an answer",
  host: "where the request was sent",
  location: "of an answer",
  origin: "where the request comes from; a foreign one is refused",
  referer: "the page before",
  "set-cookie": "of an answer",
  traceparent: "the trace that the request belongs to",
  tracestate: "as traceparent",
  "user-agent": "the browser; crawlers get the whole page at once",
  vary: "of an answer",
};

/** Whether answers must be the same with and without it. */
export function isWithoutEffect(name: string): boolean {
  return /^(no effect$|no effect on pages|dropped)/.test(headerEffects[name] ?? "");
}
