import { formatter } from "@/lib/i18n";
import { currentLocale } from "@/lib/request/current-request";

/** A number of bytes as "240 kB" or "1.5 MB"; in Persian with the units as words. */
export function sizeText(bytes: number): string {
  const style = { style: "unit", unitDisplay: currentLocale() === "fa" ? "long" : "short" } as const;
  const kilobytes = bytes / 1024;
  return kilobytes < 1_000
    ? formatter().number(Math.ceil(kilobytes), { ...style, unit: "kilobyte" })
    : formatter().number(kilobytes / 1024, { ...style, unit: "megabyte", maximumFractionDigits: 1 });
}
