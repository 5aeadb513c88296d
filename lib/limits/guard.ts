/**
 * The guard: what a request must pass before it does anything. Access rules come first, then the policies, all or
 * nothing; a request that would pass soon waits, if that is wanted, in order of arrival.
 *
 * With the states in the database the decision is part of the request's transaction: both are saved together or not at all. With a
 * store of their own, Redis or memory, it comes first, and is refunded when the transaction after it fails. (A commit
 * whose answer is lost has failed as far as this process knows.)
 */
import { type Database, isUnavailable } from "../../db/index.ts";
import { transactionStore } from "../../db/limiter-store.ts";
import {
  type Checked,
  createPolicyLimiter,
  createWaiting,
  type DecideSettings,
  decideOn,
  forecastOn,
  isWaitable,
  KeyQueue,
  type Outcome,
  type PolicyCheck,
  type PolicyLimiter,
  type Sleep,
  type Store,
} from "../limiter/index.ts";
import type { AccessRules } from "./access-rules.ts";
import type { Policy } from "./index.ts";
import {
  type Guard,
  type GuardedRequest,
  type Plan,
  type PolicyDecision,
  resolveChecks,
  type Verdict,
} from "./types.ts";

export { type AccessRules, accessRules } from "./access-rules.ts";
export type { Guard, Plan, PolicyDecision, Refused, Verdict, Who } from "./types.ts";

export interface GuardSettings {
  database: Pick<Database, "transaction" | "limiterStates">;
  /** Where the states are, when they are not in the database. */
  store?: Store | undefined;
  rules?: AccessRules;
  report?: (error: unknown, policy?: string) => void;
  /** Milliseconds that only go forward, for how long things take. */
  clock?: () => number;
  /** How a wait passes the time. */
  sleep?: Sleep;
}

type BlogCheck = PolicyCheck<Policy>;
type Settings = Pick<DecideSettings<BlogCheck>, "waitableMs" | "refusal">;
type Waits = { refusal: Checked<BlogCheck> };
type Attempt<T> = { done: T; allowed: boolean; isExecuted?: boolean } | Waits;
type TimedRequest<T> = GuardedRequest<T> & { nowAt: () => number };

