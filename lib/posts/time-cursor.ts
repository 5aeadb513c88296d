/**
 * Cursors of lists by time.
 * The time and the number of a page's last post, as text.
 */
import { listStart, type TimePlace } from "../../db/types.ts";

function timeCursor({ at, id }: TimePlace): string {
  return `${at}-${id}`;
}

/**
 * The place that a cursor names; null for malformed text.
 * Without a cursor the list's start.
 */
export function placeFrom(cursor: string | undefined): TimePlace | null {
  if (cursor === undefined) return listStart;
  const [, at, id] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id: Number(id) };
}

/**
 * One page of a list, and the cursor of the next; null on the last page.
 * The rows are those of the page, and one more if there is one.
 */
export function pageOf<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => TimePlace) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? timeCursor(placeOf(last)) : null };
}
