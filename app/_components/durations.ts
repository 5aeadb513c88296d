/** Lengths of time in words. */
import { formatNumber, formatRounded } from "./format-number";

const units: [number, string][] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
];

/** As "second", "0.8 seconds" or "30 minutes": what stands after "per". */
export function durationText(durationMs: number): string {
  const whole = units.find(([unitMs]) => durationMs % unitMs === 0);
  const [unitMs, unit] = whole ?? [1_000, "second"];
  const count = durationMs / unitMs;
  return count === 1 ? unit : `${formatNumber(count)} ${unit}s`;
}

/** About how long, as people say it: "50 ms", "0.3 s", "85 s", "3.1 min", "2 h". */
export function shortDuration(durationMs: number): string {
  if (durationMs < 100) return `${formatRounded(durationMs)} ms`;
  if (durationMs < 120_000) return `${formatRounded(durationMs / 1_000)} s`;
  if (durationMs < 7_200_000) return `${formatRounded(durationMs / 60_000)} min`;
  return `${formatRounded(durationMs / 3_600_000)} h`;
}
