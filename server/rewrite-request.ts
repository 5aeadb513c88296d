/** Rewrites targets and headers that Next.js would believe, or fail on. */
import type { IncomingMessage } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import type { SentTo } from "./forwarded.ts";

/**
 * Optional request headers that may make Next.js fail.
 * It answers with a server error when they do not fit.
 */
const ignoredHeaders = ["range", "if-unmodified-since"];

const routerState = "next-router-state-tree";

/**
 * Splits a target that is an absolute URL into path and host.
 * Its host replaces the Host header (RFC 9112, 3.2.2).
 */
export function splitTarget(request: IncomingMessage): void {
  const { url = "" } = request;
  if (url.startsWith("/")) return;
  const [, host, path = ""] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(url) ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = path.startsWith("/") ? path : `/${path}`;
}

/** Leaves only headers that Next.js may believe and can parse. */
export function rewriteHeaders(request: IncomingMessage, { host, protocol }: SentTo): void {
  const { headers } = request;
  for (const name of ["x-forwarded-for", "x-forwarded-port", "x-forwarded-host", ...ignoredHeaders])
    delete headers[name];
  // The JSON API decides by it; a file that does not match would be a server error.
  if (!request.url?.startsWith("/api/")) delete headers["if-match"];
  if (host) headers["x-forwarded-host"] = host;
  headers["x-forwarded-proto"] = protocol;
  if (!isRouterState(headers[routerState])) delete headers[routerState];
  request.url = encodePath(request.url ?? "/");
}

/**
 * Whether Next.js can parse the browser's router state header.
 * It answers a server error where it cannot.
 */
function isRouterState(value: string | string[] | undefined): boolean {
  try {
    parseAndValidateFlightRouterState(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * A path whose percent-encoding is broken, with its percent signs meant literally.
 * A path that leads nowhere, where Next.js would answer a server error. Any other stays as it is.
 */
function encodePath(url: string): string {
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}
