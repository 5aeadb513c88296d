/** Replies: one write each, with a length, and not cached. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { type Problem, problemJson } from "../../lib/http/problem.ts";

export interface Reply {
  status: number;
  body: string;
  type?: string;
  /** Names and values in turn. */
  headers?: readonly string[];
}

export function jsonReply(value: unknown): Reply {
  return { status: 200, body: JSON.stringify(value) };
}

export function problemReply(problem: Problem): Reply {
  const { status, headers = {} } = problem;
  const type = "application/problem+json";
  return { status, type, body: problemJson(problem), headers: Object.entries(headers).flat() };
}

export function send(response: ServerResponse, reply: Reply): void {
  const bytes = Buffer.byteLength(reply.body);
  response.writeHead(reply.status, headersOf(reply, bytes));
  // For ASCII the two are the same, and Latin-1 is faster.
  response.end(reply.body, bytes === reply.body.length ? "latin1" : "utf8");
}

/** The reply as text, for a connection whose last bytes are not a request. */
export function bareReply(reply: Reply): string {
  const headers = [...headersOf(reply, Buffer.byteLength(reply.body)), "Connection", "close"];
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n${reply.body}`;
}

function headersOf({ type = "application/json", headers = [] }: Reply, bytes: number): string[] {
  return ["Content-Type", type, "Cache-Control", "no-store", "Content-Length", String(bytes), ...headers];
}
