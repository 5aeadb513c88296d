/** A log line and metrics for every request, when it has ended. */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { requestLog } from "../lib/logging/log.ts";
import { metrics } from "../lib/observe/metrics.ts";
import { routeClock } from "../lib/observe/route-times.ts";
import { unknownAddress } from "../lib/request/current-request.ts";
import { type Kind, type Target, targetOf } from "./target.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const pathMaximum = 200;

/** The response's header with the id of its request. */
export const requestIdHeader = "X-Request-Id";

/**
 * The id of a request.
 * The one that a trusted proxy has given it, when well-formed, or a new one.
 */
export function requestIdOf({ headers }: IncomingMessage, trustedHops: number): string {
  if (trustedHops === 0) return randomUUID();
  const id = String(headers["x-request-id"] ?? "");
  return /^[\w.-]{8,128}$/.test(id) ? id : randomUUID();
}

/**
 * Logs and counts a request when its response is closed.
 * Call this before anything changes the request's URL.
 */
export function logWhenClosed(
  request: IncomingMessage,
  response: ServerResponse,
  { id, clientAddress }: { id: string; clientAddress: string },
): void {
  const startedAt = performance.now();
  const method = request.method ?? "";
  const target = targetOf(request.url ?? "");
  const { path } = target;
  response.on("close", () => {
    const durationMs = performance.now() - startedAt;
    const kind = kindOf(method, target);
    const status = response.headersSent ? response.statusCode : undefined;
    const knownMethod = methods.has(method) ? method : "other";
    const labels = { method: knownMethod, kind };
    metrics().requests.inc({ ...labels, status: status ? `${Math.floor(status / 100)}xx` : "none" });
    metrics().requestSeconds.observe(labels, durationMs / 1000);
    routeClock().record({ method: knownMethod, path, durationMs }, Date.now());
    const line = {
      requestId: id,
      method,
      path: path.slice(0, pathMaximum),
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      client: clientName(clientAddress),
      // The connection was closed before the whole answer was sent.
      ...(!response.writableFinished && { aborted: true }),
    };
    if (kind === "static" || kind === "operations") requestLog.debug(line, "request");
    else requestLog.info(line, "request");
  });
}

/** The kind of a request: a form that is sent to a page is an action. */
export function kindOf(method: string, { kind }: Target): Kind {
  return method === "POST" && kind === "page" ? "action" : kind;
}

/** Of this process only, so that no address can be found by hashing them all. */
const key = randomBytes(32);

/**
 * The names of the latest clients.
 * Making one takes as long as answering from memory.
 */
const names = new LRUCache<string, string>({ max: 1_000 });

/** A name for the client's address, the same for all its requests to this process. */
function clientName(address: string): string | undefined {
  if (address === unknownAddress) return undefined;
  const known = names.get(address);
  if (known !== undefined) return known;
  const name = createHmac("sha256", key).update(address).digest("base64url").slice(0, 12);
  names.set(address, name);
  return name;
}
