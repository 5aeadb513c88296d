/** Every request: its id, a line in the log when it has ended, and its figures. */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { clientAddress } from "../http/client-address.ts";
import { requestIdHeader } from "../http/current-response.ts";
import { isApi } from "../http/problem.ts";
import { log } from "../log.ts";
import { metrics } from "./metrics.ts";
import { routeClock } from "./route-times.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const operations = new Set(["/healthz", "/readyz", "/metrics"]);
const pathMaximum = 200;

export type Kind = "page" | "action" | "api" | "file" | "static" | "operations";

/**
 * For the front door: gives a request its id, and notes it when it has ended. An id that a request brings counts when it
 * comes through a proxy that is ours.
 */
export function watchRequests({ trustedHops }: { trustedHops: number }) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    const method = request.method ?? "";
    const path = pathOf(request.url ?? "");
    const requestId = (trustedHops > 0 && broughtId(request)) || randomUUID();
    response.setHeader(requestIdHeader, requestId);
    response.once("close", () => {
      const durationMs = performance.now() - startedAt;
      const kind = kindOf(method, path);
      const status = response.headersSent ? response.statusCode : undefined;
      const knownMethod = methods.has(method) ? method : "other";
      const labels = { method: knownMethod, kind };
      metrics().requests.inc({ ...labels, status: status ? `${Math.floor(status / 100)}xx` : "none" });
      metrics().requestSeconds.observe(labels, durationMs / 1000);
      routeClock().record({ method: knownMethod, path, durationMs }, Date.now());
      const line = {
        requestId,
        method,
        path: path.slice(0, pathMaximum),
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        client: clientName(request),
        // The client went away before it had the answer.
        ...(!response.writableFinished && { aborted: true }),
      };
      if (kind === "static" || kind === "operations") log.debug(line, "request");
      else log.info(line, "request");
    });
  };
}

/** What a request asks for: one of a few kinds, whatever its path. */
export function kindOf(method: string, path: string): Kind {
  if (path.startsWith("/_next/")) return "static";
  if (isApi(path)) return "api";
  if (operations.has(path)) return "operations";
  // Feed, site map, robots.txt, icons: no name of a page has a dot behind its only slash.
  if (/^\/[^/]+\.\w+$/.test(path)) return "file";
  return method === "POST" ? "action" : "page";
}

/** The path without what was searched for, and without what else may be in an address. */
function pathOf(url: string): string {
  const path = url.startsWith("/") || !URL.canParse(url) ? url : new URL(url).pathname;
  return path.replace(/[?#].*$/s, "");
}

function broughtId({ headers }: IncomingMessage): string | undefined {
  const id = String(headers["x-request-id"] ?? "");
  return /^[\w.-]{8,128}$/.test(id) ? id : undefined;
}

/** Known to this process only: nobody can look an address up by trying them all. */
const key = randomBytes(32);

/** A name for the client's address, the same for all its requests to this process; undefined for what was refused at the door. */
function clientName({ headers }: IncomingMessage): string | undefined {
  const address = clientAddress({ get: (name) => headers[name]?.toString() ?? null });
  if (address === "unknown") return undefined;
  return createHmac("sha256", key).update(address).digest("base64url").slice(0, 12);
}
