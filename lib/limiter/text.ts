/** Numbers and lengths of time as text. */

// Made once: making one takes longer than a hundred uses.
const thousandths = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const oneDigit = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const threeDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

const units: [number, string][] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
];

/** As "1,572" or "0.125". */
export function formatNumber(value: number): string {
  // A part of each rating, where the formatter takes longer than all other texts.
  return Number.isInteger(value) && value > 0 && value < 1_000 ? String(value) : thousandths.format(value);
}

/** As "1,572" or "0.1". */
export function formatTenths(value: number): string {
  return oneDigit.format(value);
}

/** As "1,570" or "0.0125". */
function formatRounded(value: number): string {
  return threeDigits.format(value);
}

/** A duration as "second", "0.8 seconds" or "30 minutes", to stand after "per". */
export function formatPeriod(durationMs: number): string {
  const whole = units.find(([unitMs]) => durationMs % unitMs === 0);
  const [unitMs, unit] = whole ?? [1_000, "second"];
  const count = durationMs / unitMs;
  return count === 1 ? unit : `${formatNumber(count)} ${unit}s`;
}

/** As "1 second" or "30 minutes". */
export function formatDuration(durationMs: number): string {
  const text = formatPeriod(durationMs);
  return /^\d/.test(text) ? text : `1 ${text}`;
}

/** About how long: "50 ms", "0.3 s", "85 s", "3.1 min", "2 h". */
export function formatShortDuration(durationMs: number): string {
  if (durationMs < 100) return `${formatRounded(durationMs)} ms`;
  if (durationMs < 120_000) return `${formatRounded(durationMs / 1_000)} s`;
  if (durationMs < 7_200_000) return `${formatRounded(durationMs / 60_000)} min`;
  return `${formatRounded(durationMs / 3_600_000)} h`;
}

/** As "10 a second" or "one every 2 minutes". */
export function formatRate(perSecond: number): string {
  return perSecond >= 1
    ? `${formatNumber(perSecond)} a second`
    : `one every ${formatPeriod(1_000 / perSecond)}`;
}
