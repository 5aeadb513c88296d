/**
 * Decisions whose states are in a store of their own, Redis or memory: made first, one policy after the other, and
 * then what they guard is one transaction. Where a later policy refuses, or the transaction fails, what the others
 * have counted is given back; a process that is killed in between has counted a request that did not happen, never
 * the other way round.
 */
import type { Database } from "../../db/index.ts";
import {
  createLimiter,
  type Decision,
  decideBehind,
  type Limiter,
  memoryStore,
  type Store,
} from "../limiter/index.ts";
import type { Policy } from "../limits.ts";
import {
  type Asked,
  asked,
  type Check,
  type GuardedRequest,
  type PolicyDecision,
  policyDecision,
  type Refused,
  type Refuser,
  shadowSees,
  type Tried,
  type Tries,
  type Verdict,
  worthWaiting,
} from "./types.ts";

/** Told of each policy whose state could not be had. */
export type ReportOutage = (policy: Policy, error: unknown) => void;

interface Answer {
  /** Undefined when the request passes without one: the policy is `open`. */
  decision?: Decision;
  unavailable?: true;
  giveBack?: () => Promise<unknown>;
}

export function triesBeforeTransaction(
  { transaction }: Pick<Database, "transaction">,
  store: Store,
  report: ReportOutage,
): Tries {
  const limiters = limitersUpon(store);
  const localStore = memoryStore();
  const locals = limitersUpon(localStore, ({ outage, algorithm }) =>
    typeof outage === "string" ? algorithm : outage.local,
  );

  async function ask({ policy, key }: Asked): Promise<Answer> {
    try {
      return await consume(limiters(policy), key);
    } catch (error) {
      report(policy, error);
      if (policy.outage === "closed") return { unavailable: true };
      return policy.outage === "open" ? {} : consume(locals(policy), key);
    }
  }

  async function decide(checks: readonly Check[]) {
    const all = asked(checks);
    const decisions: PolicyDecision[] = [];
    const given: (() => Promise<unknown>)[] = [];
    let refused: Refused | undefined;
    let refuser: Refuser | undefined;
    let stopped: Policy | undefined;
    for (const each of all.filter(({ policy }) => policy.mode === "enforce")) {
      const { decision, unavailable, giveBack } = await ask(each);
      if (decision) decisions.push(policyDecision(each.policy, decision));
      if (unavailable) refused = { kind: "unavailable" };
      if (decision && !decision.allowed) {
        refuser = { ...each, decision };
        refused = { kind: "limited", refusal: policyDecision(each.policy, decision) };
      }
      if (refused) {
        stopped = each.policy;
        break;
      }
      if (giveBack) given.push(giveBack);
    }
    /** Nothing is left to do about a refund that fails: what was counted stays counted until it fades. */
    const giveBack = async () => void (await Promise.allSettled(given.map((back) => back())));
    if (stopped) await giveBack();

    /** Asked once it is certain that there is no waiting. */
    const askShadows = async () => {
      const refusers = stopped ? [stopped] : [];
      const watching = all.filter(({ policy }) => policy.mode === "shadow" && shadowSees(policy, refusers));
      const shadows = await Promise.all(
        watching.map(async ({ policy, key }) => {
          try {
            const { decision, giveBack: back } = await consume(limiters(policy), key);
            if (back) given.push(back);
            return [policyDecision(policy, decision)];
          } catch (error) {
            report(policy, error);
            return [];
          }
        }),
      );
      return shadows.flat();
    };
    return { refused, refuser, decisions, giveBack, askShadows };
  }

  return {
    async attempt<T>({ plan }: Pick<GuardedRequest<T>, "plan">, nowAt: () => number, leftMs: number) {
      const planned = plan(nowAt());
      if ("outcome" in planned) return { done: planned.outcome };
      const { refused, refuser, decisions, giveBack, askShadows } = await decide(planned.checks);
      if (refuser && worthWaiting(refuser, leftMs)) return { refuser };
      const verdict: Verdict = { refused, byRule: false, decisions, shadows: await askShadows() };
      let carriedOut = false;
      try {
        return transaction((): Tried<T> => {
          // Planned anew: while the store was asked, the post or the rating may have changed.
          const stillPlanned = plan(nowAt());
          if ("outcome" in stillPlanned) return { done: stillPlanned.outcome };
          const done = stillPlanned.carryOut(verdict);
          carriedOut = true;
          return { done };
        });
      } catch (error) {
        carriedOut = false;
        throw error;
      } finally {
        if (!carriedOut) await giveBack();
      }
    },
    behind: ({ policy, key }, _, costsAhead) =>
      store.update(key, (state: unknown, now) => ({
        result: decideBehind(policy.algorithm, state, now, costsAhead, 1),
      })),
    async forget(keys) {
      await Promise.allSettled(keys.map(({ policy, key }) => limiters(policy).reset(key)));
    },
  };
}

async function consume(limiter: Limiter, key: string) {
  const decision = await limiter.consume(key);
  return decision.allowed ? { decision, giveBack: () => limiter.refund(key) } : { decision };
}

/** A limiter for each policy, made when first asked for. */
function limitersUpon(store: Store, algorithmOf = ({ algorithm }: Policy) => algorithm) {
  const made = new Map<Policy, Limiter>();
  return (policy: Policy): Limiter => {
    const limiter = made.get(policy) ?? createLimiter({ algorithm: algorithmOf(policy), store });
    made.set(policy, limiter);
    return limiter;
  };
}
