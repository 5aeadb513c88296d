import type { Reason } from "@/lib/limiter";
import { decidedBy } from "@/lib/ratings/record-attempt";

/** What the limiter measured, in an author's words. */
export function reasonText(reason: Reason): string {
  if (reason.neverFits) return `a cost of ${reason.cost} can never fit a limit of ${reason.limit}`;
  switch (reason.algorithm) {
    case "leaky-bucket":
      return `bucket at ${tenths(reason.level)} of ${reason.capacity}, leaking ${reason.leakPerSecond} a second`;
    case "token-bucket":
      return `${tenths(reason.tokens)} of ${reason.capacity} tokens, ${reason.refillPerSecond} more a second`;
    case "fixed-window":
      return reason.timeZone === null
        ? `${tenths(reason.used)} of ${reason.limit} in this window of ${gapText(reason.windowMs)}`
        : `${tenths(reason.used)} of ${reason.limit} on this day (${reason.timeZone})`;
    case "sliding-log":
      return `${reason.used} of ${reason.limit} in the last ${gapText(reason.windowMs)}`;
    case "tiered":
      return (
        `${tenths(reason.usedToday)} on this day (${reason.timeZone}), ${reason.freePerDay} of them free` +
        (reason.beyond === null ? "" : `; then ${reasonText(reason.beyond.reason)}`)
      );
    case "ema":
      return reason.learning
        ? "still learning what is usual"
        : `Z ${tenths(reason.z)}, refused above ${reason.threshold}: ` +
            `one every ${gapText(reason.recentGapMs)} of late, usually every ${gapText(reason.meanGapMs)}`;
  }
}

/** Why no limit has decided, given what stands in the policy's place. */
export function ruleText(policy: string | null): string {
  switch (policy) {
    case decidedBy.accessRules:
      return "by an access rule; no limit was asked";
    case decidedBy.outage:
      return "the limiter's states could not be had";
    default:
      return "no limit is set";
  }
}

/** What the measured level is a level of, for the chart's line; null when nothing is measured. */
export function levelName(reason: Reason | null | undefined): { name: string; limit: number } | null {
  if (!reason || reason.neverFits) return null;
  switch (reason.algorithm) {
    case "leaky-bucket":
      return { name: "Level of the bucket", limit: reason.capacity };
    case "token-bucket":
      return { name: "Tokens in the bucket", limit: reason.capacity };
    case "fixed-window":
      return { name: "Counted in the window", limit: reason.limit };
    case "sliding-log":
      return { name: "Counted in the log", limit: reason.limit };
    case "tiered":
      return { name: "Counted on the day", limit: reason.freePerDay };
    case "ema":
      return { name: "Z: how many deviations too fast", limit: reason.threshold };
  }
}

export function tenths(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}

function gapText(gapMs: number): string {
  if (gapMs < 1_000) return `${Math.round(gapMs)} ms`;
  if (gapMs < 120_000) return `${tenths(gapMs / 1_000)} s`;
  if (gapMs < 7_200_000) return `${tenths(gapMs / 60_000)} min`;
  return `${tenths(gapMs / 3_600_000)} h`;
}
