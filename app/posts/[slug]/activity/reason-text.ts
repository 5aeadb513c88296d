import { shortDuration } from "@/app/_components/durations";
import { formatTenths } from "@/app/_components/format-number";
import type { Reason } from "@/lib/limiter";
import { decidedBy } from "@/lib/ratings/record-attempt";

/** What the limiter measured, in an author's words. */
export function reasonText(reason: Reason): string {
  if (reason.neverFits) return `a cost of ${reason.cost} can never fit a limit of ${reason.limit}`;
  switch (reason.algorithm) {
    case "leaky-bucket":
      return `bucket at ${formatTenths(reason.level)} of ${reason.capacity}, leaking ${reason.leakPerSecond} a second`;
    case "token-bucket":
      return `${formatTenths(reason.tokens)} of ${reason.capacity} tokens, ${reason.refillPerSecond} more a second`;
    case "fixed-window":
      return reason.timeZone === null
        ? `${formatTenths(reason.used)} of ${reason.limit} in this window of ${shortDuration(reason.windowMs)}`
        : `${formatTenths(reason.used)} of ${reason.limit} on this day (${reason.timeZone})`;
    case "sliding-log":
      return `${reason.used} of ${reason.limit} in the last ${shortDuration(reason.windowMs)}`;
    case "tiered":
      return (
        `${formatTenths(reason.usedToday)} on this day (${reason.timeZone}), ${reason.freePerDay} of them free` +
        (reason.beyond === null ? "" : `; then ${reasonText(reason.beyond.reason)}`)
      );
    case "ema":
      return reason.learning
        ? "still learning what is usual"
        : `Z ${formatTenths(reason.z)} of at most ${reason.threshold}: ` +
            `one every ${shortDuration(reason.recentGapMs)} of late, usually every ${shortDuration(reason.meanGapMs)}`;
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