export function createGuard({
  database: { transaction, limiterStates },
  store,
  rules = () => undefined,
  report = () => {},
  clock = () => performance.now(),
  sleep,
}: GuardSettings): Guard {
  const limiter =
    store && createPolicyLimiter<BlogCheck>({ store, report: (error, { name }) => report(error, name) });
  const waiting = createWaiting<BlogCheck>({ clock, ...(sleep && { sleep }) });
  const mutexes = new KeyQueue();

  async function decided<T>(request: TimedRequest<T>): Promise<T> {
    const rule = rules(request.who);
    if (rule) return doneIn(await inTransaction(request, async () => verdictByRule(rule)));
    return waiting.wait<T>({
      cost: 1,
      maxWaitMs: request.maxWaitMs ?? 0,
      async checks() {
        const planned = await request.plan();
        if ("outcome" in planned || planned.refusal) return [];
        return resolveChecks(planned.checks).filter(({ policy }) => policy.mode === "enforce");
      },
      attempt: (waitableMs) => attempt(request, { waitableMs }),
      refuse: async (refusal) => doneIn(await attempt(request, { refusal })),
      forecast: (check, queuedCosts) =>
        limiter
          ? limiter.forecast(check, queuedCosts, 1)
          : forecastOn(transactionStore(limiterStates, request.nowAt), check, queuedCosts, 1),
    });
  }

  function attempt<T>(request: TimedRequest<T>, settings: Settings): Promise<Attempt<T>> {
    const { mutexKey, nowAt } = request;
    if (limiter) {
      const work = () => beforeTransaction(limiter, request, settings);
      return mutexKey === undefined ? work() : mutexes.run(mutexKey, work);
    }
    return inTransaction(request, async ({ checks, refusal }) => {
      if (refusal) return verdictOfKnown(refusal);
      const states = transactionStore(limiterStates, nowAt);
      return verdictOf(await decideOn(states, resolveChecks(checks), 1, settings), settings);
    });
  }

  async function beforeTransaction<T>(
    limiter: PolicyLimiter<BlogCheck>,
    request: TimedRequest<T>,
    settings: Settings,
  ): Promise<Attempt<T>> {
    const planned = await request.plan();
    if ("outcome" in planned) return { done: planned.outcome, allowed: false };
    const { refusal } = planned;
    if (refusal) return inTransaction(request, async () => verdictOfKnown(refusal));
    const outcome = await limiter.consume(resolveChecks(planned.checks), 1, settings);
    const verdict = verdictOf(outcome, settings);
    if ("refusal" in verdict) return verdict;
    let result: Attempt<T> | undefined;
    try {
      // Planned anew: during the decision the post or the rating may have changed.
      result = await inTransaction(request, async () => verdict);
      return result;
    } finally {
      if (!(result && "isExecuted" in result)) await limiter.undo(outcome, 1);
    }
  }

  /** Plans, decides and executes. A refusal that the request waits for instead changes nothing. */
  function inTransaction<T>(
    { plan, lockKey, nowAt }: TimedRequest<T>,
    decide: (planned: Pick<Plan<T>, "checks" | "refusal">) => Promise<Verdict | Waits>,
  ): Promise<Attempt<T>> {
    const work = async (): Promise<Attempt<T>> => {
      const planned = await plan();
      if ("outcome" in planned) return { done: planned.outcome, allowed: false };
      const verdict = await decide(planned);
      if ("refusal" in verdict) return verdict;
      const done = await planned.execute(verdict, nowAt());
      return { done, allowed: !verdict.refused, isExecuted: true };
    };
    return transaction(work, { lockKey });
  }

  return {
    async guarded(request) {
      const startedAt = clock();
      const nowAt = () => request.now + Math.floor(clock() - startedAt);
      try {
        return await decided({ ...request, nowAt });
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        report(error);
        return { kind: "unavailable" };
      }
    },
    async forget(policies, subject) {
      const checks = resolveChecks([[policies, subject]]);
      const keys = checks.map(({ key }) => key);
      if (limiter) await limiter.reset(checks).catch(() => undefined);
      else if (keys.length > 0) await transaction(() => limiterStates.remove(keys));
      for (const key of keys) waiting.wake(key);
    },
  };
}

function doneIn<T>(attempt: Attempt<T>): T {
  if ("done" in attempt) return attempt.done;
  throw new Error("A known refusal does not wait");
}

function verdictByRule(rule: "allow" | "deny"): Verdict {
  const refused = rule === "deny" ? ({ kind: "denied" } as const) : undefined;
  return {
    refused,
    byRule: true,
    isKnown: false,
    outage: false,
    decisions: [],
    heldBy: undefined,
    shadows: [],
  };
}

function verdictOfKnown(refusal: PolicyDecision): Verdict {
  const refused = { kind: "limited", refusal } as const;
  return {
    refused,
    byRule: false,
    isKnown: true,
    outage: false,
    decisions: [],
    heldBy: undefined,
    shadows: [],
  };
}

/** What follows from an outcome, or the refusal that the request waits for instead. */
function verdictOf(outcome: Outcome<BlogCheck>, { waitableMs }: Settings): Verdict | Waits {
  const { refusal, unavailable, outage, decisions, heldBy, shadows } = outcome;
  if (refusal && waitableMs !== undefined && isWaitable(refusal.decision, waitableMs)) return { refusal };
  const limited = refusal && ({ kind: "limited", refusal: policyDecision(refusal) } as const);
  return {
    refused: limited ?? (unavailable && { kind: "unavailable" }),
    byRule: false,
    isKnown: false,
    outage,
    decisions: decisions.map(policyDecision),
    heldBy: heldBy && policyDecision(heldBy),
    shadows: shadows.map(policyDecision),
  };
}

function policyDecision({ policy: { name, counts }, decision }: Checked<BlogCheck>): PolicyDecision {
  return { policy: name, counts, decision };
}
