/**
 * The guard: what a request must pass before it does anything. Access rules come first, then the policies, all or
 * nothing; a request that would pass soon waits, if that is wanted, in order of arrival.
 */
import { type Database, isUnavailable } from "../../db/index.ts";
import { createWaiting, type Sleep, type Store } from "../limiter/index.ts";
import type { AccessRules } from "./access-rules.ts";
import { type BlogCheck, decideBeforeTransaction, decideInTransaction } from "./decide-request.ts";
import { type Guard, type GuardedRequest, resolveChecks } from "./types.ts";

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

export function createGuard({
  database,
  store,
  rules = () => undefined,
  report = () => {},
  clock = () => performance.now(),
  sleep,
}: GuardSettings): Guard {
  const decide = store
    ? decideBeforeTransaction(database, store, (error, policy) => report(error, policy.name))
    : decideInTransaction(database);
  const waiting = createWaiting<BlogCheck>({ clock, ...(sleep && { sleep }) });

  function decided<T>(request: GuardedRequest<T>, nowAt: () => number): Promise<T> {
    const rule = rules(request.who);
    if (rule) return byRule(request, rule, nowAt);
    return waiting.wait<T>({
      cost: 1,
      maxWaitMs: request.maxWaitMs ?? 0,
      async checks() {
        const planned = await request.plan();
        if ("outcome" in planned) return [];
        return resolveChecks(planned.checks).filter(({ policy }) => policy.mode === "enforce");
      },
      attempt: (waitableMs) => decide.attempt(request, nowAt, { waitableMs }),
      async refuse(refusal) {
        const result = await decide.attempt(request, nowAt, { refusal });
        if ("done" in result) return result.done;
        throw new Error("A known refusal does not wait");
      },
      forecast: (check, queuedCosts) => decide.forecast(check, queuedCosts, nowAt),
    });
  }

  function byRule<T>(
    { plan, lockKey }: GuardedRequest<T>,
    rule: "allow" | "deny",
    nowAt: () => number,
  ): Promise<T> {
    return database.transaction(
      async () => {
        const planned = await plan();
        if ("outcome" in planned) return planned.outcome;
        const refused = rule === "deny" ? ({ kind: "denied" } as const) : undefined;
        const none = { outage: false, decisions: [], heldBy: undefined, shadows: [] };
        return planned.execute({ refused, byRule: true, ...none }, nowAt());
      },
      { lockKey },
    );
  }

  return {
    async guarded(request) {
      const startedAt = clock();
      const nowAt = () => request.now + Math.floor(clock() - startedAt);
      try {
        return await decided(request, nowAt);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        report(error);
        return { kind: "unavailable" };
      }
    },
    async forget(policies, subject) {
      const checks = resolveChecks([[policies, subject]]);
      await decide.forget(checks);
      for (const { key } of checks) waiting.wake(key);
    },
  };
}
