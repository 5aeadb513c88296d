/** The data of a chart of a score through time. */
import type { WindowStatus } from "@/lib/ratings/floods/flood-window";

/** A line of stars over time; null where there are none yet. */
export interface ChartLine {
  look: "score" | "average" | "limited";
  name: string;
  points: readonly { at: number; stars: number | null }[];
}

/** The ratings of a span of time, and a row of the table. */
export interface ChartBar {
  from: number;
  to: number;
  /** The span in words. */
  name: string;
  count: number;
  /** How many of them came in a flood. */
  flooded: number;
}

export interface ChartFlood {
  from: number;
  to: number;
  status: WindowStatus;
  /** Its labels, the best one first; a shorter one is taken where there is no room. */
  texts: readonly string[];
}

export interface Tick {
  at: number;
  text: string;
}
