// Over 200 lines: the methods share a store, its fallback and one queue.

import {
  type DecideSettings,
  isEnforced,
  nothingDecided,
  type PolicyCheck,
  type RequestDecision,
} from "./decide.ts";
import { checksToRun, decideOn, forecastOn, localAlgorithm, refundOn, resetOn } from "./decide-on-store.ts";
import { requireKnown, requireTime } from "./settings.ts";
import { memoryStore } from "./stores/memory.ts";
import type { Store, Update } from "./types.ts";
import { createWaiting, type WaitingSettings } from "./wait.ts";

export interface PolicyLimiterSettings<C extends PolicyCheck> extends WaitingSettings {
  store: Store;
  /**
   * Called for each policy whose state is unavailable.
   * Also called for each policy in shadow that cannot count a cost.
   */
  report?: (error: unknown, policy: C["policy"]) => void;
  /** Called for each change of a count on the store. */
  onCounted?: ((change: CountChange<C>) => void) | undefined;
}

/** A change of a count at a key. `at` is the store's time of the change. */
export interface CountChange<C extends PolicyCheck> {
  kind: "consume" | "refund" | "reset";
  check: C;
  cost: number;
  at: number;
}

export interface ConsumeSettings<C extends PolicyCheck>
  extends Pick<DecideSettings<C>, "waitableMs" | "refusal"> {
  /**
   * The store of the caller's transaction.
   * When it fails, so does the transaction: the promise rejects.
   */
  store?: Store | undefined;
}

type RunSettings<C extends PolicyCheck> = ConsumeSettings<C> & Pick<DecideSettings<C>, "isPeek">;

/** The policy checks that decide a request at this moment. */
export interface RequestPlan<C extends PolicyCheck> {
  checks: readonly C[];
  /** Denied independently of its policies: not counted, and does not wait. */
  isDenied: boolean;
}

export interface PlannedRequest<C extends PolicyCheck, P extends RequestPlan<C>, T>
  extends Pick<ConsumeSettings<C>, "store"> {
  /** Called for each attempt: the policies may change while the request waits. */
  plan(): P | Promise<P>;
  /** Executes the request's consequences, given the decision. */
  execute(plan: P, decision: RequestDecision<C>): T | Promise<T>;
  /**
   * Runs an attempt, from its plan to its execution.
   * It may run attempts in a transaction, or one after the other.
   */
  within?<R>(attempt: () => Promise<R>): Promise<R>;
  cost: number;
  maxWaitMs: number;
  /**
   * Ends the wait and refuses the request.
   * The rest of the wait is its retry time.
   */
  signal?: AbortSignal | undefined;
}

/** A cost that a policy cannot count, such as half a request. Nothing was counted. */
export class CostError extends RangeError {
  override name = "CostError";
}

/**
 * Several policies on a store.
 * Each method rejects with a `CostError` when a policy that is not in shadow cannot count the cost.
 */
export interface PolicyLimiter<C extends PolicyCheck> {
  /**
   * Decides, and counts an allowed request.
   * When the store fails, each policy's `outage` determines the decision; rejects for a caller's mistake.
   */
  consume(checks: readonly C[], cost: number, settings?: ConsumeSettings<C>): Promise<RequestDecision<C>>;
  /**
   * As `consume`, synchronously.
   * Works for one policy in mode enforce, a cost of 1 and states in memory; undefined for all other requests. Throws for
   * a caller's mistake.
   */
  consumeSync(checks: readonly C[], cost: number): RequestDecision<C> | undefined;
  /** The decision of `consume` now, with the free quota. Changes nothing. */
  peek(checks: readonly C[], cost: number): Promise<RequestDecision<C>>;
  /**
   * Plans, decides and executes a request as soon as it is allowed.
   * Meanwhile it waits in the queue of the policy that refuses.
   */
  wait<P extends RequestPlan<C>, T>(request: PlannedRequest<C, P, T>): Promise<T>;
  /**
   * Refunds the counts of a decision, once.
   * When the store fails, the counts stay until they expire.
   */
  undo(decision: RequestDecision<C>, cost: number): Promise<void>;
  /**
   * Refunds the newest counts.
   * Resolves to the checks that had a count. Rejects when the store fails.
   */
  refund(checks: readonly C[], cost: number): Promise<C[]>;
  /** Forgets the keys. Rejects when the store fails. */
  reset(checks: readonly C[]): Promise<void>;
  /**
   * Decides waiting requests again, of one key or all.
   * Forecasts of their queues are discarded.
   */
  wake(key?: string): void;
  /** How many requests wait. */
  waiting(): number;
}

