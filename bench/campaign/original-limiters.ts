/**
 * The two limiters that this project grew from, faults included.
 * Each stands before a plain mean: a new rating over the limit is refused and lost, and a changed one passes by the
 * limiter. One fault is corrected: a changed rating moves the mean. There the mean was left as it was, which would look
 * like a strength here.
 */
import { Ledger, scoreGiven } from "./ledger.ts";
import type { ScoringMethod } from "./public-score.ts";

/** Whether a new rating passes; counts the attempt. */
type Admission = (at: number) => boolean;

export const originalLeakyBucket: ScoringMethod = limitedMean("original leaky bucket", leakyBucket);
export const originalAverage: ScoringMethod = limitedMean("original EMA", averageOfGaps);

function limitedMean(name: string, makeLimiter: () => Admission): ScoringMethod {
  return {
    name,
    make() {
      const ledger = new Ledger();
      const passes = makeLimiter();
      return {
        rate(at, score, userId) {
          if (!ledger.knows(userId) && !passes(at)) return "refused";
          ledger.put(userId, scoreGiven(score));
          return "counted";
        },
        withdraw: (_at, userId) => ledger.put(userId, null),
        score: () => ledger.average,
      };
    },
  };
}

/**
 * Holds 20 and drains 10 a second, by a clock of whole seconds.
 * Around the end of a second, 30 therefore pass within 10 ms.
 */
export function leakyBucket(): Admission {
  const capacity = 20;
  const leakPerSecond = 10;
  let level = 0;
  let drainedAt = 0;
  return (at) => {
    const second = Math.floor(at / 1_000);
    level = Math.max(0, level - (second - drainedAt) * leakPerSecond);
    drainedAt = second;
    const passes = level + 1 <= capacity;
    level = Math.min(capacity, level + 1);
    return passes;
  };
}

/**
 * Compares each gap, in whole seconds, with the mean of all gaps so far.
 * The difference is measured in their deviations. A single gap is never below 0, so after arrivals at random, whose
 * deviation is as large as their mean, no gap reaches any threshold above 1. It learns from refused requests as well:
 * three of a flood are refused at this threshold, and then the flood is usual.
 */
export function averageOfGaps(): Admission {
  const threshold = 2.5;
  let last: number | null = null;
  let gaps = 0;
  let mean = 0;
  let squares = 0;
  return (at) => {
    const second = Math.floor(at / 1_000);
    if (last === null) {
      last = second;
      return true;
    }
    const gap = second - last;
    last = second;
    const deviation = Math.sqrt(squares / Math.max(1, gaps));
    const isOutlier = gaps > 0 && gap < mean && mean - gap > threshold * deviation;
    gaps += 1;
    const beyond = gap - mean;
    mean += beyond / gaps;
    squares += beyond * (gap - mean);
    return !isOutlier;
  };
}
