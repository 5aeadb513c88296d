/** What the parts of a timeline share. */
import { formatNumber } from "@/app/_components/format-number";
import { type Counts, scoreFrom } from "@/lib/ratings/score";
import type { TimelineSpans } from "./spans";

export interface FloodWindow {
  number: number;
  /** In milliseconds; `to` is null while it is open. */
  from: number;
  to: number | null;
  status: "held" | "counted" | "excluded";
  /** How many ratings came in it. */
  count: number;
}

export interface PartProps {
  timeline: TimelineSpans;
  /** In order, each with its end. */
  windows: readonly (FloodWindow & { to: number })[];
}

export const longMonth = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
export const shortMonth = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });

export function windowText({ number, count, status }: FloodWindow): string {
  return `Window ${number}: ${formatNumber(count)} ${status}`;
}

export function countOf({ counts }: { counts: Counts }): number {
  return scoreFrom(counts).count;
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
