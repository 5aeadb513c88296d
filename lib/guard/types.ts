/** The words of the guard. */
import type { Decision } from "../limiter/index.ts";
import type { Policy, PolicyName } from "../limits.ts";
import type { Asked as AskedPolicy, Decided } from "../policies-on-store.ts";
import type { Who } from "./access-rules.ts";

/** Policies and what they count here: a post, a user, an address. */
export type Check = readonly [policies: readonly Policy[], subject: string | number];

export interface PolicyDecision {
  /** The policy's name. */
  policy: string;
  counts: PolicyName;
  decision: Decision;
}

/** Why a request does not happen, as an outcome. */
export type Refused =
  | { kind: "limited"; refusal: PolicyDecision }
  /** An access rule says so; waiting does not help. */
  | { kind: "denied" }
  /** What it takes to decide is out of reach. */
  | { kind: "unavailable" };

export interface Verdict {
  /** Undefined when the request is allowed. */
  refused: Refused | undefined;
  /** Whether an access rule decided, and no policy was asked. */
  byRule: boolean;
  /** Whether the state of a policy that is enforced could not be had, whatever that policy says to it. */
  outage: boolean;
  /** What the policies that are enforced, or hold, decided, as far as they were asked. */
  decisions: readonly PolicyDecision[];
  /** A policy that holds found the request over its limit; undefined when the request is refused all the same. */
  heldBy: PolicyDecision | undefined;
  /** What policies in shadow would have decided. */
  shadows: readonly PolicyDecision[];
}

/** What is to be decided, and what follows upon it. */
export interface Plan<T> {
  /** The narrowest first: where one refuses, those behind it need not be asked. */
  checks: readonly Check[];
  /** Does what was asked for, or records that it was refused, at `now` (milliseconds). */
  carryOut: (verdict: Verdict, now: number) => Promise<T>;
}

export interface GuardedRequest<T> {
  who: Who;
  /** When the request came, in milliseconds. */
  now: number;
  /**
   * Looks whether there is anything to decide. What needs no decision is an outcome at once, and costs nothing. It runs in
   * a transaction, like `carryOut`, and waits for nothing but the database; it only reads, since it may run more than once.
   */
  plan: () => Promise<Plan<T> | { outcome: T }>;
  /**
   * Requests of the same name are decided one after the other in this process. For what only one of can succeed: the others
   * would count in the meantime what they give back when they find out.
   */
  alone?: string;
  /** What the transaction will lock, as a name; see the database's `transaction`. */
  lane?: string;
  /** The longest wait that is worth it instead of a refusal, in milliseconds; 0, never, unless told. */
  maxWaitMs?: number;
}

/** Decides requests under policies: allowed when all allow it, and what one refuses costs nothing in the others. */
export interface Guard {
  /**
   * Decides, and carries out what follows: in the transaction of the decision, or, when the states are not in the
   * database, in one right after it, and then a failure gives back what was counted. Rejects with the failure;
   * a database that is locked, full or gone is `unavailable`.
   */
  guarded<T>(request: GuardedRequest<T>): Promise<T | Refused>;
  /** Forgets what policies have counted of a subject. When the states are out of reach they stay: that harms nobody. */
  forget(policies: readonly Policy[], subject: string | number): Promise<void>;
}

/** Where a policy's state for a subject is kept; another algorithm is another state. */
export function stateKey(policy: Policy, subject: string | number): string {
  return `${policy.name}:${policy.algorithm.name}:${subject}`;
}

export type Asked = AskedPolicy<Policy>;

/** Every policy to ask, in the order of the checks. */
export function asked(checks: readonly Check[]): Asked[] {
  return checks.flatMap(([policies, subject]) =>
    policies.map((policy) => ({ policy, key: stateKey(policy, subject) })),
  );
}

export function policyDecision({ name, counts }: Policy, decision: Decision): PolicyDecision {
  return { policy: name, counts, decision };
}

/** A policy in shadow stands in for those that count the same: it sees what all others let through. */
export function shadowSees(shadow: Policy, refusers: readonly Policy[]): boolean {
  return refusers.every(({ counts }) => counts === shadow.counts);
}

/** One way of deciding, by where the states are. */
export interface Tries {
  /**
   * One try. A refusal that would pass within `leftMs` is not carried out: who refused is the answer. With `refusedBy` it is
   * refused already, and only the shadows are asked.
   */
  attempt<T>(
    request: Pick<GuardedRequest<T>, "plan" | "alone" | "lane">,
    nowAt: () => number,
    how: { leftMs: number } | { refusedBy: Refuser },
  ): Promise<Tried<T>>;
  /** What a policy tells a request that stands behind others in its line, as `decideBehind`; undefined when nobody knows. */
  behind(
    asked: Asked,
    nowAt: () => number,
    costsAhead: readonly number[],
  ): Promise<{ decision: Decision; waitMs: number } | undefined>;
  forget(keys: readonly Asked[]): Promise<void>;
}

export type Tried<T> = { done: T } | { refuser: Refuser };
export type Refuser = Decided<Asked>;
