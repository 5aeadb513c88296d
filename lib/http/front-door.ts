/**
 * What happens to every request before the framework sees it.
 *
 * The framework has no place where all requests pass: static files, redirects and malformed addresses are answered
 * without asking `proxy.ts`, and no handler is given the socket. So this stands in front of it, where the HTTP
 * server announces a request, as tracing tools do. It replaces forwarding headers by what can be believed, adds the
 * client's address and the security headers, and refuses what nobody here takes.
 */
import * as http from "node:http";
import * as https from "node:https";
import { Socket } from "node:net";
import { bodyMaximumBytes, limitBody } from "./body-limit.ts";
import { addressBehind, clientAddressHeader, sealedAddress } from "./client-address.ts";
import { whileAnswering } from "./current-response.ts";
import { sentTo, type Trust } from "./forwarded.ts";
import { bareProblem, isApi, type Problem } from "./problem.ts";
import { securityHeaders } from "./security-headers.ts";

const apiMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const pageMethods = ["GET", "HEAD", "POST"];
const fileMethods = ["GET", "HEAD"];
/** The framework answers a server error where these are not met; nobody needs them here, and they may be ignored. */
const ignoredHeaders = ["range", "if-match", "if-unmodified-since"];
/** How long what comes of a refused body is still read, so that the client gets to see the answer. */
const lingerMs = 5_000;

const tooLarge = {
  status: 413,
  detail: `The request is too large: at most ${bodyMaximumBytes / 1024 / 1024} MB can be sent at once.`,
};
type Watch = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const badHost = { status: 400, detail: "The Host header is not the name of a host." };

/**
 * Stands in front of every HTTP server of this process, those made before included. Nothing here is upgraded to
 * another protocol, but the development server is. `watch` is told of every request first, as it came.
 */
export function installFrontDoor(
  trust: Trust,
  { acceptsUpgrades = false, watch = () => {} }: { acceptsUpgrades?: boolean; watch?: Watch } = {},
): void {
  for (const prototype of [http.Server.prototype, https.Server.prototype]) {
    const emit = prototype.emit;
    prototype.emit = function (this: http.Server, event: string | symbol, ...values: unknown[]) {
      const [request, response] = values;
      if (event === "upgrade" && !acceptsUpgrades && response instanceof Socket) {
        response.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        return true;
      }
      const isRequest =
        event === "request" &&
        request instanceof http.IncomingMessage &&
        response instanceof http.ServerResponse;
      if (!isRequest) return Reflect.apply(emit, this, [event, ...values]);
      watch(request, response);
      receive(request, response, trust, () => Reflect.apply(emit, this, [event, ...values]));
      return true;
    };
  }
}

/** Prepares a request and lets it pass, or answers it. */
export function receive(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  trust: Trust,
  pass: () => void,
): void {
  const { headers, socket } = request;
  const { host, protocol } = sentTo(headers, trust, "encrypted" in socket && socket.encrypted === true);
  for (const [name, value] of Object.entries(securityHeaders(protocol === "https")))
    response.setHeader(name, value);
  const path = request.url ?? "/";
  const fault = methodFault(request.method ?? "", path) ?? (headers.host && !host ? badHost : undefined);
  if (fault) {
    refuse(request, response, fault);
    return;
  }
  headers[clientAddressHeader] = sealedAddress(
    addressBehind(socket.remoteAddress, String(headers["x-forwarded-for"] ?? ""), trust.trustedHops),
  );
  delete headers["x-forwarded-for"];
  delete headers["x-forwarded-port"];
  delete headers["x-forwarded-host"];
  if (host) headers["x-forwarded-host"] = host;
  headers["x-forwarded-proto"] = protocol;
  for (const name of ignoredHeaders) delete headers[name];
  request.url = wellEncoded(path);
  limitBody(request, {
    onAccepted: () => whileAnswering(response, pass),
    onTooLarge: () => refuse(request, response, tooLarge),
  });
}

function methodFault(method: string, path: string): Problem | undefined {
  const allowed = isApi(path) ? apiMethods : path.startsWith("/_next/static/") ? fileMethods : pageMethods;
  if (allowed.includes(method)) return undefined;
  return {
    status: 405,
    detail: `${method} is not possible here; possible are ${allowed.join(", ")}.`,
    headers: { Allow: allowed.join(", ") },
  };
}

/**
 * The address, or when its percent-encoding is broken, the same with its percent signs meant literally: then it is
 * an address that leads nowhere, where the framework would answer a server error.
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

function refuse(request: http.IncomingMessage, response: http.ServerResponse, problem: Problem): void {
  const { headers, body } = bareProblem(request.url ?? "", problem);
  response.writeHead(problem.status, {
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  response.write(body);
  // Closing while the client still sends would take the answer away from it.
  const close = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(close, lingerMs).unref();
  request.once("end", close).once("error", close).resume();
}
