/** Each algorithm with a limit of 5, for tests that hold for all of them. */
import type { Algorithm } from "../types.ts";
import {
  ema,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingLog,
  slidingWindowCounter,
  tiered,
  tokenBucket,
} from "./registry.ts";

export const algorithmExamples: readonly { name: string; algorithm: Algorithm<unknown> }[] = [
  leakyBucket({ capacity: 5, leakPerSecond: 1 }),
  tokenBucket({ capacity: 5, refillPerSecond: 1 }),
  gcra({ capacity: 5, ratePerSecond: 1 }),
  fixedWindow({ limit: 5, windowMs: 1_000 }),
  slidingLog({ limit: 5, windowMs: 1_000 }),
  slidingWindowCounter({ limit: 5, windowMs: 1_000 }),
  tiered({ freePerDay: 2, beyond: slidingLog({ limit: 3, windowMs: 1_000 }) }),
  ema(),
].map((algorithm) => ({ name: algorithm.name, algorithm }));
