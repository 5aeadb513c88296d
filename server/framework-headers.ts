/**
 * Drops internal request headers of Next.js, its hosts and its middleware.
 *
 * Next.js believes them from any client: `x-middleware-prefetch`, for one, empties a page, for all visitors when a cache
 * stands in front. Nothing here sends them, so they are dropped.
 */
import type { IncomingHttpHeaders } from "node:http";

const droppedPrefixes = ["x-middleware-", "x-next-", "x-nextjs-", "x-now-", "x-prerender-", "x-vercel-"];

const droppedNames = new Set([
  "x-action-redirect",
  "x-action-revalidated",
  "x-edge-runtime",
  "x-invocation-id",
  "x-matched-path",
  "next-error",
  "next-hmr-refresh",
  "next-resume",
  // Next.js takes a page's nonce from them; the server sets the first itself.
  "content-security-policy",
  "content-security-policy-report-only",
]);

export function isDropped(name: string): boolean {
  return droppedNames.has(name) || droppedPrefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Drops the framework's internal headers.
 * Not for the development server, whose own pages need them.
 */
export function dropFrameworkHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) if (isDropped(name)) delete headers[name];
}
