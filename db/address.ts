/** Whether an address is one of PostgreSQL; the others are SQLite files. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}
