/** Where texts about parts of a timeline stand, so that none is cut and none is in another's way. */

/** The narrowest timeline, and a letter on it, in pixels. A wider one only has more room. */
const narrowest = 280;
const letter = 6.5;

/** Where a text about a part of the timeline stands, in percent: over its middle, or at its edge lest it be cut. */
export function textAt(from: number, to: number, text: string) {
  const half = textPercent(text) / 2;
  const middle = (from + to) / 2;
  if (middle < half) return { x: from, anchor: "start" } as const;
  if (middle > 100 - half) return { x: to, anchor: "end" } as const;
  return { x: middle, anchor: "middle" } as const;
}

/** How far across a text reaches on the narrowest timeline, in percent. */
function textPercent(text: string): number {
  return ((text.length * letter) / narrowest) * 100;
}

/** A part of the timeline, in percent, and what may be written over it, the best first. */
export interface Flag {
  from: number;
  to: number;
  texts: readonly string[];
  isHeld: boolean;
}

export interface PlacedFlag {
  text: string;
  isHeld: boolean;
  /** Where the pole stands: where its part begins, with the text after it, or ends, with the text before it. */
  at: number;
  anchor: "start" | "end";
  /** From below. */
  row: number;
}

/** A place and how far its text reaches. */
interface Place extends PlacedFlag {
  left: number;
  right: number;
}

const rowsMaximum = 3;
/** Of more only the latest are labelled. */
const flagsMaximum = 40;
const gapPercent = 3;

/**
 * Labels in rows above the timeline, each with a pole down to it that crosses no other label. Each in turn is given the
 * best text and place that are left; of several such ways the one is taken that leaves the fewest held windows without
 * a label, then the fewest of all.
 */
export function placeFlags(flags: readonly Flag[]): PlacedFlag[] {
  const latest = flags.slice(-flagsMaximum);
  const heldFirst = [...latest].sort((one, other) => Number(other.isHeld) - Number(one.isHeld));
  const orders = [latest.toReversed(), latest, heldFirst];
  const ways = (flags[0]?.texts ?? []).flatMap((_, from) =>
    orders.map((order) => placeInTurn(order.map((flag) => ({ ...flag, texts: flag.texts.slice(from) })))),
  );
  const worth = (way: Place[]) => way.reduce((sum, { isHeld }) => sum + (isHeld ? flagsMaximum : 1), 0);
  return ways.reduce((best, way) => (worth(way) > worth(best) ? way : best), []);
}

function placeInTurn(flags: readonly Flag[]): Place[] {
  const placed: Place[] = [];
  for (const flag of flags) {
    const free = placesOf(flag).find((place) => !placed.some((other) => isInTheWay(place, other)));
    if (free) placed.push(free);
  }
  return placed;
}

function placesOf({ from, to, texts, isHeld }: Flag): Place[] {
  const rows = Array.from({ length: rowsMaximum }, (_, row) => row);
  return texts
    .flatMap((text) => {
      const length = textPercent(text);
      return rows.flatMap((row): Place[] => [
        { text, isHeld, row, at: from, anchor: "start", left: from, right: from + length },
        { text, isHeld, row, at: to, anchor: "end", left: to - length, right: to },
      ]);
    })
    .filter(({ left, right }) => left >= 0 && right <= 100);
}

function isInTheWay(one: Place, other: Place): boolean {
  if (one.row === other.row)
    return one.left < other.right + gapPercent && other.left < one.right + gapPercent;
  const [high, low] = one.row > other.row ? [one, other] : [other, one];
  return high.at > low.left - gapPercent && high.at < low.right + gapPercent;
}
