import type { DateTimeFormatOptions } from "use-intl/core";
import { formatter } from "@/lib/i18n";
import { directionOf } from "@/lib/i18n/locale";
import { currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

const dayOfYear: DateTimeFormatOptions = { day: "numeric", month: "long" };
const day: DateTimeFormatOptions = { ...dayOfYear, year: "numeric" };
const shortDayOfYear: DateTimeFormatOptions = { day: "numeric", month: "short" };
const shortDay: DateTimeFormatOptions = { ...shortDayOfYear, year: "numeric" };
const timeOfDay: DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };

/**
 * A date as "12 October 2026".
 * `at` in milliseconds. UTC, so that it is the same for all readers.
 */
export function Day({ at }: { at: number }) {
  return <Time at={at} options={day} />;
}

/**
 * The format of a date as "12 Oct", for lists.
 * With the year if it is not that of `now` (milliseconds).
 */
export function shortDayOptions(at: number, now: number): DateTimeFormatOptions {
  return isSameYear(at, now) ? shortDayOfYear : shortDay;
}

/**
 * Days as "12 October" or "12–14 October".
 * With the year if it is not that of `now` (milliseconds).
 */
export function Days({ from, to, now }: { from: number; to: number; now: number }) {
  return (
    <span dir={directionOf(currentLocale())} className="whitespace-nowrap">
      {formatter().dateTimeRange(new Date(from), new Date(to), isSameYear(from, now) ? dayOfYear : day)}
    </span>
  );
}

/**
 * A moment as "12 Oct, 09:05", UTC; `at` in milliseconds.
 * With the year if it is not this one.
 */
export function Moment({ at }: { at: number }) {
  const options = { ...shortDayOptions(at, currentTime()), ...timeOfDay };
  return <Time at={at} options={options} />;
}

/** The same to the second, for lists of events that are seconds apart. */
export function Second({ at }: { at: number }) {
  const options: DateTimeFormatOptions = {
    ...shortDayOptions(at, currentTime()),
    ...timeOfDay,
    second: "2-digit",
  };
  return <Time at={at} options={options} />;
}

const minute: DateTimeFormatOptions = { ...day, ...timeOfDay, timeZoneName: "short" };

/** A moment to the minute with its time zone, UTC; `at` in milliseconds. */
export function Minute({ at }: { at: number }) {
  return <Time at={at} options={minute} />;
}

interface TimeProps {
  at: number;
  options: DateTimeFormatOptions;
}

/** Isolated from the text around it, which may be written in the other direction. */
function Time({ at, options }: TimeProps) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} dir={directionOf(currentLocale())}>
      {formatter().dateTime(date, options)}
    </time>
  );
}

/** Whether both are in one year of the reader's calendar. */
function isSameYear(one: number, other: number): boolean {
  const year = (at: number) => formatter().dateTime(new Date(at), { year: "numeric" });
  return year(one) === year(other);
}
