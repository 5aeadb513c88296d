/**
 * The guard: access rules and limits, checked before a request does anything.
 * Access rules come first, then the policies, all or nothing. A request that would pass soon waits, if configured, in
 * order of arrival.
 *
 * With the states in the database the decision is part of the request's transaction: both are saved together or not at all. With a
 * store of their own, Redis or memory, it comes first, and is refunded when the transaction after it fails. (A commit
 * whose answer is lost has failed as far as this process knows.)
 */
import { type Database, isUnavailable } from "../../db/index.ts";
import { transactionStore } from "../../db/limiter-store.ts";
import {
  createPolicyLimiter,
  KeyQueue,
  type PolicyCheck,
  type Store,
  type WaitingSettings,
} from "../limiter/index.ts";
import type { AccessRules } from "./access-rules.ts";
import type { Limit } from "./index.ts";
import {
  type Guard,
  type GuardedPlan,
  type GuardedRequest,
  type LimiterDecision,
  resolveChecks,
} from "./types.ts";
import { verdictOf } from "./verdict.ts";

export interface GuardSettings extends Pick<WaitingSettings, "clock" | "sleep"> {
  database: Pick<Database, "transaction" | "limiterStates" | "time">;
  /** Where the states are, when they are not in the database. */
  store?: Store | undefined;
  rules?: AccessRules;
  report?: (error: unknown, policy?: string) => void;
}

type BlogCheck = PolicyCheck<Limit>;
type Planned<T> = GuardedPlan<T> | { outcome: T };

export function createGuard({
  database: { transaction, limiterStates, time },
  store,
  rules = () => undefined,
  report = () => {},
  clock = () => performance.now(),
  ...waiting
}: GuardSettings): Guard {
  const limiter = createPolicyLimiter<BlogCheck>({
    store: store ?? transactionStore(limiterStates, time),
    report: (error, { name }) => report(error, name),
    clock,
    ...waiting,
  });
  const mutexes = new KeyQueue();

  function decided<T>(
    { client, lockKey, mutexKey = "", ...request }: GuardedRequest<T>,
    nowAt: () => number,
  ) {
    const rule = rules(client);
    const states = store ? undefined : transactionStore(limiterStates, nowAt);
    const inTransaction = <R>(work: () => Promise<R>): Promise<R> => transaction(work, { lockKey });

    async function plan() {
      const planned = await request.plan();
      const isDecided = rule !== undefined || "outcome" in planned || planned.refusal !== undefined;
      return { planned, checks: isDecided ? [] : resolveChecks(planned.checks), isDenied: isDecided };
    }

    function execute(planned: Planned<T>, decision: LimiterDecision): T | Promise<T> {
      if ("outcome" in planned) return planned.outcome;
      return planned.execute(verdictOf(rule, planned.refusal, decision), nowAt());
    }

    /**
     * Planned again: during the decision the post or the rating may have changed.
     * The earlier refusal stands: its counts followed from it.
     */
    async function executeAfter({ refusal }: GuardedPlan<T>, decision: LimiterDecision): Promise<T> {
      let isCounted = false;
      try {
        const [planned, done] = await inTransaction(async () => {
          const planned = await request.plan();
          const asBefore = "outcome" in planned ? planned : { ...planned, refusal };
          return [planned, await execute(asBefore, decision)] as const;
        });
        isCounted = !("outcome" in planned);
        return done;
      } finally {
        if (!isCounted) await limiter.undo(decision, 1);
      }
    }

    return limiter.wait({
      plan,
      execute: ({ planned }, decision) =>
        states || "outcome" in planned ? execute(planned, decision) : executeAfter(planned, decision),
      within: states ? inTransaction : (work) => (mutexKey === "" ? work() : mutexes.run(mutexKey, work)),
      store: states,
      cost: 1,
      maxWaitMs: request.maxWaitMs ?? 0,
    });
  }

  /** Changes saved states; when they are unavailable they stay, which harms no user. */
  async function change(checks: readonly BlogCheck[], work: () => Promise<unknown>) {
    if (checks.length === 0) return;
    if (store)
      await work().catch((error: unknown) => {
        for (const { policy } of checks) report(error, policy.name);
      });
    else await transaction(work).catch(reportUnavailable);
  }

  function reportUnavailable(error: unknown): void {
    if (!isUnavailable(error)) throw error;
    report(error);
  }

  return {
    async run(request) {
      const startedAt = clock();
      const nowAt = () => request.now + Math.floor(clock() - startedAt);
      try {
        return await decided(request, nowAt);
      } catch (error) {
        reportUnavailable(error);
        return { kind: "unavailable" };
      }
    },
    async forget(given) {
      const checks = resolveChecks(given);
      await change(checks, () => limiter.reset(checks));
    },
    refund: (decision, now) =>
      change(decision.counted, () => {
        if (store) return limiter.undo(decision, 1);
        const states = transactionStore(limiterStates, () => now);
        return createPolicyLimiter<BlogCheck>({ store: states }).refund(decision.counted, 1);
      }),
  };
}
