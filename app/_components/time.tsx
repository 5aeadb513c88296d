const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const second = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: "UTC",
});

/** A date as "12 October 2026"; `at` in milliseconds. Dates are UTC, so that everybody reads the same one. */
export function Day({ at }: { at: number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} dir="ltr">
      {day.format(date)}
    </time>
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
