/** Facts about a request's target, from its text alone. */
import { LRUCache } from "lru-cache";
import { isApi } from "../lib/http/problem.ts";
import { isMedia } from "../lib/media/address.ts";
import { canonicalUrl } from "./cached-routes.ts";

/** The kind of a request, for metrics: one of a few for all paths. */
export type Kind = "page" | "action" | "api" | "file" | "static" | "operations";

export interface Target {
  /** Without the query. */
  path: string;
  /** The kind of a request that only reads it. */
  kind: Exclude<Kind, "action">;
  allowedMethods: readonly string[];
  /** The address of its copies; undefined when it has none. */
  canonicalUrl: string | undefined;
}

/**
 * The liveness path: it answers without checking anything else.
 * Next.js would answer it behind all requests that it has begun.
 */
export const healthPath = "/healthz";

const operations = new Set([healthPath, "/readyz", "/metrics"]);

const apiMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const pageMethods = ["GET", "HEAD", "POST"];
const fileMethods = ["GET", "HEAD"];

/** A longer target is not kept. */
const keptUrlMaximum = 300;
/** The latest targets: each is read several times for a request. */
const known = new LRUCache<string, Target>({ max: 1_000 });

/** The target that a request line names. */
export function targetOf(url: string): Target {
  const before = known.get(url);
  if (before !== undefined) return before;
  const path = pathOf(url);
  const target: Target = {
    path,
    kind: readKindOf(path),
    allowedMethods: allowedMethodsOf(url, path),
    canonicalUrl: canonicalUrl(url),
  };
  if (url.length <= keptUrlMaximum) known.set(url, target);
  return target;
}

/** The path of a request's target, without the query. */
export function pathOf(url: string): string {
  const path = url.startsWith("/") || !URL.canParse(url) ? url : new URL(url).pathname;
  return path.replace(/[?#].*$/s, "");
}

/**
 * Whether a path is that of the feed, sitemap, robots.txt or an icon.
 * No page has a dot after the only slash of its path.
 */
export function isFile(path: string): boolean {
  return /^\/(?:[^/]+\.\w+|(?:tags|users)\/[^/]+\/feed\.(?:json|xml))$/.test(path);
}

export function isBuiltFile(path: string): boolean {
  return path.startsWith("/_next/static/");
}

function readKindOf(path: string): Target["kind"] {
  if (path.startsWith("/_next/")) return "static";
  if (isApi(path)) return "api";
  if (operations.has(path)) return "operations";
  return isFile(path) || isMedia(path) ? "file" : "page";
}

function allowedMethodsOf(url: string, path: string): readonly string[] {
  if (isApi(url)) return apiMethods;
  return isBuiltFile(url) || isFile(path) || isMedia(path) || path === healthPath ? fileMethods : pageMethods;
}
