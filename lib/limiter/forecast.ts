/** How long a queue takes, from the state that its requests are decided on. */
import type { Algorithm, Decision } from "./types.ts";

/** The end of a queue: the state when all in it have passed, and that time. */
export type QueueEnd<S> = { state: S | undefined; at: number };

/** The forecast for a request that must wait behind others. */
export type QueueForecast<S = unknown> = {
  /** The decision without them, refused, with the time until the request passes. */
  decision: Decision;
  /**
   * The queue's end before the request, and the forecast's time.
   * Undefined when unknown.
   */
  ahead: { end: QueueEnd<S>; now: number } | undefined;
};

/**
 * Forecasts a queue by one step for each queued cost.
 * `endAfter` continues from a known end of the queue.
 */
export function forecastOf<S>(
  algorithm: Algorithm<S>,
  saved: S | undefined,
  now: number,
  queuedCosts: readonly number[],
  cost: number,
): QueueForecast<S> {
  const { decision } = algorithm.step(saved, now, cost);
  const refused = { ...decision, allowed: false };
  let end: QueueEnd<S> | undefined = { state: saved, at: now };
  for (const each of queuedCosts) end &&= endAfter(algorithm, end, each);
  const own = end && endAfter(algorithm, end, cost);
  if (!end || !own) return { decision: refused, ahead: undefined };
  return { decision: { ...refused, retryAfterMs: own.at - now }, ahead: { end, now } };
}

/**
 * The end of a queue when one more has joined it.
 * Undefined when its cost can never fit.
 */
export function endAfter<S>(
  algorithm: Algorithm<S>,
  { state, at }: QueueEnd<S>,
  cost: number,
): QueueEnd<S> | undefined {
  const { decision, next = state } = algorithm.step(state, at, cost);
  if (decision.reason.neverFits) return undefined;
  if (decision.allowed) return { state: next, at };
  const passesAt = at + decision.retryAfterMs;
  return { state: algorithm.step(next, passesAt, cost).next ?? next, at: passesAt };
}
