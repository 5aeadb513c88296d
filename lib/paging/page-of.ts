/**
 * A page of a list, and the cursor of the next one; null on the last page.
 * `rows` are those of the page, and one more if there is one.
 */
export function pageOf<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (lastRow: Row) => Cursor,
): { items: Row[]; nextCursor: Cursor | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
