export const postPath = (slug: string) => `/posts/${encodeURIComponent(slug)}`;
export const tagPath = (slug: string) => `/tags/${encodeURIComponent(slug)}`;
export const archivePath = (year?: number) => (year === undefined ? "/archive" : `/archive/${year}`);
/** The earlier texts of a post, or one of them. */
export const revisionsPath = (slug: string, revision?: number) =>
  `${postPath(slug)}/revisions${revision === undefined ? "" : `?revision=${revision}`}`;
/** The user's own drafts and posts. */
export const ownPostsPath = "/account/posts";
export const userPath = (username: string) => `/users/${encodeURIComponent(username)}`;
/** The administrators' page on an account. */
export const personPath = (username: string) => `/admin/people/${encodeURIComponent(username)}`;

/** The log-in page, which returns to `next`. */
export const logInPath = (next: string) => withNext("/login", next);

/** The registration page, which leads to `next`. */
export const registerPath = (next: string) => withNext("/register", next);

/** Both lead to the front page without `next`. */
function withNext(path: string, next: string): string {
  return next === "/" ? path : `${path}?next=${encodeURIComponent(next)}`;
}

/** A path with a query of the values that are neither empty nor 0. */
export function pathWith(path: string, values: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The page that turns mails off, and its address for mail programs. */
export const unsubscribePath = "/unsubscribe";
/** Any site's request may come here: only the token in the address counts. */
export const oneClickPath = `${unsubscribePath}/one-click`;

/**
 * Decodes a path segment to NFC text.
 * Null for an invalid escape or bytes that are not UTF-8.
 */
export function textFromPath(part: string): string | null {
  try {
    return decodeURIComponent(part).normalize("NFC");
  } catch {
    return null;
  }
}

/**
 * A redirect target after log-in: a path on this site, else the front page.
 *
 * The resolved path counts: `/.//other.example` resolves to `//other.example`, which names another site.
 */
export function localPath(path: unknown): string {
  const base = "http://weir.invalid";
  if (typeof path !== "string" || !path.startsWith("/") || !URL.canParse(path, base)) return "/";
  const { origin, pathname, search, hash } = new URL(path, base);
  return origin === base && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : "/";
}

/** Query parameters of public pages that choose the content. */
const shownParameters = ["sort", "q", "cursor", "counted"];
const logInPages = ["/login", "/login/code", "/register"];
const nextMaximum = 1_000;

/**
 * The page that the header's log-in link of a page leads back to.
 * Without parameters that are unknown, or of one reader. The log-in's own pages lead where they did before.
 */
export function returnPath(target: string): string {
  const { pathname, searchParams } = new URL(localPath(target), "http://weir.invalid");
  if (logInPages.includes(pathname)) return localPath(searchParams.get("next"));
  const path = pathWith(
    pathname,
    Object.fromEntries(shownParameters.map((name) => [name, searchParams.get(name) ?? undefined])),
  );
  return path.length > nextMaximum ? "/" : path;
}

/** A post's activity page, and the anchor of a flood window on it. */
export const activityPath = (slug: string) => `${postPath(slug)}/activity`;
export const windowAnchor = (number: number) => `window-${number}`;
/** The activity page with this window listed first. */
export const windowPath = (slug: string, number: number) =>
  `${activityPath(slug)}?before=${number + 1}#${windowAnchor(number)}`;
