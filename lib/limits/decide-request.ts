/** The two ways to decide a guarded request, by where the limiter states are. */
import type { Database } from "../../db/index.ts";
import { transactionStore } from "../../db/limiter-store.ts";
import {
  type AttemptResult,
  type Checked,
  createPolicyLimiter,
  type DecideSettings,
  decideOn,
  forecastOf,
  isWaitable,
  KeyQueue,
  type Outcome,
  type PolicyCheck,
  type QueueForecast,
  type Store,
} from "../limiter/index.ts";
import type { Policy } from "./index.ts";
import {
  type GuardedRequest,
  type PolicyDecision,
  type Refused,
  resolveChecks,
  type Verdict,
} from "./types.ts";

export type BlogCheck = PolicyCheck<Policy>;
type Settings = Pick<DecideSettings<BlogCheck>, "waitableMs" | "refusal">;

export interface DecideRequest {
  /** Decides and executes; a refusal that would pass within `waitableMs` changes nothing. */
  attempt<T>(
    request: GuardedRequest<T>,
    nowAt: () => number,
    settings: Settings,
  ): Promise<AttemptResult<BlogCheck, T>>;
  forecast(
    check: BlogCheck,
    queuedCosts: readonly number[],
    nowAt: () => number,
  ): Promise<QueueForecast | undefined>;
  forget(checks: readonly BlogCheck[]): Promise<void>;
}

/** With the states in the database, decided inside the transaction: both are saved together or not at all. */
export function decideInTransaction({
  transaction,
  limiterStates,
}: Pick<Database, "transaction" | "limiterStates">): DecideRequest {
  return {
    attempt: <T>({ plan, lockKey }: GuardedRequest<T>, nowAt: () => number, settings: Settings) =>
      transaction(
        async (): Promise<AttemptResult<BlogCheck, T>> => {
          const planned = await plan();
          if ("outcome" in planned) return { done: planned.outcome, allowed: false };
          const store = transactionStore(limiterStates, nowAt);
          const outcome = await decideOn(store, resolveChecks(planned.checks), 1, settings);
          const waiting = waitingFor(outcome, settings);
          if (waiting) return { refusal: waiting };
          return { done: await planned.execute(verdictOf(outcome), nowAt()), allowed: !outcome.refusal };
        },
        { lockKey },
      ),
    forecast: async ({ policy, key }, queuedCosts, nowAt) => {
      const now = nowAt();
      const [state] = await limiterStates.load([key], now);
      return forecastOf(policy.algorithm, state, now, queuedCosts, 1);
    },
    forget: async (checks) => {
      if (checks.length > 0) await transaction(() => limiterStates.remove(checks.map(({ key }) => key)));
    },
  };
}

/**
 * With the states in a store of their own, Redis or memory, decided first; what follows is one transaction. When that
 * fails, what was counted is refunded. (A commit whose answer is lost has failed as far as this process knows.)
 */
export function decideBeforeTransaction(
  { transaction }: Pick<Database, "transaction">,
  store: Store,
  report: (error: unknown, policy: Policy) => void,
): DecideRequest {
  const limiter = createPolicyLimiter<BlogCheck>({ store, report });
  const mutexes = new KeyQueue();

  async function attempt<T>(
    { plan, lockKey }: GuardedRequest<T>,
    nowAt: () => number,
    settings: Settings,
  ): Promise<AttemptResult<BlogCheck, T>> {
    const planned = await plan();
    if ("outcome" in planned) return { done: planned.outcome, allowed: false };
    const outcome = await limiter.consume(resolveChecks(planned.checks), 1, settings);
    const waiting = waitingFor(outcome, settings);
    if (waiting) return { refusal: waiting };
    const verdict = verdictOf(outcome);
    let isExecuted = false;
    try {
      const result = await transaction(
        async () => {
          // Planned anew: during the decision the post or the rating may have changed.
          const again = await plan();
          if ("outcome" in again) return { done: again.outcome, isExecuted: false };
          return { done: await again.execute(verdict, nowAt()), isExecuted: true };
        },
        { lockKey },
      );
      isExecuted = result.isExecuted;
      return { done: result.done, allowed: !verdict.refused };
    } finally {
      if (!isExecuted) await limiter.undo(outcome, 1);
    }
  }

  return {
    async attempt(request, nowAt, settings) {
      if (request.mutexKey === undefined) return attempt(request, nowAt, settings);
      const place = mutexes.join(request.mutexKey, 1);
      try {
        return await place.inOrder(() => attempt(request, nowAt, settings));
      } finally {
        place.leave();
      }
    },
    forecast: (check, queuedCosts) => limiter.forecast(check, queuedCosts, 1),
    forget: (checks) => limiter.reset(checks).catch(() => undefined),
  };
}

/** The refusal that the request waits for instead. */
function waitingFor(
  { refusal }: Outcome<BlogCheck>,
  { waitableMs }: Settings,
): Checked<BlogCheck> | undefined {
  return refusal && waitableMs !== undefined && isWaitable(refusal.decision, waitableMs)
    ? refusal
    : undefined;
}

function verdictOf(outcome: Outcome<BlogCheck>): Verdict {
  const { outage, decisions, heldBy, shadows } = outcome;
  return {
    refused: refusedIn(outcome),
    byRule: false,
    outage,
    decisions: decisions.map(policyDecision),
    heldBy: heldBy && policyDecision(heldBy),
    shadows: shadows.map(policyDecision),
  };
}

function refusedIn({ refusal, unavailable }: Outcome<BlogCheck>): Refused | undefined {
  if (refusal) return { kind: "limited", refusal: policyDecision(refusal) };
  return unavailable && { kind: "unavailable" };
}

function policyDecision({ policy: { name, counts }, decision }: Checked<BlogCheck>): PolicyDecision {
  return { policy: name, counts, decision };
}
