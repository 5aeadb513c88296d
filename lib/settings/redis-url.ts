/**
 * Whether an address is one that a client of a Redis server takes.
 * The scheme redis: or rediss:, a host, and a database's number at most. Out of a query the client would take options, and other
 * paths it would take for databases.
 */
export function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text);
  const isPlain = port !== "0" && /^\/?\d{0,4}$/.test(pathname) && search === "" && hash === "";
  return /^rediss?:$/.test(protocol) && hostname !== "" && isPlain && isDecodable(username + password);
}

/** A password with a % in it must be written with %25. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
