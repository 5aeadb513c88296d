/**
 * Cursors of lists by time.
 * The time and the number of a page's last row, as text.
 */
import { listStart, type TimePlace } from "../../db/types.ts";

export function timeCursor({ at, id }: TimePlace): string {
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
