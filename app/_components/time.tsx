const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const dayOfThisYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const second = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: "UTC",
});

/**
 * A date as "12 October 2026".
 * `at` in milliseconds. UTC, so that it is the same for all readers.
 */
export function Day({ at }: { at: number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} dir="ltr">
      {day.format(date)}
    </time>
  );
}

/**
 * Days as "12 October" or "12–14 October".
 * With the year if it is not that of `now` (milliseconds).
 */
export function Days({ from, to, now }: { from: number; to: number; now: number }) {
  const isThisYear = new Date(from).getUTCFullYear() === new Date(now).getUTCFullYear();
  return (
    <span dir="ltr" className="whitespace-nowrap">
      {(isThisYear ? dayOfThisYear : day).formatRange(from, to)}
    </span>
  );
}

/** A moment to the second, UTC; `at` in milliseconds. */
export function Moment({ at }: { at: number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} dir="ltr">
      {second.format(date)}
    </time>
  );
}
