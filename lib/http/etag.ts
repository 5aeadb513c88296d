/**
 * Whether an If-None-Match header lists this ETag, weak or strong.
 * Not whether it matches any, as `*` does.
 */
export function listsEtag(header: string | null | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header?.split(",").some((tag) => opaque(tag) === opaque(etag)) ?? false;
}
