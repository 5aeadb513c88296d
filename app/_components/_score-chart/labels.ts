/** Places the labels of floods above a chart: none is cut off, none overlap. */

/** Width of the narrowest chart and of a letter, in pixels. */
const narrowest = 220;
const letter = 6;
/** How far a label may reach beyond the chart, above stars and names of lines. */
const beyond = { left: 8, right: 20 };

/** A text's width on the narrowest chart, in percent. */
function textPercent(text: string): number {
  return ((text.length * letter) / narrowest) * 100;
}

/** A part of the chart in percent, and its possible labels, best first. */
export interface Flag {
  from: number;
  to: number;
  texts: readonly string[];
  isHeld: boolean;
}

export interface PlacedFlag {
  text: string;
  isHeld: boolean;
  /**
   * The pole's position.
   * The part's start with the text after it, or its end with the text before it.
   */
  at: number;
  side: "left" | "right";
  /** Counted from below. */
  row: number;
}

/** A candidate place and the extent of its text. */
interface Place extends PlacedFlag {
  left: number;
  right: number;
}

const rowsMaximum = 3;
/** With more windows only the latest are labelled. */
const flagsMaximum = 40;
const gapPercent = 3;

/**
 * Places labels in rows above the chart.
 * Their poles cross no other label. Greedy: each flag in turn takes the best free text and place. Of several orders
 * it takes the one that leaves the fewest held windows without a label, then the fewest of all.
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
        { text, isHeld, row, at: from, side: "left", left: from, right: from + length },
        { text, isHeld, row, at: to, side: "right", left: to - length, right: to },
      ]);
    })
    .filter(({ left, right }) => left >= -beyond.left && right <= 100 + beyond.right);
}

function isInTheWay(one: Place, other: Place): boolean {
  if (one.row === other.row)
    return one.left < other.right + gapPercent && other.left < one.right + gapPercent;
  const [high, low] = one.row > other.row ? [one, other] : [other, one];
  return high.at > low.left - gapPercent && high.at < low.right + gapPercent;
}
