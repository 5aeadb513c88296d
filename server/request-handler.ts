/**
 * What happens to a request before Next.js handles it.
 *
 * Forwarding headers are replaced by what can be believed, security headers are set, and requests that nothing here
 * takes are refused. Who may do what is decided beside the data, never here.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { runWithRequest } from "../lib/http/current-request.ts";
import { bareProblem, isApi, type Problem } from "../lib/http/problem.ts";
import { log } from "../lib/logging/log.ts";
import { addressBehind } from "./client-address.ts";
import { isForeign, type SentTo, sentTo, type Trust } from "./forwarded.ts";
import { bodyProblem } from "./request-body.ts";
import { logWhenClosed, pathOf, requestIdHeader, requestIdOf } from "./request-log.ts";
import { pagePolicy, setSecurityHeaders } from "./security-headers.ts";

export interface RequestHandlerOptions {
  trust: Trust;
  isDevelopment: boolean;
  /** Whether the server is stopping, which `/readyz` reports. */
  isStopping: () => boolean;
  /** Next.js. */
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

const apiMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const pageMethods = ["GET", "HEAD", "POST"];
const fileMethods = ["GET", "HEAD"];
/** Optional request headers that Next.js answers with a server error when they do not fit. */
const ignoredHeaders = ["range", "if-match", "if-unmodified-since"];
/** How long a refused body is still read, so that the client gets to see the answer. */
const lingerMs = 5_000;

const badHost: Problem = { status: 400, detail: "The Host header is not the name of a host." };
const foreign: Problem = {
  status: 403,
  detail:
    "This request was sent by a page of another site, so it was refused. If it was not: the server does not know " +
    "its own address; behind a proxy, TRUSTED_PROXY_HOPS or SITE_URL must be set.",
};

export function createRequestHandler({
  trust,
  isDevelopment,
  isStopping,
  handle,
}: RequestHandlerOptions): RequestHandler {
  async function receive(request: IncomingMessage, response: ServerResponse, clientUrl: SentTo) {
    const path = pathOf(request.url ?? "/");
    if (isStopping() && path === "/readyz") {
      response.writeHead(503, { "Content-Type": "application/json", "Cache-Control": "no-store" });
      response.end('{"status":"stopping"}');
      return;
    }
    const problem = headProblem(request, clientUrl) ?? (await bodyProblem(request));
    if (problem) {
      refuse(request, response, problem);
      return;
    }
    if (isPage(path))
      setPagePolicy(request, response, { isHttps: clientUrl.protocol === "https", isDevelopment });
    await handle(request, response);
  }

  return (request, response) => {
    const { headers, socket } = request;
    const id = requestIdOf(request, trust.trustedHops);
    const forwardedFor = String(headers["x-forwarded-for"] ?? "");
    const clientAddress = addressBehind(socket.remoteAddress, forwardedFor, trust.trustedHops);
    const clientUrl = sentTo(headers, trust, "encrypted" in socket && socket.encrypted === true);
    logWhenClosed(request, response, { id, clientAddress });
    response.setHeader(requestIdHeader, id);
    setSecurityHeaders(response, clientUrl.protocol === "https");
    rewriteHeaders(request, clientUrl);
    runWithRequest({ id, clientAddress, response }, () => {
      receive(request, response, clientUrl).catch((err: unknown) => fail(response, err));
    });
  };
}

/** What is wrong with a request, judged by its head. */
function headProblem(request: IncomingMessage, clientUrl: SentTo): Problem | undefined {
  const { headers, method = "", url = "/" } = request;
  const allowed = isApi(url) ? apiMethods : isBuiltFile(url) ? fileMethods : pageMethods;
  if (!allowed.includes(method))
    return {
      status: 405,
      detail: `${method} is not possible here; possible are ${allowed.join(", ")}.`,
      headers: { Allow: allowed.join(", ") },
    };
  if (headers.host && !clientUrl.host) return badHost;
  if (isForeign(method, headers.origin, clientUrl)) {
    log.warn({ method, path: pathOf(url) }, "refused a request with a foreign Origin");
    return foreign;
  }
  return undefined;
}

/** Leaves in the request's head only what Next.js may believe, and can digest. */
function rewriteHeaders(request: IncomingMessage, { host, protocol }: SentTo): void {
  const { headers } = request;
  for (const name of ["x-forwarded-for", "x-forwarded-port", "x-forwarded-host", ...ignoredHeaders])
    delete headers[name];
  if (host) headers["x-forwarded-host"] = host;
  headers["x-forwarded-proto"] = protocol;
  request.url = wellEncoded(request.url ?? "/");
}

/**
 * A path whose percent-encoding is broken, with its percent signs meant literally: a path that leads nowhere, where
 * Next.js would answer a server error. Any other stays as it is.
 */
function wellEncoded(url: string): string {
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}

function isPage(path: string): boolean {
  return !isApi(path) && !isBuiltFile(path);
}

function isBuiltFile(path: string): boolean {
  return path.startsWith("/_next/static/");
}

/** Gives a page a Content-Security-Policy with a nonce, which Next.js reads from the request's head. */
function setPagePolicy(
  { headers }: IncomingMessage,
  response: ServerResponse,
  options: { isHttps: boolean; isDevelopment: boolean },
): void {
  const policy = pagePolicy({ ...options, nonce: randomBytes(16).toString("base64") });
  headers["content-security-policy"] = policy;
  response.setHeader("Content-Security-Policy", policy);
}

function refuse(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const { headers, body } = bareProblem(request.url ?? "/", problem);
  response.writeHead(problem.status, {
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  response.write(body);
  // Closing while the client still sends would reset the connection before the answer is read.
  const close = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(close, lingerMs).unref();
  request.once("end", close).once("error", close).resume();
}

function fail(response: ServerResponse, err: unknown): void {
  log.error({ err }, "a request could not be handled");
  if (!response.headersSent) response.writeHead(500).end();
  else if (!response.writableEnded) response.destroy(); // ended normally, what was sent would look complete
}
