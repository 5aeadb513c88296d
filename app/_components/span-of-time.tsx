const seconds = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: "UTC",
});

/** A time range in UTC; a common date is written once. */
export function SpanOfTime({ from, to }: { from: number; to: number }) {
  return <span dir="ltr">{seconds.formatRange(from, to)}</span>;
}
