/** Replies: one write each, with a length, and not cached. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { type Problem, problemJson } from "../../lib/http/problem.ts";

export interface Reply {
  status: number;
  body: string;
  type?: string;
  headers?: Record<string, string>;
}

export function jsonReply(value: unknown): Reply {
  return { status: 200, body: JSON.stringify(value) };
}

export function problemReply(problem: Problem): Reply {
  const { status, headers = {} } = problem;
  return { status, type: "application/problem+json", body: problemJson(problem), headers };
}

export function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, headersOf(reply)).end(reply.body);
}

/** The reply as text, for a connection whose last bytes are not a request. */
export function bareReply(reply: Reply): string {
  const headers = Object.entries({ ...headersOf(reply), Connection: "close" });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines}\r\n${reply.body}`;
}

function headersOf({ type = "application/json", headers, body }: Reply): Record<string, string | number> {
  const length = Buffer.byteLength(body);
  return { "Content-Type": type, "Cache-Control": "no-store", "Content-Length": length, ...headers };
}
