import { formatter, translator } from "@/lib/i18n";
import { dayMs } from "@/lib/time/units";
import type { Tick } from "./_score-chart/types";

const dayAndMonth = { day: "numeric", month: "short" } as const;
const monthAndYear = { month: "short", year: "numeric" } as const;
/** From this length on, a day is too fine. */
const longMs = 300 * dayMs;

/** Dates at both ends and between, as many as fit on a phone; the end is today. */
export function dateTicks(from: number, to: number): Tick[] {
  const isLong = to - from >= longMs;
  const parts = isLong ? 2 : 3;
  const dates = Array.from({ length: parts }, (_, index) => {
    const at = from + (index * (to - from)) / parts;
    return { at, text: formatter().dateTime(new Date(at), isLong ? monthAndYear : dayAndMonth) };
  });
  return [...dates, { at: to, text: translator("scores")("chart.today") }];
}
