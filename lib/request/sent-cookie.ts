/** The first value of a cookie in a Cookie header, as sent; undefined without one. */
export function sentCookie(header = "", name: string): string | undefined {
  if (header === "") return undefined;
  const start = `${name}=`;
  const pairs = header.split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}
