/** How often each policy decided what, hour by hour, until somebody takes it to write it down. */
import type { LimitCounts } from "../../db/index.ts";

export const hourMs = 3_600_000;

/** What a policy decided; one in shadow, what it would have. */
export type Decided = "allowed" | "refused" | "held" | "shadowWouldRefuse";

export type LimitTally = ReturnType<typeof createLimitTally>;

export function createLimitTally() {
  let counts = new Map<string, LimitCounts>();
  return {
    /** Counts a decision on a request of an instant (milliseconds). */
    count(policy: string, decided: Decided, at: number): void {
      const hour = Math.floor(at / hourMs);
      const key = `${hour} ${policy}`;
      const counted = counts.get(key) ?? noCounts(policy, hour);
      counted[decided] += 1;
      counts.set(key, counted);
    },
    /** What was counted since the last time that it was taken. */
    take(): LimitCounts[] {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
  };
}

export function noCounts(policy: string, hour: number): LimitCounts {
  return { policy, hour, allowed: 0, refused: 0, held: 0, shadowWouldRefuse: 0 };
}

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirLimitTally?: LimitTally } & typeof globalThis = globalThis;

/** The one of this process. */
export function limitTally(): LimitTally {
  kept.weirLimitTally ??= createLimitTally();
  return kept.weirLimitTally;
}
