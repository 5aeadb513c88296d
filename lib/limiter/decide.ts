/**
 * The decision about one request under several policies.
 * A pure function of their states, the time and the cost.
 */
import { peekAt } from "./peek.ts";
import type { Policy } from "./policy.ts";
import type { Algorithm, Decision, ManyUpdate, StateChange, Step } from "./types.ts";

/** A policy to check for a request; its mode is not "off". */
export interface PolicyCheck<P extends Policy = Policy> {
  policy: P;
  /** The key of its state. */
  key: string;
  /** The counted subject. A shadow stands in for the policies with the same one. */
  counts: string;
}

export type Checked<C extends PolicyCheck> = C & { decision: Decision };

/** The decision on a request, from those of its policies. */
export interface RequestDecision<C extends PolicyCheck> {
  /**
   * The refusal for which the request waits.
   * It would pass within `waitableMs`, so nothing is decided yet.
   */
  waitsFor: Checked<C> | undefined;
  /** The policy that refuses; of several, the one with the longest wait. */
  refusal: Checked<C> | undefined;
  /** A policy that refuses because its state is unavailable. */
  unavailable: C | undefined;
  /** Whether a policy not in shadow has neither its state nor a fallback. */
  outage: boolean;
  /**
   * The first policy in mode hold that is over its limit.
   * Undefined when the request is refused.
   */
  heldBy: Checked<C> | undefined;
  /** The decisions of policies in mode enforce and, if allowed, hold. */
  decisions: readonly Checked<C>[];
  /** The decisions of the policies in shadow that see this request. */
  shadows: readonly Checked<C>[];
  /** Where the request is counted now. */
  counted: readonly C[];
  /** The store's time of the decision; 0 when no state was read. */
  at: number;
}

export interface DecideSettings<C extends PolicyCheck> {
  /**
   * The longest wait that a request accepts, in milliseconds. Default: no wait.
   * A refusal that would pass within it changes nothing, and the request waits.
   */
  waitableMs?: number | undefined;
  /** A refusal that is known already: only shadows are checked. */
  refusal?: Checked<C> | undefined;
  /** The algorithm of a policy. Default: its own. */
  algorithmOf?: (policy: C["policy"]) => Algorithm<unknown>;
  /** Changes nothing, and the decisions contain the free quota. */
  isPeek?: boolean | undefined;
}

/**
 * Decides all or nothing: allowed when all policies in mode enforce allow it.
 * The request is then counted in them and in those in mode hold. Otherwise only the states of the refusing ones change.
 * A policy in shadow sees the requests that the other policies let through, and those refused only by policies that
 * count the same as it does.
 */
export function decide<C extends PolicyCheck>(
  checks: readonly C[],
  states: readonly unknown[],
  now: number,
  cost: number,
  { waitableMs, refusal: known, algorithmOf = ownAlgorithm, isPeek }: DecideSettings<C> = {},
): ManyUpdate<unknown, RequestDecision<C>> {
  const steps: Step<unknown>[] = [];
  const checked: Checked<C>[] = [];
  const refusers: Checked<C>[] = known ? [known] : [];
  for (const [index, check] of checks.entries()) {
    const algorithm = algorithmOf(check.policy);
    const step: Step<unknown> = isPeek
      ? { decision: peekAt(algorithm, states[index], now, cost) }
      : algorithm.step(states[index], now, cost);
    const each = { ...check, decision: step.decision };
    steps.push(step);
    checked.push(each);
    if (isEnforced(check) && !step.decision.allowed) refusers.push(each);
  }
  const refusal = longest(refusers);
  if (refusal && !known && waitableMs !== undefined && isWaitable(refusal.decision, waitableMs))
    return { result: { ...nothingDecided, waitsFor: refusal, at: now }, changes: [] };

  const enforced: Checked<C>[] = [];
  const holding: Checked<C>[] = [];
  const shadows: Checked<C>[] = [];
  const counted: C[] = [];
  const changes: (StateChange<unknown> | undefined)[] = [];
  for (const [index, each] of checked.entries()) {
    const { policy, decision } = each;
    const isIn = policy.mode === "shadow" ? refusers.every(({ counts }) => counts === each.counts) : !refusal;
    if (policy.mode === "enforce") enforced.push(each);
    else if (isIn) (policy.mode === "hold" ? holding : shadows).push(each);
    if (isIn && decision.allowed) counted.push(each);
    changes.push(isIn || refusers.includes(each) ? steps[index] : undefined);
  }
  const result: RequestDecision<C> = {
    waitsFor: undefined,
    refusal,
    unavailable: undefined,
    outage: false,
    heldBy: holding.find(({ decision }) => !decision.allowed),
    decisions: known ? [known] : holding.length > 0 ? [...enforced, ...holding] : enforced,
    shadows,
    counted,
    at: now,
  };
  return { result, changes };
}

/** The refusal with the longest wait, the first of equals. */
function longest<C extends PolicyCheck>(refusals: readonly Checked<C>[]): Checked<C> | undefined {
  let [found] = refusals;
  for (const each of refusals) if (found && waitOf(each.decision) > waitOf(found.decision)) found = each;
  return found;
}

/** The decision where there is nothing to check. */
export const nothingDecided = {
  waitsFor: undefined,
  refusal: undefined,
  unavailable: undefined,
  outage: false,
  heldBy: undefined,
  decisions: [],
  shadows: [],
  counted: [],
  at: 0,
} satisfies RequestDecision<PolicyCheck>;

export function isEnforced({ policy }: PolicyCheck): boolean {
  return policy.mode === "enforce";
}

/** Whether the same request would pass within this many milliseconds. */
export function isWaitable({ reason, retryAfterMs }: Decision, withinMs: number): boolean {
  return !reason.neverFits && retryAfterMs <= withinMs;
}

function waitOf({ reason, retryAfterMs }: Decision): number {
  return reason.neverFits ? Number.POSITIVE_INFINITY : retryAfterMs;
}

function ownAlgorithm({ algorithm }: Policy): Algorithm<unknown> {
  return algorithm;
}
