/** Handles a request: routes and authenticates it, reads its body, replies. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isJson } from "../../lib/http/json-body.ts";
import type { Problem } from "../../lib/http/problem.ts";
import type { Metrics } from "../metrics.ts";
import { openApiDocument } from "../openapi.ts";
import { createAccess } from "./access.ts";
import { jsonReply, problemReply, type Reply, send } from "./reply.ts";
import { type Page, routeOf } from "./routes.ts";
import { type Engine, execute } from "./verbs.ts";

export interface Connection {
  inFlight: number;
  /** The response that goes out last: node:http sends them in the order of their requests. */
  newest: ServerResponse | undefined;
  /** The newest response is the last; later requests are ignored. */
  isEnding: boolean;
  /** Aborted when the client goes away, and when the server closes. */
  closing: AbortController;
}

export interface HandlerSettings {
  /** Without one, every program that reaches the address has access. */
  token?: string | undefined;
  metrics: Metrics;
  /** The policies and rules in force, without secrets. */
  configured: () => unknown;
  /** Gets unexpected errors. */
  report: (error: unknown) => void;
}

/** A list of 100 requests with long keys and fields fits. */
const bodyMaximumBytes = 256 * 1024;
/** Of all bodies that are being received; each chunk takes some memory of its own. */
const bodiesMaximumBytes = 64 * 1024 * 1024;
const chunkOverheadBytes = 200;
/** Requests that a client may send on one connection without awaiting their answers. */
const inFlightMaximum = 100;

const problems = {
  noHost: { status: 400, detail: "The request has no Host header." },
  notJson: { status: 400, detail: "The body is not JSON in UTF-8." },
  tooLarge: { status: 413, detail: `The body is too large: at most ${bodyMaximumBytes} bytes can be sent.` },
  type: { status: 415, detail: "Send JSON in UTF-8, with the header Content-Type: application/json." },
  encoding: { status: 415, detail: "Send the body as it is, without Content-Encoding." },
  crash: { status: 500, detail: "The service could not do this. What went wrong is in its log." },
  tooManyBodies: {
    status: 503,
    detail: "Too many large requests are being sent at once. Try again in a moment.",
    headers: { "Retry-After": "1" },
  },
  tooManyInFlight: {
    status: 503,
    detail: `At most ${inFlightMaximum} requests can be in flight on one connection: await answers, or open another.`,
  },
} satisfies Record<string, Problem>;

const guide = {
  service: "Weir's rate limiter",
  ask: 'POST /v1/consume, with JSON such as {"policy": "demo", "key": "client 7"}',
  description: "/v1/openapi.json",
  configured: "/v1/rules",
  alive: "/v1/alive",
  metrics: "/metrics",
};

export function createRequestHandler(
  engine: Engine,
  connections: ReadonlyMap<Duplex, Connection>,
  { token, metrics, configured, report }: HandlerSettings,
) {
  const accessProblem = createAccess(token);
  let receivedBytes = 0;
  const pages: Record<Page, () => Promise<Reply>> = {
    "/": async () => jsonReply(guide),
    "/v1/alive": async () => jsonReply({ alive: true }),
    "/v1/openapi.json": async () => jsonReply(openApiDocument),
    "/v1/rules": async () => jsonReply(configured()),
    "/metrics": async () => {
      const { contentType, text } = await metrics.scrape();
      return { status: 200, type: contentType, body: text };
    },
  };

  /** Calls back once, or never when the client breaks off. */
  function readBody(request: IncomingMessage, done: (body: Buffer | Problem) => void): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let reserved = 0;
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      reserved += chunk.length + chunkOverheadBytes;
      receivedBytes += chunk.length + chunkOverheadBytes;
      if (bytes > bodyMaximumBytes) stop(problems.tooLarge);
      else if (receivedBytes > bodiesMaximumBytes) stop(problems.tooManyBodies);
    };
    const onEnd = () => done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    const stop = (problem: Problem) => {
      request.off("data", onData).off("end", onEnd);
      chunks.length = 0;
      done(problem);
    };
    request.on("data", onData).on("end", onEnd);
    request.once("close", () => {
      receivedBytes -= reserved;
    });
  }

  /** Answers of one turn of the event loop go out together: a client that awaits several wakes up once. */
  let due: (() => void)[] = [];
  function atTurnsEnd(answer: () => void): void {
    if (due.push(answer) === 1)
      setImmediate(() => {
        const answers = due;
        due = [];
        for (const answer of answers) answer();
      });
  }

  /** `refusal`: what is wrong with the request already. It ends the connection. */
  return function handle(request: IncomingMessage, response: ServerResponse, refusal?: Problem): void {
    const connection = connections.get(request.socket);
    // No answer could be delivered, so nothing may be counted.
    if (!connection || connection.isEnding || !request.socket.writable) return;
    connection.inFlight += 1;
    connection.newest = response;
    const { signal } = connection.closing;

    const finish = (reply: Reply) => {
      const isNewest = connection.newest === response;
      if (isNewest && (signal.aborted || mayKeepSending(request))) connection.isEnding = true;
      if (isNewest && connection.isEnding) response.shouldKeepAlive = false;
      if (!response.destroyed) send(response, reply);
      connection.inFlight -= 1;
    };
    const refuse = (problem: Problem) => finish(problemReply(problem));
    const settle = (work: Promise<Reply>) => {
      const fail = (error: unknown) => {
        report(error);
        if (response.headersSent) response.destroy();
        else refuse(problems.crash);
      };
      const finishSafely = (reply: Reply) => {
        try {
          finish(reply);
        } catch (error) {
          fail(error);
        }
      };
      work.then((reply) => atTurnsEnd(() => finishSafely(reply)), fail);
    };

    const problem = refusal ?? (connection.inFlight > inFlightMaximum ? problems.tooManyInFlight : undefined);
    if (problem) {
      connection.isEnding = true;
      refuse(problem);
      return;
    }
    const route = routeOf(request.method, request.url);
    const problemOfHead = hostProblem(request) ?? accessProblem(request.headers, route);
    if (problemOfHead) refuse(problemOfHead);
    else if ("page" in route) settle(pages[route.page]());
    else if ("status" in route) refuse(route);
    else {
      const problemOfBody = bodyProblem(request);
      if (problemOfBody) {
        refuse(problemOfBody);
        return;
      }
      if (request.headers.expect !== undefined) response.writeContinue();
      readBody(request, (body) => {
        const json = "status" in body ? body : parsed(body);
        const result = "status" in json ? json : execute(engine, json.value, route, signal);
        if (result instanceof Promise) settle(result);
        else refuse(result);
      });
    }
  };
}

function hostProblem({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  return headers.host === undefined && httpVersion === "1.1" ? problems.noHost : undefined;
}

/** What is wrong with a body, before it is read. */
function bodyProblem({ headers }: IncomingMessage): Problem | undefined {
  const type = headers["content-type"];
  if (type !== "application/json" && !isJson(type ?? null)) return problems.type;
  if ((headers["content-encoding"] ?? "identity") !== "identity") return problems.encoding;
  return Number(headers["content-length"] ?? 0) > bodyMaximumBytes ? problems.tooLarge : undefined;
}

/** Whether an unread body may be long, or will not be sent. */
function mayKeepSending({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const { expect, "transfer-encoding": encoding, "content-length": length = 0 } = headers;
  return expect !== undefined || encoding !== undefined || Number(length) > bodyMaximumBytes;
}

function parsed(body: Buffer): { value: unknown } | Problem {
  try {
    return isUtf8(body) ? { value: JSON.parse(body.toString()) } : problems.notJson;
  } catch {
    return problems.notJson;
  }
}
