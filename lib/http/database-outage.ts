/** The 503 that programs and readers get while the database is out of reach. */
import type { ServerResponse } from "node:http";
import { throttledLog } from "../logging/throttled-log.ts";
import { unsentResponse } from "./current-request.ts";
import type { Problem } from "./problem.ts";
import { bareReply } from "./reply.ts";

const outage: Problem = {
  status: 503,
  detail:
    "The server cannot reach its database just now. Try again in a few seconds; what you sent may not have been saved.",
  headers: { "Retry-After": "5" },
};

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not available just now · Weir</title></head>
<body><h1>Not available just now.</h1><p>${outage.detail}</p></body>
</html>
`;

const report = throttledLog("the database cannot be used");

/** The problem for an API call that failed with this error, which is logged, throttled. */
export function databaseOutage(error: unknown): Problem {
  report(error);
  return outage;
}

/**
 * Sends the 503 in place of the framework's bare server error for the request being handled. The error is logged,
 * throttled. False when the head of another answer is already sent.
 */
export function answerOutage(error: unknown): boolean {
  const response = unsentResponse();
  if (!response) return false;
  report(error);
  const { url = "/", headers } = response.req;
  const reply = bareReply(outage, url);
  const isPage = headers.accept?.includes("text/html") === true;
  replaceAnswer(
    response,
    outage.status,
    isPage ? { ...reply.headers, "Content-Type": "text/html; charset=utf-8" } : reply.headers,
    isPage ? page : reply.body,
  );
  return true;
}

/** Headers of the replaced answer that would describe the wrong body. */
const bodyHeaders = [
  "content-length",
  "content-encoding",
  "content-type",
  "etag",
  "link",
  "set-cookie",
  "location",
];

const replaced = new WeakSet<ServerResponse>();

/** Sends this answer when the framework sends its own, which it may still be rendering. */
function replaceAnswer(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  if (replaced.has(response)) return;
  replaced.add(response);
  const { writeHead, end } = response;
  response.writeHead = () => {
    for (const name of bodyHeaders) response.removeHeader(name);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return Reflect.apply(writeHead, response, [status]);
  };
  response.write = () => true;
  response.end = () => Reflect.apply(end, response, response.req.method === "HEAD" ? [] : [body]);
}
