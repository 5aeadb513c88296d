/**
 * This project's scoring method, and those that it is compared with.
 * Only the first is judged.
 */
import { plainMean, scoreAverage, weightedMean } from "./means.ts";
import { originalAverage, originalLeakyBucket } from "./original-limiters.ts";
import type { ScoringMethod } from "./public-score.ts";
import { settledAlone } from "./settled-alone.ts";
import weir from "./weir.ts";

export const ours: ScoringMethod = weir;

export const others: readonly ScoringMethod[] = [
  settledAlone,
  plainMean,
  originalLeakyBucket,
  originalAverage,
  weightedMean,
  scoreAverage,
];
