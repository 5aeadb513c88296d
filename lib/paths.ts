export const postPath = (slug: string) => `/posts/${encodeURIComponent(slug)}`;
export const userPath = (username: string) => `/users/${encodeURIComponent(username)}`;

/** The log-in page, which returns to `next`. */
export const logInPath = (next: string) => `/login?next=${encodeURIComponent(next)}`;

/** The registration page, which leads to `next`. */
export const registerPath = (next: string) => `/register?next=${encodeURIComponent(next)}`;

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

/** A post's activity page, and the anchor of a flood window on it. */
export const activityPath = (slug: string) => `${postPath(slug)}/activity`;
export const windowAnchor = (number: number) => `window-${number}`;
/** The activity page with this window listed first. */
export const windowPath = (slug: string, number: number) =>
  `${activityPath(slug)}?before=${number + 1}#${windowAnchor(number)}`;
