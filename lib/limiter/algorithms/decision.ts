import type { LimitReason, NeverFitsReason, Reason } from "../reasons.ts";
import type { Decision } from "../types.ts";

/**
 * Makes the decisions of all algorithms.
 * One object literal gives them one shape, so code that reads them stays monomorphic.
 */
export function decisionOf<R extends LimitReason>(
  allowed: boolean,
  limit: number | null,
  remaining: number | null,
  retryAfterMs: number,
  resetAfterMs: number,
  reason: Reason<R>,
): Decision<R> {
  return { allowed, limit, remaining, retryAfterMs, resetAfterMs, reason };
}

/** A refusal of a cost above the most that the limit can hold. */
export function neverFits<R extends LimitReason>(
  algorithm: string,
  limit: number | null,
  remaining: number | null,
  resetAfterMs: number,
  { cost, most, windowMs }: { cost: number; most: number; windowMs: number },
): Decision<R> {
  const reason: NeverFitsReason = { algorithm, neverFits: true, cost, limit: most, windowMs };
  return decisionOf<R>(false, limit, remaining, 0, resetAfterMs, reason);
}

// V8 stores fields that have held only small integers as such, and changes the shape at the first larger number or
// fraction. When that comes after its optimizing compiler has seen the literal, it discards its work and begins anew
// without end ("Maps became deprecated during optimization"): a decision takes twice as long, for good. Fields that
// have held null and a number take any value.
for (const first of [null, null, 0, 0.5])
  Reflect.apply(decisionOf, undefined, [true, first, first, first, first, {}]);
