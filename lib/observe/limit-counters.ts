/** In-memory counters of each policy's decisions per hour, until they are saved. */
import type { LimitCounts } from "../../db/index.ts";
import { hourMs } from "../time/units.ts";

/** A policy's decision; for a policy in shadow, the one that it would have made. */
export type CountedDecision = "allowed" | "refused" | "held" | "shadowWouldRefuse";

export type LimitCounters = ReturnType<typeof createLimitCounters>;

export function createLimitCounters() {
  let counters = new Map<string, LimitCounts>();
  return {
    /** Counts a decision made at `at` (milliseconds). */
    count(policy: string, decision: CountedDecision, at: number): void {
      const hour = Math.floor(at / hourMs);
      const key = `${hour} ${policy}`;
      const counter = counters.get(key) ?? noCounts(policy, hour);
      counter[decision] += 1;
      counters.set(key, counter);
    },
    /** Returns the counts since the last call, and starts again from zero. */
    take(): LimitCounts[] {
      const taken = [...counters.values()];
      counters = new Map();
      return taken;
    },
  };
}

export function noCounts(policy: string, hour: number): LimitCounts {
  return { policy, hour, allowed: 0, refused: 0, held: 0, shadowWouldRefuse: 0 };
}

// On the global object, because Next.js may load this module more than once per process.
const shared: { weirLimitCounters?: LimitCounters } & typeof globalThis = globalThis;

/** The counters of this process. */
export function limitCounters(): LimitCounters {
  shared.weirLimitCounters ??= createLimitCounters();
  return shared.weirLimitCounters;
}
