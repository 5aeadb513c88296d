/**
 * The response that is being answered, for a page that has to say its status, and its request's id, for the log.
 *
 * The framework's `notFound()` and `forbidden()` set the status, but send an empty page that only a script can fill:
 * whoever reads without one would see nothing. So a page that has nothing to show shows that instead, like any
 * other page, and sets the status here. The front door knows the response.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

// Kept on the global object: the framework loads this module more than once in a process.
const kept: { weirResponses?: AsyncLocalStorage<ServerResponse> } & typeof globalThis = globalThis;
kept.weirResponses ??= new AsyncLocalStorage();
const responses = kept.weirResponses;

/** Runs `work`, and all that it starts, as the answering of `response`. */
export function whileAnswering(response: ServerResponse, work: () => void): void {
  responses.run(response, work);
}

/** The response's header with the id of its request. */
export const requestIdHeader = "X-Request-Id";

/** The id of the request that is being answered; undefined when there is none. */
export function requestId(): string | undefined {
  return responses.getStore()?.getHeader(requestIdHeader)?.toString();
}

/** Sets the status of the response that is being answered; false when there is none, or its head is sent. */
export function setStatus(status: number): boolean {
  const response = responses.getStore();
  if (!response || response.headersSent) return false;
  response.statusCode = status;
  return true;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Headers of whatever was to be answered, which say nothing of what is answered instead. */
const ofTheBody = [
  "content-length",
  "content-encoding",
  "content-type",
  "etag",
  "link",
  "set-cookie",
  "location",
];

const replaced = new WeakSet<ServerResponse>();

/**
 * Whatever the framework is going to answer, this is answered in its place, at the time when it would be. False when there is
 * nothing being answered, or its head is sent.
 */
export function answerInstead(answerTo: (request: IncomingMessage) => Answer): boolean {
  const response = responses.getStore();
  if (!response || response.headersSent) return false;
  if (replaced.has(response)) return true;
  replaced.add(response);
  const { status, headers, body } = answerTo(response.req);
  const { writeHead, end } = response;
  response.writeHead = () => {
    for (const name of ofTheBody) response.removeHeader(name);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return Reflect.apply(writeHead, response, [status]);
  };
  response.write = () => true;
  response.end = () => Reflect.apply(end, response, response.req.method === "HEAD" ? [] : [body]);
  return true;
}
