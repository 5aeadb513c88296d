/** What an algorithm measures, and where it refuses, in words: for the line beneath a chart. */
import type { Reason } from "@/lib/limiter";
import { formatNumber } from "./format-number";

export interface LevelWords {
  /** What is measured. */
  name: string;
  /** Where something changes, and in words what. */
  threshold: number;
  meaning: string;
  /** How high the scale reaches at least. */
  top: number;
  /** Of several that were measured, the one that came nearest to a refusal. */
  nearest: "lowest" | "highest";
}

/** What a line of levels is a line of; null when nothing is measured. */
export function levelWords(reason: Reason | null | undefined): LevelWords | null {
  if (!reason || reason.neverFits) return null;
  const upTo = (name: string, limit: number) => ({
    name,
    threshold: limit,
    meaning: `at most ${formatNumber(limit)}`,
    top: limit,
    nearest: "highest" as const,
  });
  switch (reason.algorithm) {
    case "leaky-bucket":
      return upTo("Level of the bucket", reason.capacity);
    case "token-bucket":
      return {
        name: "Tokens",
        threshold: 1,
        meaning: "too few below 1",
        top: reason.capacity,
        nearest: "lowest",
      };
    case "fixed-window":
      return upTo(reason.timeZone === null ? "Counted in the window" : "Counted on the day", reason.limit);
    case "sliding-log":
      return upTo("Counted in the log", reason.limit);
    case "tiered": {
      const { freePerDay } = reason;
      return {
        name: "Counted on the day",
        threshold: freePerDay,
        meaning: `${formatNumber(freePerDay)} are free`,
        top: freePerDay,
        nearest: "highest",
      };
    }
    case "ema": {
      const { threshold } = reason;
      return {
        name: "Z",
        threshold,
        meaning: `too fast above ${formatNumber(threshold)}`,
        top: threshold,
        nearest: "highest",
      };
    }
  }
}
