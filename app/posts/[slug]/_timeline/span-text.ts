import { formatter } from "@/lib/i18n";
import { dayMs, type TimelineSpan, type TimelineSpans } from "./spans";

const formats = {
  day: { day: "numeric", month: "long", year: "numeric" },
  month: { month: "long", year: "numeric" },
  year: { year: "numeric" },
} as const;

/** A span of a timeline in words, such as "12 October 2026" or "Oct – Dec 2026". */
export function spanText({ from, to }: TimelineSpan, unit: TimelineSpans["unit"]): string {
  const [first, last] = [new Date(from * dayMs), new Date((to - 1) * dayMs)];
  if (unit === "week" || unit === "quarter")
    return formatter().dateTimeRange(
      first,
      last,
      unit === "week"
        ? { day: "numeric", month: "short", year: "numeric" }
        : { month: "short", year: "numeric" },
    );
  return formatter().dateTime(first, formats[unit]);
}
