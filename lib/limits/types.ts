/** The guard's requests and its answers. */
import type { Decision, PolicyCheck, RequestDecision } from "../limiter/index.ts";
import type { Client } from "./access-rules.ts";
import type { PolicyName } from "./default-limits.ts";
import type { Limit } from "./index.ts";

/** Policies and their subjects: a post, a user, an address. */
export type SubjectCheck = readonly [policies: readonly Limit[], subject: string | number];

export interface PolicyDecision {
  /** The policy's name. */
  policy: string;
  counts: PolicyName;
  decision: Decision;
}

/** The limiter's decision, with the checks that counted the request. */
export type LimiterDecision = RequestDecision<PolicyCheck<Limit>>;

/** Why a request does not happen, as an outcome. */
export type Refused =
  | { kind: "limited"; refusal: PolicyDecision }
  /**
   * Denied by an access rule, or because of the account's state.
   * It waits for approval, or its address is not confirmed. Waiting does not help.
   */
  | { kind: "denied"; isPending?: true; isUnconfirmed?: true }
  /** The states of the policies, or the database, are unavailable. */
  | { kind: "unavailable" };

export interface Verdict {
  /** Undefined when the request is allowed. */
  refused: Refused | undefined;
  /** Whether an access rule decided, and no policy was checked. */
  byRule: boolean;
  /** Whether it is the refusal that the plan knew, and no policy was checked. */
  isKnown: boolean;
  /** Whether a policy not in shadow had neither its state nor a fallback. */
  outage: boolean;
  /** The decisions of policies in mode enforce and, unless refused, hold. */
  decisions: readonly PolicyDecision[];
  /**
   * A policy in mode hold that is over its limit.
   * Undefined when the request is refused.
   */
  heldBy: PolicyDecision | undefined;
  /** The decisions that policies in shadow would have made. */
  shadows: readonly PolicyDecision[];
  /** The decision as the limiter made it, for a refund. */
  decision: LimiterDecision;
}

/** The policies to check for a request, and the action that follows. */
export interface GuardedPlan<T> {
  checks: readonly SubjectCheck[];
  /**
   * A refusal that is known already.
   * Only access rules come before it, and no policy is checked.
   */
  refusal?: PolicyDecision | undefined;
  /** Executes the request, or records the refusal, at `now` (milliseconds). */
  execute: (verdict: Verdict, now: number) => Promise<T>;
}

export interface GuardedRequest<T> {
  client: Client;
  /** When the request came, in milliseconds. */
  now: number;
  /**
   * Plans the request: reads the data it needs, and returns its checks.
   * A request that needs no decision is an outcome at once, and costs nothing. It runs in a transaction, like
   * `execute`, and waits for nothing but the database; it only reads, since it may run more than once.
   */
  plan: () => Promise<GuardedPlan<T> | { outcome: T }>;
  /**
   * A mutex: requests with the same key are decided one by one in this process.
   * Set it where only one of several requests can succeed: the others would count until they fail and are refunded.
   */
  mutexKey?: string;
  /** The name of the transaction's lock; see the database's `transaction`. */
  lockKey?: string;
  /**
   * The longest wait that is better than a refusal, in milliseconds.
   * Default: 0, no wait.
   */
  maxWaitMs?: number;
}

/**
 * Decides requests under policies: allowed when all allow it.
 * A refused request is counted in no other policy.
 */
export interface Guard {
  /**
   * Decides, and executes the action that follows.
   * Both happen in one transaction. When the states are not in the database, the action has a transaction of its own
   * after the decision, and its failure refunds the counts. Rejects with the failure; a database that is locked, full
   * or gone is `unavailable`.
   */
  run<T>(request: GuardedRequest<T>): Promise<T | Refused>;
  /**
   * Forgets the counts of these policies' subjects.
   * When the states are unavailable they stay: that harms no user.
   */
  forget(checks: readonly SubjectCheck[]): Promise<void>;
  /**
   * Refunds the cost that a decision counted, at `now` (milliseconds).
   * Call it once. When the states are unavailable it stays counted.
   */
  refund(decision: LimiterDecision, now: number): Promise<void>;
}

/** The key of a policy's state for a subject; another algorithm is another state. */
export function stateKey(policy: Limit, subject: string | number): string {
  return `${policy.name}:${policy.algorithm.name}:${subject}`;
}

/** Every policy to check, in the order of the checks. */
export function resolveChecks(checks: readonly SubjectCheck[]): PolicyCheck<Limit>[] {
  return checks.flatMap(([policies, subject]) =>
    policies.map((policy) => ({ policy, key: stateKey(policy, subject), counts: policy.counts })),
  );
}
