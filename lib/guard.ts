/**
 * One request under several policies, decided together: allowed when every policy allows it, and a request that
 * one of them refuses costs nothing in the others.
 *
 * It is synchronous and runs inside the caller's transaction, so what was decided and what it guards are saved
 * together or not at all.
 */
import type { Decision } from "./limiter/index.ts";
import type { Policy } from "./limits.ts";

/** Where the states are: the database's `limiterStates`, or anything else that can answer at once. */
export interface States {
  load(key: string, now: number): unknown;
  /** Without `expiresAt` the state is kept for good. */
  save(key: string, state: unknown, expiresAt: number | undefined, now: number): void;
  remove(key: string): void;
}

/** A policy and what it counts here: a post, a user, an address; undefined for a policy that is off. */
export type Check = readonly [policy: Policy | undefined, subject: string | number];

export interface PolicyDecision {
  policy: Policy["name"];
  decision: Decision;
}

export interface Verdict {
  /** The refusal to tell of, the one with the longest wait; undefined when the request is allowed. */
  refusal: PolicyDecision | undefined;
  /** What each policy that is on decided, in the order given. */
  decisions: PolicyDecision[];
}

/** Decides a request at `now` (milliseconds) and saves the states that follow. */
export function decide(states: States, checks: readonly Check[], now: number): Verdict {
  const steps = checks.flatMap(([policy, subject]) => {
    if (!policy) return [];
    const key = stateKey(policy, subject);
    return [{ policy: policy.name, key, step: policy.algorithm.step(states.load(key, now), now, 1) }];
  });
  const refused = steps.filter(({ step }) => !step.decision.allowed);
  for (const { key, step } of refused.length > 0 ? refused : steps)
    if (step.next !== undefined) states.save(key, step.next, step.expiresAt, now);
  const decisions = steps.map(({ policy, step }) => ({ policy, decision: step.decision }));
  const refusal = decisions
    .filter(({ decision }) => !decision.allowed)
    .toSorted((a, b) => b.decision.retryAfterMs - a.decision.retryAfterMs)[0];
  return { refusal, decisions };
}

/** Forgets what a policy has counted of a subject. */
export function forget(states: States, policy: Policy | undefined, subject: string | number): void {
  if (policy) states.remove(stateKey(policy, subject));
}

/** Where a policy's state for a subject is kept; another algorithm is another state. */
export function stateKey(policy: Policy, subject: string | number): string {
  return `${policy.name}:${policy.algorithm.name}:${subject}`;
}
