import { formatter } from "@/lib/i18n";
import { directionOf } from "@/lib/i18n/locale";
import { currentLocale } from "@/lib/request/current-request";

/** A time range in UTC; a common date is written once. */
export function SpanOfTime({ from, to }: { from: number; to: number }) {
  return (
    <span dir={directionOf(currentLocale())}>
      {formatter().dateTimeRange(new Date(from), new Date(to), {
        day: "numeric",
        month: "short",
        year: "numeric",
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
      })}
    </span>
  );
}
