/** Whether an address is one of PostgreSQL; the others are SQLite files. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** Whether it is an address that a database can be opened at. */
export function isDatabaseUrl(text: string): boolean {
  return isPostgresUrl(text) ? URL.canParse(text) && isDecodable(text) : /^file:.+/.test(text);
}

/**
 * A password with a % in it must be written with %25.
 * The client would fail without the reason.
 */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}
