/** Groups a timeline's days by day, week, month, quarter or year, so that bars fit. */
import { type Counts, withCounts } from "@/lib/ratings/score/score";
import { dayMs } from "@/lib/time/units";

/** Bars that fit on a phone: three months of days. */
const spansMaximum = 92;
/** Minimum length: a young post's timeline begins before its first rating. */
const spansMinimum = 7;

/** A half-open span of days and its ratings. Days are numbered from 1970 on. */
export interface TimelineSpan {
  from: number;
  to: number;
  counts: Counts;
}

export interface TimelineSpans {
  unit: "day" | "week" | "month" | "quarter" | "year";
  /** All spans up to today, in order. */
  spans: [TimelineSpan, ...TimelineSpan[]];
}

interface SpanUnit {
  name: TimelineSpans["unit"];
  /** The key of a day's span, and that span's first day. */
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

/**
 * Groups days into the shortest spans that fit.
 * `times` (milliseconds) extend the timeline.
 */
export function timelineOf(
  days: readonly { day: number; counts: Counts }[],
  times: readonly number[],
): TimelineSpans {
  // Not `Math.min(...all)`: there may be too many arguments.
  const all = [...days.map(({ day }) => day), ...times.map((at) => Math.floor(at / dayMs))];
  const firstDay = all.reduce((least, day) => Math.min(least, day));
  const lastDay = all.reduce((most, day) => Math.max(most, day));
  const { name, spanOf, beginOf } =
    units.find(({ spanOf }) => spanOf(lastDay) - spanOf(firstDay) < spansMaximum) ?? longestUnit;
  const first = Math.min(spanOf(firstDay), spanOf(lastDay) - spansMinimum + 1);
  const emptySpan = (index: number): TimelineSpan => ({
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
  return { unit: name, spans };
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
