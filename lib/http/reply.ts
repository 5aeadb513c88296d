/** Replies that need no framework: a status, headers and a short text. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { isApi, type Problem, problemJson, problemText } from "./problem.ts";

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const notCached = { "Cache-Control": "no-store" };

/** A reply for programs, from JSON. */
export function jsonReply(body: string, { status = 200, headers = {} }: Partial<Reply> = {}): Reply {
  return { status, headers: { "Content-Type": "application/json", ...notCached, ...headers }, body };
}

/** A reply for programs: a problem document. */
export function problemReply(problem: Problem): Reply {
  const headers = { "Content-Type": "application/problem+json", ...notCached, ...problem.headers };
  return { status: problem.status, headers, body: problemJson(problem) };
}

/**
 * The reply for a problem outside routes and pages.
 * A problem document at a path of the API, otherwise plain text.
 */
export function bareReply(problem: Problem, path = "/"): Reply {
  if (isApi(path)) return problemReply(problem);
  const headers = { "Content-Type": "text/plain; charset=utf-8", ...notCached, ...problem.headers };
  return { status: problem.status, headers, body: problemText(problem) };
}

/**
 * Sends the reply.
 * A request whose body has not wholly arrived ends the connection: the rest is not read.
 */
export function send(response: ServerResponse, reply: Reply): void {
  const { complete, headers } = response.req;
  const hasBody = "content-length" in headers || "transfer-encoding" in headers;
  if (hasBody && !complete) response.shouldKeepAlive = false;
  const length = Buffer.byteLength(reply.body);
  const fields = ["Content-Length", String(length)];
  for (const name in reply.headers) fields.push(name, reply.headers[name] ?? "");
  // ASCII is a part of Latin-1: each character is one byte, and need not be checked.
  response.writeHead(reply.status, fields).end(reply.body, length === reply.body.length ? "latin1" : "utf8");
}

/** The reply as bytes on a raw connection, whose last input was not a request. */
export function rawResponse(reply: Reply): string {
  const length = Buffer.byteLength(reply.body);
  const headers = Object.entries({ "Content-Length": length, ...reply.headers, Connection: "close" });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines}\r\n${reply.body}`;
}
