/** Addresses of pages whose last part is text in any script. */

export const postPath = (slug: string) => `/posts/${encodeURIComponent(slug)}`;
export const userPath = (username: string) => `/users/${encodeURIComponent(username)}`;

/**
 * The text that a part of an address stands for, composed as slugs and names are. Null for one that is no text:
 * half of an escape, or bytes that are not UTF-8.
 */
export function textFromPath(part: string): string | null {
  try {
    return decodeURIComponent(part).normalize("NFC");
  } catch {
    return null;
  }
}

/** Where to go after logging in: the asked-for path when it is one of this site's, or else the front page. */
export function localPath(asked: unknown): string {
  if (typeof asked !== "string" || !/^\/(?![/\\])/.test(asked)) return "/";
  const base = "http://weir.invalid";
  const url = URL.canParse(asked, base) ? new URL(asked, base) : undefined;
  return url?.origin === base ? `${url.pathname}${url.search}${url.hash}` : "/";
}

/** A post's activity page, and the anchor of a flood window on it. */
export const activityPath = (slug: string) => `${postPath(slug)}/activity`;
export const windowAnchor = (number: number) => `window-${number}`;
/** The activity page with this window listed first. */
export const windowPath = (slug: string, number: number) =>
  `${activityPath(slug)}?before=${number + 1}#${windowAnchor(number)}`;
