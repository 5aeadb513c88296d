/** About how long, in one unit: "20 seconds", "4 minutes", "3 months". */
import { conventions, type Locale } from "../i18n/locale.ts";

const secondMs = 1_000;
const dayMs = 86_400 * secondMs;

/** The units, each for durations below `below` of it. */
const units = [
  { unit: "second", ms: secondMs, below: 90 },
  { unit: "minute", ms: 60 * secondMs, below: 90 },
  { unit: "hour", ms: 3_600 * secondMs, below: 36 },
  { unit: "day", ms: dayMs, below: 45 },
  { unit: "month", ms: (365.25 / 12) * dayMs, below: 18 },
] as const;

export function roughDuration(durationMs: number, locale: Locale): string {
  const { unit, ms } = units.find(({ ms, below }) => Math.round(durationMs / ms) < below) ?? {
    unit: "year",
    ms: 365.25 * dayMs,
  };
  const count = Math.max(1, Math.round(durationMs / ms));
  return count.toLocaleString(conventions[locale], { style: "unit", unit, unitDisplay: "long" });
}
