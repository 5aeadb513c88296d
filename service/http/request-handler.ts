/** Handles a request: routes and authenticates it, reads its body, replies. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isJson } from "../../lib/http/json-body.ts";
import type { Problem } from "../../lib/http/problem.ts";
import type { RequestExecutor } from "../codec.ts";
import type { Metrics } from "../metrics.ts";
import { openApiDocument } from "../openapi.ts";
import { createAccess } from "./access.ts";
import { jsonReply, problemReply, type Reply, send } from "./reply.ts";
import { type Page, routeOf } from "./routes.ts";
import { execute } from "./verbs.ts";

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
  engine: RequestExecutor,
  connections: ReadonlyMap<Duplex, Connection>,
  { token, metrics, configured, report }: HandlerSettings,
) {
  const accessProblem = createAccess(token);
  const pages: Record<Page, () => Reply | Promise<Reply>> = {
    "/": () => jsonReply(guide),
    "/v1/alive": () => jsonReply({ alive: true }),
    "/v1/openapi.json": () => jsonReply(openApiDocument),
    "/v1/rules": () => jsonReply(configured()),
    "/metrics": async () => {
      const { contentType, text } = await metrics.scrape();
      return { status: 200, type: contentType, body: text };
    },
  };

  async function replyTo(
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<Reply> {
    const route = routeOf(request.method, request.url);
    const headProblem = hostProblem(request) ?? accessProblem(request.headers, route);
    if (headProblem) return problemReply(headProblem);
    if ("page" in route) return pages[route.page]();
    if ("status" in route) return problemReply(route);
    const bodyProblem = bodyHeadersProblem(request);
    if (bodyProblem) return problemReply(bodyProblem);
    if (request.headers.expect !== undefined) response.writeContinue();
    const body = await readBody(request);
    const json = "status" in body ? body : parsed(body);
    return "status" in json ? problemReply(json) : execute(engine, json.value, route, signal);
  }

  let receivedBytes = 0;
  /** Stays pending when the client breaks off. */
  function readBody(request: IncomingMessage): Promise<Buffer | Problem> {
    return new Promise((resolve) => {
      let chunks: Buffer[] = [];
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
      const stop = (problem: Problem) => {
        request.off("data", onData);
        chunks = [];
        resolve(problem);
      };
      request.on("data", onData).once("end", () => resolve(Buffer.concat(chunks)));
      request.once("close", () => {
        receivedBytes -= reserved;
      });
    });
  }

  /** Replies of one turn of the event loop go out together: a client that awaits several wakes up once. */
  let due: (() => void)[] = [];
  function atTurnsEnd(reply: () => void): void {
    if (due.push(reply) === 1)
      setImmediate(() => {
        const replies = due;
        due = [];
        for (const reply of replies) reply();
      });
  }

  function fail(error: unknown): Reply {
    report(error);
    return problemReply(problems.crash);
  }

  /** `refusal`: what is wrong with the request already. It ends the connection. */
  return function handle(request: IncomingMessage, response: ServerResponse, refusal?: Problem): void {
    const connection = connections.get(request.socket);
    // No answer could be delivered, so the request must not be counted.
    if (!connection || connection.isEnding || !request.socket.writable) return;
    connection.inFlight += 1;
    connection.newest = response;
    const { signal } = connection.closing;

    const finish = (reply: Reply) => {
      connection.inFlight -= 1;
      if (response.destroyed || response.headersSent) return;
      if (connection.newest === response) {
        // What a client goes on sending is not read.
        connection.isEnding ||= signal.aborted || !request.complete;
        if (connection.isEnding) response.shouldKeepAlive = false;
      }
      try {
        send(response, reply);
      } catch (error) {
        const crash = fail(error);
        if (response.headersSent) response.destroy();
        else send(response, crash);
      }
    };
    const problem = refusal ?? (connection.inFlight > inFlightMaximum ? problems.tooManyInFlight : undefined);
    if (problem) connection.isEnding = true;
    const work = problem ? Promise.resolve(problemReply(problem)) : replyTo(request, response, signal);
    void work.catch(fail).then((reply) => atTurnsEnd(() => finish(reply)));
  };
}

function hostProblem({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  return headers.host === undefined && httpVersion === "1.1" ? problems.noHost : undefined;
}

/** What is wrong with a body, before it is read. */
function bodyHeadersProblem({ headers }: IncomingMessage): Problem | undefined {
  const type = headers["content-type"];
  if (type !== "application/json" && !isJson(type ?? null)) return problems.type;
  if ((headers["content-encoding"] ?? "identity") !== "identity") return problems.encoding;
  return Number(headers["content-length"] ?? 0) > bodyMaximumBytes ? problems.tooLarge : undefined;
}

function parsed(body: Buffer): { value: unknown } | Problem {
  try {
    return isUtf8(body) ? { value: JSON.parse(body.toString()) } : problems.notJson;
  } catch {
    return problems.notJson;
  }
}
