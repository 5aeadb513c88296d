/** Answers as they go out: each in one write, with its length, and never kept by a cache. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type Problem, problemJson } from "../../lib/http/problem.ts";

export interface Reply {
  status: number;
  type: string;
  body: string;
  /** Names and values in turn, as Node.js takes them without going through them twice. */
  headers: readonly string[];
}

/** How long, in milliseconds, what is left of a refused request is still read, so that the client gets to see the answer. */
const lingerMs = 1_000;

/** `text` is JSON. */
export function textReply(status: number, text: string, headers: readonly string[] = []): Reply {
  return { status, type: "application/json", body: text, headers };
}

export function jsonReply(status: number, value: unknown): Reply {
  return textReply(status, JSON.stringify(value));
}

export function problemReply(problem: Problem): Reply {
  const { status, headers = {} } = problem;
  const type = "application/problem+json";
  return { status, type, body: problemJson(problem), headers: Object.entries(headers).flat() };
}

export function send(response: ServerResponse, reply: Reply): void {
  const bytes = Buffer.byteLength(reply.body);
  response.writeHead(reply.status, headOf(reply, bytes));
  // What is ASCII throughout takes less time to write as Latin-1, and is the same.
  response.end(reply.body, bytes === reply.body.length ? "latin1" : "utf8");
}

/**
 * Answers a request whose body is not going to be read, and ends the connection. That is put off until the client has stopped
 * sending, but not for long: closing earlier would take the answer away from it.
 */
export function sendUnread(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  response.shouldKeepAlive = false;
  response.writeHead(reply.status, headOf(reply, Buffer.byteLength(reply.body)));
  response.write(reply.body);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  request.once("end", end).once("close", end).resume();
}

/** Answers what was no request, so that there is no response to answer it with, and ends the connection. */
export function sendBare(socket: Socket, reply: Reply): void {
  const head = [...headOf(reply, Buffer.byteLength(reply.body)), "Connection", "close"];
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`];
  for (let index = 0; index < head.length; index += 2) lines.push(`${head[index]}: ${head[index + 1]}`);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${reply.body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function headOf({ type, headers }: Reply, bytes: number): string[] {
  return ["Content-Type", type, "Cache-Control", "no-store", "Content-Length", String(bytes), ...headers];
}
