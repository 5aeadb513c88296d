import { SettingError } from "../settings.ts";

/**
 * The calendar days of a time zone, as half-open intervals of instants.
 *
 * A day begins at the first instant that the zone's clocks show its date, which is not always midnight: where clocks jump
 * from 23:59 to 1:00 it begins at 1:00. Days last 23 to 25 hours around daylight saving; a date that a zone left out
 * (Samoa, 30 December 2011) is a day of no length. The zone's rules come from the runtime (Intl).
 */
type CalendarDay = { startsAt: number; endsAt: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// No zone is further than this from UTC.
const FURTHEST_MS = 15 * HOUR_MS;

/**
 * A function from an instant (milliseconds since 1970 in UTC) to its day.
 *
 * The last day is cached: a call within it costs two comparisons, any other some fifty calls of Intl.
 *
 * @throws RangeError naming `owner` when the runtime does not know the zone
 */
export function calendarDays(owner: string, timeZone: string): (instant: number) => CalendarDay {
  const dateNumber = dateReader(owner, timeZone);
  let day: CalendarDay = { startsAt: 0, endsAt: 0 };

  return (instant) => {
    if (instant < day.startsAt || instant >= day.endsAt) day = dayAround(instant, dateNumber);
    return day;
  };
}

function dayAround(instant: number, dateNumber: (instant: number) => number): CalendarDay {
  let date = dateNumber(instant);
  // Where clocks were once set back across midnight a date is shown twice; an instant belongs to the day that has begun.
  while (startOf(date + 1, dateNumber) <= instant) date += 1;
  while (startOf(date, dateNumber) > instant) date -= 1;
  return { startsAt: startOf(date, dateNumber), endsAt: startOf(date + 1, dateNumber) };
}

/** The first millisecond of this date or a later one in the zone, by bisection. */
function startOf(date: number, dateNumber: (instant: number) => number): number {
  let before = date * DAY_MS - FURTHEST_MS;
  let reached = date * DAY_MS + FURTHEST_MS;
  // A zone that has skipped a whole date shows the next one sooner than its offset lets expect.
  while (dateNumber(before) >= date) before -= DAY_MS;
  while (dateNumber(reached) < date) reached += DAY_MS;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dateNumber(middle) >= date) reached = middle;
    else before = middle;
  }
  return reached;
}

/** The zone's date at an instant, as a number of days since 1970. */
function dateReader(owner: string, timeZone: string): (instant: number) => number {
  const format = formatFor(owner, timeZone);
  return (instant) => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
    const { year = Number.NaN, month = Number.NaN, day = Number.NaN } = parts;
    return Date.UTC(year, month - 1, day) / DAY_MS;
  };
}

function formatFor(owner: string, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
      timeZone,
      year: "numeric",
      month: "numeric",
      day: "numeric",
    });
  } catch (cause) {
    throw new SettingError(
      `${owner}: timeZone`,
      { kind: "time-zone" },
      `"${timeZone}" is not known here: give a name such as "Europe/Berlin" or "UTC"`,
      { cause },
    );
  }
}
