/** Where things stand on a timeline of ratings: the spans that hold its days, the dates beneath, the labels above. */
import { scaleUtc } from "d3-scale";
import { type Counts, withCounts } from "@/lib/ratings/score";

export const dayMs = 86_400_000;
/** So many bars fit on a phone: three months of days. */
const spansMaximum = 92;
/** A young post's bars are no wider than those of a post of two weeks. */
const spansMinimum = 14;
/** The narrowest timeline, and a letter on it, in pixels. A wider one only has more room. */
const narrowest = 280;
const letter = 6.5;
/** So many dates fit on it, and up to so many days they are counted from the first one. */
const dayTicksMaximum = 4;
const monthTicksMaximum = 6;
const daysInStep = 31;

/** A span of days, up to the one before `to`, and its ratings. Days are numbered from 1970 on. */
export interface Span {
  from: number;
  to: number;
  counts: Counts;
}

export interface TimelineSpans {
  unit: "day" | "week" | "month" | "quarter" | "year";
  /** Each of them up to today, in order. */
  spans: [Span, ...Span[]];
  /** Where the timeline begins and ends: a young post's has room left for the days to come. */
  begin: number;
  end: number;
}

interface SpanUnit {
  name: TimelineSpans["unit"];
  /** Which span a day lies in, and the day that one begins with. */
  spanOf: (day: number) => number;
  beginOf: (span: number) => number;
}

const units: SpanUnit[] = [
  { name: "day", spanOf: (day) => day, beginOf: (span) => span },
  // Weeks begin on Mondays; 1970 began on a Thursday.
  { name: "week", spanOf: (day) => Math.floor((day + 3) / 7), beginOf: (span) => span * 7 - 3 },
  monthsUnit("month", 1),
  monthsUnit("quarter", 3),
];
const longestUnit = monthsUnit("year", 12);

/** The days, in the shortest spans that fit; `times` are moments in milliseconds that are on the timeline too. */
export function timelineOf(
  days: readonly { day: number; counts: Counts }[],
  times: readonly number[],
): TimelineSpans {
  // Not `Math.min(...all)`: there may be more than a function takes.
  const all = [...days.map(({ day }) => day), ...times.map((at) => Math.floor(at / dayMs))];
  const firstDay = all.reduce((least, day) => Math.min(least, day));
  const lastDay = all.reduce((most, day) => Math.max(most, day));
  const { name, spanOf, beginOf } =
    units.find(({ spanOf }) => spanOf(lastDay) - spanOf(firstDay) < spansMaximum) ?? longestUnit;
  const first = spanOf(firstDay);
  const emptySpan = (index: number): Span => ({
    from: beginOf(first + index),
    to: beginOf(first + index + 1),
    counts: [0, 0, 0, 0, 0, 0],
  });
  const spans: TimelineSpans["spans"] = [emptySpan(0)];
  while (spans.length <= spanOf(lastDay) - first) spans.push(emptySpan(spans.length));
  for (const { day, counts } of days) {
    const span = spans[spanOf(day) - first];
    if (span) span.counts = withCounts(span.counts, counts, 1);
  }
  return {
    unit: name,
    spans,
    begin: beginOf(first),
    end: beginOf(first + Math.max(spans.length, spansMinimum)),
  };
}

function monthsUnit(name: TimelineSpans["unit"], months: number): SpanUnit {
  return {
    name,
    spanOf: (day) => {
      const date = new Date(day * dayMs);
      return Math.floor(((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()) / months);
    },
    beginOf: (span) => Date.UTC(1970, span * months) / dayMs,
  };
}

const dayAndMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });

/** A date and the part of the timeline that it names, in milliseconds. */
export interface Tick {
  from: number;
  to: number;
  text: string;
}

/** The dates beneath, as many as fit on a phone: days of a short timeline from its first one on, else round dates. */
export function ticksOf({ unit, begin, end, spans }: TimelineSpans): Tick[] {
  if (unit === "day" && end - begin <= daysInStep) {
    const nth = Math.ceil((end - begin) / dayTicksMaximum);
    return everyNth(spans, nth).map(({ from }) => dayTick(from * dayMs));
  }
  const time = scaleUtc().domain([begin * dayMs, end * dayMs]);
  const fits = ({ from, to, text }: Tick) =>
    textAt(time(from) * 100, time(to) * 100, text).anchor === "middle";
  const dates = time.ticks(5).map((date) => date.getTime());
  if (unit === "day") return thinned(dates.map(dayTick).filter(fits), dayTicksMaximum);
  const monthTick = (at: number) => ({ from: at, to: at, text: month.format(at) });
  return thinned(dates.map(monthTick).filter(fits), monthTicksMaximum).map((tick, index, ticks) => {
    const date = new Date(tick.from);
    const year = date.getUTCFullYear();
    if (date.getUTCMonth() === 0) return { ...tick, text: String(year) };
    const before = new Date(ticks[index - 1]?.from ?? tick.from).getUTCFullYear();
    return before === year ? tick : { ...tick, text: `${tick.text} ${year}` };
  });
}

function dayTick(at: number): Tick {
  return { from: at, to: at + dayMs, text: dayAndMonth.format(at) };
}

function thinned(ticks: readonly Tick[], maximum: number): Tick[] {
  return everyNth(ticks, Math.ceil(ticks.length / maximum));
}

function everyNth<Value>(values: readonly Value[], nth: number): Value[] {
  return values.filter((_, index) => index % nth === 0);
}

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
