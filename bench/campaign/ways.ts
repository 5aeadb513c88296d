/**
 * This project's way of scoring, and those that it is compared with.
 * Only the first is judged.
 */
import { plainMean, scoreAverage, weightedMean } from "./means.ts";
import { originalAverage, originalLeakyBucket } from "./original-limiters.ts";
import type { Way } from "./public-score.ts";
import { settledAlone } from "./settled-alone.ts";
import weir from "./weir.ts";

export const ours: Way = weir;

export const others: readonly Way[] = [
  settledAlone,
  plainMean,
  originalLeakyBucket,
  originalAverage,
  weightedMean,
  scoreAverage,
];