export function createPolicyLimiter<C extends PolicyCheck>(
  settings: PolicyLimiterSettings<C>,
): PolicyLimiter<C> {
  requireKnown("createPolicyLimiter", settings, limiterSettings);
  const { store, report = () => {}, onCounted, ...waitingSettings } = settings;
  /** Where the algorithms count that stand in during an outage. */
  const fallback = memoryStore();
  const fallbackDecisions = new WeakSet<RequestDecision<C>>();
  const undoneDecisions = new WeakSet<RequestDecision<C>>();
  const waiting = createWaiting<C>(waitingSettings);

  async function run(
    given: readonly C[],
    cost: number,
    settings: RunSettings<C>,
  ): Promise<RequestDecision<C>> {
    const checks = countable(given, cost);
    if (settings.store) return decideOn(settings.store, checks, cost, settings);
    let decision: RequestDecision<C>;
    try {
      decision = await decideOn(store, checks, cost, settings);
    } catch (error) {
      if (isMistake(error)) return withoutShadows(checks, cost, settings, error);
      return inOutage(checksToRun(checks, settings.refusal), cost, settings, error);
    }
    if (!settings.isPeek) changed("consume", decision.counted, cost, decision.at);
    return decision;
  }

  async function consumeWith(
    checks: readonly C[],
    cost: number,
    settings: ConsumeSettings<C>,
  ): Promise<RequestDecision<C>> {
    requireKnown("consume", settings, consumeSettings);
    return run(checks, cost, settings);
  }

  function changed(kind: CountChange<C>["kind"], checks: readonly C[], cost: number, at: number): void {
    if (onCounted) for (const check of checks) onCounted({ kind, check, cost, at });
  }

  /** A faster path for the most frequent case. */
  function consumeOne(check: C): Promise<RequestDecision<C>> {
    // Not an async function: that takes longer than the decision.
    return store.update(check.key, stepOfOne(check)).then(
      (decision) => {
        changed("consume", decision.counted, 1, decision.at);
        return decision;
      },
      (error) => {
        if (isMistake(error)) throw error;
        return inOutage([check], 1, noLimits, error);
      },
    );
  }

  /**
   * Decides again without the policies in shadow after a caller's mistake.
   * A mistake has saved nothing; one in a shadow, such as its key, must refuse no request.
   */
  async function withoutShadows(
    checks: readonly C[],
    cost: number,
    settings: RunSettings<C>,
    mistake: unknown,
  ): Promise<RequestDecision<C>> {
    const others = checks.filter(({ policy }) => policy.mode !== "shadow");
    if (others.length === checks.length) throw mistake;
    const decision = await run(others, cost, settings);
    for (const { policy } of checks) if (policy.mode === "shadow") report(mistake, policy);
    return decision;
  }

  /** Leaves out the policies in shadow that cannot count the cost. */
  function countable(checks: readonly C[], cost: number): readonly C[] {
    if (cost === 1) return checks;
    return checks.filter((check) => {
      try {
        check.policy.algorithm.step(undefined, 0, cost);
        return true;
      } catch (error) {
        if (!isMistake(error)) throw error;
        const { name, mode } = check.policy;
        const message = `the policy ${JSON.stringify(name)} cannot count this: ${error.message}`;
        const fault = new CostError(message, { cause: error });
        if (mode !== "shadow") throw fault;
        report(fault, check.policy);
        return false;
      }
    });
  }

  async function inOutage(
    checks: readonly C[],
    cost: number,
    settings: RunSettings<C>,
    error: unknown,
  ): Promise<RequestDecision<C>> {
    for (const { policy } of checks) report(error, policy);
    const enforced = checks.filter(({ policy }) => policy.mode !== "shadow");
    const unavailable = enforced.find(({ policy }) => policy.outage === "closed");
    if (unavailable) return { ...nothingDecided, outage: true, unavailable };
    const locals = enforced.filter(({ policy }) => policy.outage !== "open");
    const decision = await decideOn(fallback, locals, cost, { ...settings, algorithmOf: localAlgorithm });
    const result = { ...decision, outage: locals.length < enforced.length };
    fallbackDecisions.add(result);
    return result;
  }

  return {
    consume(checks, cost, settings = noLimits) {
      const one = settings === noLimits ? onlyEnforced(checks, cost) : undefined;
      if (one) return consumeOne(one);
      return settings === noLimits ? run(checks, cost, settings) : consumeWith(checks, cost, settings);
    },
    consumeSync(checks, cost) {
      const one = store.updateSync && onlyEnforced(checks, cost);
      if (!one) return undefined;
      const decision = store.updateSync?.(one.key, stepOfOne(one));
      // Changes are reported one microtask after the store, those of other calls too: so their order is the store's.
      if (decision && onCounted) queueMicrotask(() => changed("consume", decision.counted, 1, decision.at));
      return decision;
    },
    peek: (checks, cost) => run(checks, cost, { isPeek: true }),

    async wait(planned) {
      requireKnown("wait", planned, plannedSettings);
      const { plan, execute, within = (attempt) => attempt(), store: callersStore, ...request } = planned;
      return waiting.wait({
        ...request,
        async checks() {
          const { checks, isDenied } = await plan();
          return isDenied ? [] : countable(checks, request.cost).filter(isEnforced);
        },
        attempt: (settings) =>
          within(async () => {
            const current = await plan();
            const { checks, isDenied } = current;
            const limits = { ...(isDenied ? { isPeek: true } : settings), store: callersStore };
            const decision = await run(checks, request.cost, limits);
            const { waitsFor, refusal, unavailable } = decision;
            if (waitsFor) return { refusal: waitsFor };
            const allowed = !(refusal || unavailable || isDenied);
            return { done: await execute(current, decision), allowed };
          }),
        async forecast(check, queuedCosts) {
          try {
            return await forecastOn(callersStore ?? store, check, queuedCosts, request.cost);
          } catch (error) {
            if (callersStore) throw error;
            report(error, check.policy);
            return undefined;
          }
        },
      });
    },

    async undo(decision, cost) {
      if (undoneDecisions.has(decision)) return;
      undoneDecisions.add(decision);
      const isFallback = fallbackDecisions.has(decision);
      const target = isFallback ? fallback : store;
      const result = await refundOn(target, decision.counted, cost, isFallback).catch((error: unknown) => {
        for (const { policy } of decision.counted) report(error, policy);
      });
      if (!result) return;
      if (!isFallback) changed("refund", result.refunded, cost, result.at);
      for (const { key } of result.refunded) waiting.wake(key);
    },

    async refund(checks, cost) {
      const { refunded, at } = await refundOn(store, countable(checks, cost), cost);
      changed("refund", refunded, cost, at);
      for (const { key } of refunded) waiting.wake(key);
      return refunded;
    },

    async reset(checks) {
      // Both begin at once: a later request must not be decided before the reset.
      const counted = resetOn(store, checks).then((at) => changed("reset", checks, 1, at));
      await Promise.all([counted, resetOn(fallback, checks)]);
      for (const { key } of checks) waiting.wake(key);
    },

    wake: (key) => (key === undefined ? waiting.wakeAll() : waiting.wake(key)),
    waiting: waiting.count,
  };
}

