import { formatter } from "@/lib/i18n";
import { dayMs } from "@/lib/time/units";
import type { TimelineSpan, TimelineSpans } from "./spans";

const days = { day: "numeric", month: "short", year: "numeric" } as const;
const formats = {
  day: { day: "numeric", month: "long", year: "numeric" },
  week: days,
  month: { month: "long", year: "numeric" },
  quarter: { month: "short", year: "numeric" },
  year: { year: "numeric" },
} as const;

/** A span of a timeline in words, such as "12 October 2026" or "Oct – Dec 2026". */
export function spanText({ from, to }: TimelineSpan, unit: TimelineSpans["unit"]): string {
  const [first, last] = [new Date(from * dayMs), new Date((to - 1) * dayMs)];
  // In another calendar a month begins amid two; without days, ICU leaves out the second one in Persian.
  const isOfMonths = unit === "month" || unit === "quarter";
  const beginsMonth = formatter().dateTime(first, { day: "numeric" }) === formatter().number(1);
  return formatter().dateTimeRange(first, last, isOfMonths && !beginsMonth ? days : formats[unit]);
}
