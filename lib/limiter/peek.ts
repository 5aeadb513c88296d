import type { Algorithm, Decision } from "./types.ts";

/** The decision that a request would get, with the quota that is free before it. */
export function peekAt<S>(
  algorithm: Algorithm<S>,
  state: S | undefined,
  now: number,
  cost: number,
): Decision {
  if (algorithm.peek) return algorithm.peek(state, now, cost);
  const { decision } = algorithm.step(state, now, cost);
  if (!decision.allowed || algorithm.limit === null) return decision;
  // A cost above the limit is refused, and a refusal counts nothing.
  const { remaining, resetAfterMs } = algorithm.step(state, now, Math.floor(algorithm.limit) + 1).decision;
  return { ...decision, remaining, resetAfterMs };
}
