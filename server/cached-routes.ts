/**
 * The requests that a copy of a page can answer.
 *
 * A copy is made from the parts of its key alone, so nothing else that a client sends can be in it.
 */
import type { IncomingMessage } from "node:http";
import type { Locale } from "../lib/i18n/locale.ts";
import { routeOf } from "../lib/observe/routes.ts";
import { textFromPath } from "../lib/paths.ts";
import type { Theme } from "../lib/theme.ts";
import type { SentTo } from "./forwarded.ts";
import type { PageChoices } from "./page-choices.ts";

/** A page as visitors without a session get it. */
export interface CachedPage {
  /** All of the following as one text. */
  key: string;
  protocol: "http" | "https";
  host: string;
  locale: Locale;
  theme: Theme | undefined;
  /** Whether errors are sent as pages. */
  acceptsHtml: boolean;
  /** The path with the parameters that the page reads. */
  url: string;
}

const cursor = /^[\w-]{1,300}$/;
/** Matches no value: a notice is for one reader, a search counts for its address. */
const neverCached = /(?!)/;

/**
 * The parameters that the page of each cached route reads, and their usual values.
 * A request with another value is answered without a copy; other parameters are ignored.
 */
const parametersByRoute = new Map<string, Readonly<Record<string, RegExp>>>([
  ["/", { sort: /^[a-z-]{1,20}$/, q: /^$/, cursor, done: neverCached }],
  ["/archive", {}],
  ["/archive/[year]", { cursor }],
  ["/feed.json", {}],
  ["/feed.xml", {}],
  ["/how-scores-work", {}],
  ["/posts/[slug]", { counted: /^all$/, stars: /^[0-5]$/, rating: neverCached, done: neverCached }],
  ["/privacy", {}],
  ["/sitemap.xml", {}],
  ["/tags/[slug]", { sort: /^[a-z-]{1,20}$/, cursor }],
  ["/tags/[slug]/feed.json", {}],
  ["/tags/[slug]/feed.xml", {}],
  ["/users/[name]", { cursor }],
  ["/users/[name]/feed.json", {}],
  ["/users/[name]/feed.xml", {}],
]);

/** Headers of requests that get something else than the page, or have a body. */
const uncacheableHeaders = [
  "authorization",
  "content-length",
  "next-action",
  "next-router-prefetch",
  "next-router-segment-prefetch",
  "next-router-state-tree",
  "next-url",
  "purpose",
  "range",
  "rsc",
  "sec-purpose",
  "transfer-encoding",
  "x-moz",
  "x-purpose",
];

/** Cookies that may change a page: sessions, notices, chosen stars, previews. */
const personalCookie = /authjs\.|weir-|__next|__prerender/i;

/** The page that a request is for; undefined when no copy may answer it. */
export function cachedPageOf(
  { method, headers }: IncomingMessage,
  canonicalUrl: string | undefined,
  { protocol, host }: SentTo,
  { locale, theme }: PageChoices,
): CachedPage | undefined {
  if ((method !== "GET" && method !== "HEAD") || host === undefined || canonicalUrl === undefined)
    return undefined;
  if (uncacheableHeaders.some((name) => name in headers) || personalCookie.test(headers.cookie ?? ""))
    return undefined;
  const acceptsHtml = headers.accept?.includes("text/html") === true;
  const lowerCaseHost = host.toLowerCase();
  // A space is in none of the parts, so pages with different parts have different keys.
  const key = `${protocol} ${lowerCaseHost} ${locale} ${theme} ${acceptsHtml} ${canonicalUrl}`;
  return { key, protocol, host: lowerCaseHost, locale, theme, acceptsHtml, url: canonicalUrl };
}

/** The address with only the parameters that its page reads, in a fixed order. */
export function canonicalUrl(url: string): string | undefined {
  const queryStart = url.indexOf("?");
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  const parameters = parametersByRoute.get(routeOf(path) ?? "");
  if (!parameters || !isCanonical(path)) return undefined;
  if (queryStart < 0) return path;
  const known: [name: string, value: string][] = [];
  for (const [name, value] of new URLSearchParams(url.slice(queryStart))) {
    const usual = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!usual) continue;
    if (!usual.test(value) || known.some(([other]) => other === name)) return undefined;
    known.push([name, value]);
  }
  known.sort(([a], [b]) => (a < b ? -1 : 1));
  return known.length > 0 ? `${path}?${new URLSearchParams(known)}` : path;
}

/** Whether every part of a path is spelled as in the site's own links. */
function isCanonical(path: string): boolean {
  return path
    .slice(1)
    .split("/")
    .every((part) => {
      const text = textFromPath(part);
      return text !== null && encodeURIComponent(text) === part && !/^\.+$|[/\\]/.test(text);
    });
}
