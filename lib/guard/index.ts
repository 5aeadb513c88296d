/**
 * The guard: what a request must pass before it does anything, whatever it asks for. Access rules come first, then
 * the policies, all or nothing; who would have to wait a little waits, if that is wanted, in order of arrival.
 */
import { type Database, isUnavailable } from "../../db/index.ts";
import { inTurn, machineSleep, type Sleep, type Store, waitingLines } from "../limiter/index.ts";
import type { AccessRules } from "./access-rules.ts";
import { triesBeforeTransaction } from "./before-transaction.ts";
import { triesInTransaction } from "./in-transaction.ts";
import { type Asked, asked, type Guard, type GuardedRequest, type Plan, type Tried } from "./types.ts";

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

/** Who finds so many in a line is decided at once: each of them is asked for again and again. */
const lineMaximum = 250;

export function createGuard({
  database,
  store,
  rules = () => undefined,
  report = () => {},
  clock = () => performance.now(),
  sleep = machineSleep,
}: GuardSettings): Guard {
  const tries = store
    ? triesBeforeTransaction(database, store, (policy, error) => report(error, policy.name))
    : triesInTransaction(database);
  const lines = waitingLines();

  async function decided<T>(request: GuardedRequest<T>, nowAt: () => number): Promise<T> {
    const { plan, who, lane, maxWaitMs = 0 } = request;
    const rule = rules(who);
    if (rule) {
      return database.transaction(
        async () => {
          const planned = await plan();
          if ("outcome" in planned) return planned.outcome;
          const refused = rule === "deny" ? ({ kind: "denied" } as const) : undefined;
          const none = { outage: false, decisions: [], heldBy: undefined, shadows: [] };
          return planned.carryOut({ refused, byRule: true, ...none }, nowAt());
        },
        { lockKey: lane },
      );
    }

    const left = () => ({ leftMs: request.now + maxWaitMs - nowAt() });
    let line = maxWaitMs > 0 ? lineBefore(await plan()) : undefined;
    for (;;) {
      const tried = await (line ? inLine(line) : tries.attempt(request, nowAt, left()));
      if ("done" in tried) return tried.done;
      line = tried.refuser;
    }

    /** Stands in the line of a policy until the request is decided, or until another policy is who refuses it. */
    function inLine({ policy, key }: Asked): Promise<Tried<T>> {
      if (lines.length(key) >= lineMaximum) return tries.attempt(request, nowAt, { leftMs: 0 });
      return inTurn(lines, { key, cost: 1, sleep }, async (costsAhead) => {
        if (costsAhead.length === 0) {
          const tried = await tries.attempt(request, nowAt, left());
          const staysFirst = "refuser" in tried && tried.refuser.key === key;
          return staysFirst ? { waitMs: tried.refuser.decision.retryAfterMs } : { answer: tried };
        }
        const told = await tries.behind({ policy, key }, nowAt, costsAhead);
        // Nobody knows how long the line takes: the policies say what happens in an outage.
        if (!told) return { answer: await tries.attempt(request, nowAt, { leftMs: 0 }) };
        if (told.waitMs <= left().leftMs) return { waitMs: told.waitMs };
        const refusedBy = { policy, key, decision: told.decision };
        return { answer: await tries.attempt(request, nowAt, { refusedBy }) };
      });
    }
  }

  /** The first policy of a plan that somebody waits for already: who comes later stands behind them. */
  function lineBefore(planned: Plan<unknown> | { outcome: unknown }): Asked | undefined {
    if ("outcome" in planned) return undefined;
    return asked(planned.checks).find(
      ({ policy, key }) => policy.mode === "enforce" && lines.length(key) > 0,
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
      await tries.forget(asked([[policies, subject]]));
    },
  };
}