const noLimits = {};

/** The check of the most frequent case: cost 1, one policy in mode enforce. */
function onlyEnforced<C extends PolicyCheck>(checks: readonly C[], cost: number): C | undefined {
  const [first] = checks;
  return first && cost === 1 && checks.length === 1 && isEnforced(first) ? first : undefined;
}

function stepOfOne<C extends PolicyCheck>(check: C) {
  const { algorithm } = check.policy;
  return (state: unknown, now: number): Update<unknown, RequestDecision<C>> => {
    const { decision, next, expiresAt } = algorithm.step(state, requireTime(now), 1);
    const checked = { ...check, decision };
    const { allowed } = decision;
    // Written out: to spread `nothingDecided` takes longer than the decision.
    const result: RequestDecision<C> = {
      waitsFor: undefined,
      refusal: allowed ? undefined : checked,
      unavailable: undefined,
      outage: false,
      heldBy: undefined,
      decisions: [checked],
      shadows: [],
      counted: allowed ? [check] : [],
      at: now,
    };
    return { result, next, expiresAt };
  };
}

const limiterSettings = [
  ...["store", "report", "onCounted"],
  ...["sleep", "clock", "maxWaiting", "maxWaitingPerKey"],
];
const consumeSettings = ["waitableMs", "refusal", "store"];
const plannedSettings = ["plan", "execute", "within", "store", "cost", "maxWaitMs", "signal"];

/** An error of the caller, such as a cost that an algorithm cannot count. */
function isMistake(error: unknown): error is RangeError | TypeError {
  return error instanceof RangeError || error instanceof TypeError;
}
