/** Types and texts shared by the parts of a timeline. */
import { formatNumber } from "@/lib/limiter/text";
import type { WindowStatus } from "@/lib/ratings/floods/flood-window";
import { type Counts, scoreFrom } from "@/lib/ratings/score/score";
import type { TimelineSpans } from "./spans";

/** A flood window as the timeline shows it. */
export interface TimelineWindow {
  number: number;
  /** In milliseconds; `to` is null while the window is open. */
  from: number;
  to: number | null;
  status: WindowStatus;
  /** The number of its ratings. */
  count: number;
}

export interface PartProps {
  timeline: TimelineSpans;
  /** In order of `from`. */
  windows: readonly (TimelineWindow & { to: number })[];
}

export const longMonth = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
export const shortMonth = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });

export function windowText({ number, count, status }: TimelineWindow): string {
  return `Flood ${number}: ${formatNumber(count)} ${status}`;
}

export function countOf({ counts }: { counts: Counts }): number {
  return scoreFrom(counts).count;
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
