/**
 * Durations in settings, converted to whole milliseconds here and nowhere else.
 * In settings they are numbers of seconds, hours or days.
 */
import { z } from "zod";
import { dayMs, hourMs, secondMs } from "../time/units.ts";

const unitsMs = { seconds: secondMs, hours: hourMs, days: dayMs } as const;
type DurationUnit = keyof typeof unitsMs;

/**
 * The longest duration of any setting: a hundred years.
 * So times stay far within the range of a bigint and of a Date.
 */
export const longestMs = 36_500 * unitsMs.days;

/** Converts to milliseconds, rounded: columns of times are whole numbers. */
export function durationMs(value: number, unit: DurationUnit): number {
  return Math.round(value * unitsMs[unit]);
}

/**
 * The schema of a duration from a millisecond to `longestMs`.
 * With `orZero`, 0 is allowed too.
 */
export function durationSchema(unit: DurationUnit, { orZero = false } = {}) {
  const fault = orZero ? "must be a number from 0 on" : "must be a number above 0";
  const longest = longestMs / unitsMs[unit];
  return z.coerce
    .number(fault)
    .refine((value) => value > 0 || (orZero && value === 0), fault)
    .refine(
      (value) => value <= 0 || durationMs(value, unit) >= 1,
      "must be at least a thousandth of a second",
    )
    .max(longest, `must be at most ${longest} ${unit}, a hundred years`);
}
