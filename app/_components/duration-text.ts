import { formatter } from "@/lib/i18n";

const units: readonly [name: string, unitMs: number][] = [
  ["year", 365.25 * 86_400_000],
  ["month", (365.25 / 12) * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

/** About how long, as "4 minutes": in the largest unit that fits, rounded. */
export function durationText(durationMs: number): string {
  const [unit, unitMs] =
    units.find(([, unitMs]) => durationMs >= 1.5 * unitMs) ?? (["second", 1_000] as const);
  const count = Math.max(1, Math.round(durationMs / unitMs));
  return formatter().number(count, { style: "unit", unit, unitDisplay: "long" });
}
