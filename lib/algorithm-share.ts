/** A limit's share: what one of several processes goes by when it has to decide by itself. */
import type { AlgorithmParameters } from "./algorithms.ts";

type SimpleParameters = Exclude<AlgorithmParameters, { algorithm: "tiered" }>;

/**
 * What stands in for an algorithm in one process by itself: its limit and rate at a share (above 0, up to 1), and at
 * least one request, since less would let nothing through. An ema has no limit to share: it learns anew.
 */
export function atShare(parameters: AlgorithmParameters, share: number): AlgorithmParameters {
  if (parameters.algorithm !== "tiered") return simpleAtShare(parameters, share);
  const { freePerDay, beyond } = parameters;
  return {
    ...parameters,
    freePerDay: Math.floor(shareOf(freePerDay, share)),
    beyond: simpleAtShare(beyond, share),
  };
}

function simpleAtShare(parameters: SimpleParameters, share: number): SimpleParameters {
  switch (parameters.algorithm) {
    case "leaky-bucket": {
      const { algorithm, capacity, leakPerSecond } = parameters;
      return { algorithm, capacity: shareOf(capacity, share), leakPerSecond: leakPerSecond * share };
    }
    case "token-bucket": {
      const { algorithm, capacity, refillPerSecond } = parameters;
      return { algorithm, capacity: shareOf(capacity, share), refillPerSecond: refillPerSecond * share };
    }
    case "fixed-window":
      return { ...parameters, limit: shareOf(parameters.limit, share) };
    case "sliding-log":
      return { ...parameters, limit: Math.floor(shareOf(parameters.limit, share)) };
    case "ema":
      return parameters;
  }
}

function shareOf(limit: number, share: number): number {
  return Math.min(limit, Math.max(1, limit * share));
}
