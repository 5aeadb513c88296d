/**
 * Whether an If-None-Match header lists this ETag, weak or strong.
 * Not whether it matches any, as `*` does.
 */
export function listsEtag(header: string | null | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header?.split(",").some((tag) => opaque(tag) === opaque(etag)) ?? false;
}

/** A strong ETag of a text without quotes. */
export function quotedEtag(text: string): string {
  return `"${text}"`;
}

/**
 * The texts of the ETags in an If-Match header.
 * One of them must be the present one. Undefined without the header, and for `*`, which matches any. Weak ETags count,
 * unlike in RFC 9110, 13.1.1: proxies that compress an answer make its ETag weak.
 */
export function ifMatchTags(header: string | null): string[] | undefined {
  if (header === null || header.trim() === "*") return undefined;
  return [...header.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text);
}
