/** The id at which a page of a list starts; undefined for the first page. */
export function idFrom(cursor: unknown): number | undefined {
  return typeof cursor === "string" && /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined;
}
