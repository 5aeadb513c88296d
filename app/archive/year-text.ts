import { formatter } from "@/lib/i18n";

/** A year of the Gregorian calendar in the reader's digits. */
export function yearText(year: number): string {
  return formatter().number(year, { useGrouping: false });
}
