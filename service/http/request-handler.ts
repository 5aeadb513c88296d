/** Handles a request: routes and authenticates it, reads its body, replies. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createBodyReader } from "../../lib/http/body.ts";
import { isJson, notJsonType, parseJson, tooLarge } from "../../lib/http/json-body.ts";
import type { Problem } from "../../lib/http/problem.ts";
import { jsonReply, problemReply, type Reply, send } from "../../lib/http/reply.ts";
import type { RequestContext } from "../../lib/http/server.ts";
import type { MaybePromise } from "../answers.ts";
import type { RequestExecutor } from "../codec.ts";
import type { Metrics } from "../metrics.ts";
import { openApiDocument } from "../openapi.ts";
import { createAccess } from "./access.ts";
import { type Page, routeOf } from "./routes.ts";
import { execute } from "./verbs.ts";

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

const problems = {
  noHost: { status: 400, detail: "The request has no Host header." },
  encoding: { status: 415, detail: "Send the body as it is, without Content-Encoding." },
  crash: { status: 500, detail: "The service could not do this. Its log has the error." },
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
  { token, metrics, configured, report }: HandlerSettings,
) {
  const accessProblem = createAccess(token);
  const readBody = createBodyReader(bodyMaximumBytes, tooLarge(bodyMaximumBytes));
  const pages: Record<Page, () => Reply | Promise<Reply>> = {
    "/": () => jsonReply(JSON.stringify(guide)),
    "/v1/alive": () => jsonReply(JSON.stringify({ alive: true })),
    "/v1/openapi.json": () => jsonReply(JSON.stringify(openApiDocument)),
    "/v1/rules": () => jsonReply(JSON.stringify(configured())),
    "/metrics": async () => {
      const { contentType, text } = await metrics.scrape();
      return jsonReply(text, { headers: { "Content-Type": contentType } });
    },
  };

  function replyTo(
    request: IncomingMessage,
    response: ServerResponse,
    { problem, address, signal }: RequestContext,
  ): MaybePromise<Reply> {
    const route = routeOf(request.method, request.url);
    const headProblem = problem ?? hostProblem(request) ?? accessProblem(request.headers, route);
    if (headProblem) return problemReply(headProblem);
    if ("page" in route) return pages[route.page]();
    if ("status" in route) return problemReply(route);
    const headersProblem = bodyHeadersProblem(request);
    if (headersProblem) return problemReply(headersProblem);
    return readBody(request, response, address).then((body) => {
      if ("status" in body) return problemReply(body);
      const json = parseJson(body.bytes);
      return "status" in json ? problemReply(json) : execute(engine, json.value, route, signal);
    });
  }

  // The replies of one turn of the event loop go out together: a client that awaits several wakes up once.
  let ready: (() => void)[] = [];
  function sendReady(): void {
    const replies = ready;
    ready = [];
    for (const finish of replies) finish();
  }

  return function handle(request: IncomingMessage, response: ServerResponse, context: RequestContext): void {
    const finish = (reply: Reply) => {
      context.answered();
      if (response.destroyed || response.headersSent) return;
      try {
        send(response, reply);
      } catch (error) {
        report(error);
        response.destroy();
      }
    };
    const answer = (reply: Reply) => {
      if (ready.push(() => finish(reply)) === 1) setImmediate(sendReady);
    };
    const crash = (error: unknown) => {
      report(error);
      answer(problemReply(problems.crash));
    };
    try {
      const reply = replyTo(request, response, context);
      if (reply instanceof Promise) reply.then(answer, crash);
      else answer(reply);
    } catch (error) {
      crash(error);
    }
  };
}

function hostProblem({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  return headers.host === undefined && httpVersion === "1.1" ? problems.noHost : undefined;
}

/** The fault of a body, from its headers. */
function bodyHeadersProblem({ headers }: IncomingMessage): Problem | undefined {
  const type = headers["content-type"];
  if (type !== "application/json" && !isJson(type ?? null)) return notJsonType;
  return (headers["content-encoding"] ?? "identity") === "identity" ? undefined : problems.encoding;
}
