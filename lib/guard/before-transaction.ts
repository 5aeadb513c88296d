/**
 * Decisions whose states are in a store of their own, Redis or memory: made first, one policy after the other, and
 * then what they guard is one transaction. Where a later policy refuses, or the transaction fails, what the others
 * have counted is given back; a process that is killed in between has counted a request that did not happen. (A commit
 * whose answer is lost has failed as far as anybody here knows, and is given back too.)
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
  type GuardedRequest,
  type PolicyDecision,
  policyDecision,
  type Refused,
  type Refuser,
  shadowSees,
  type Tried,
  type Tries,
  worthWaiting,
} from "./types.ts";

/** Told of each policy whose state could not be had. */
type ReportOutage = (policy: Policy, error: unknown) => void;

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

  /** Asks one policy after the other until one refuses; then what the others counted is given back. */
  async function decide(checks: readonly Asked[], counted: Counted) {
    const decisions: PolicyDecision[] = [];
    let outage = false;
    let heldBy: PolicyDecision | undefined;
    for (const each of checks) {
      const { decision, unavailable = false, giveBack } = await ask(each);
      outage ||= decision === undefined;
      if (decision) decisions.push(policyDecision(each.policy, decision));
      if (giveBack) counted.add(giveBack);
      if (decision && !decision.allowed && each.policy.mode === "hold") {
        heldBy ??= policyDecision(each.policy, decision);
        continue;
      }
      if (!unavailable && decision?.allowed !== false) continue;
      await counted.giveBack();
      const refuser = decision && { ...each, decision };
      return { decisions, outage, heldBy: undefined, stoppedBy: each.policy, refuser };
    }
    return { decisions, outage, heldBy };
  }

  async function askShadows(shadows: readonly Asked[], counted: Counted): Promise<PolicyDecision[]> {
    const answers = shadows.map(async ({ policy, key }) => {
      try {
        const { decision, giveBack } = await consume(limiters(policy), key);
        if (giveBack) counted.add(giveBack);
        return [policyDecision(policy, decision)];
      } catch (error) {
        report(policy, error);
        return [];
      }
    });
    return (await Promise.all(answers)).flat();
  }

  async function attempt<T>(
    { plan, lane }: Pick<GuardedRequest<T>, "plan" | "lane">,
    nowAt: () => number,
    how: { leftMs: number } | { refusedBy: Refuser },
  ): Promise<Tried<T>> {
    const planned = await plan();
    if ("outcome" in planned) return { done: planned.outcome };
    const all = asked(planned.checks);
    const counted = new Counted();
    const { decisions, outage, heldBy, stoppedBy, refuser } =
      "refusedBy" in how
        ? refusedBefore(how.refusedBy)
        : await decide(
            all.filter(({ policy }) => policy.mode !== "shadow"),
            counted,
          );
    if (refuser && "leftMs" in how && worthWaiting(refuser, how.leftMs)) return { refuser };
    const refusers = stoppedBy ? [stoppedBy] : [];
    const shadows = await askShadows(
      all.filter(({ policy }) => policy.mode === "shadow" && shadowSees(policy, refusers)),
      counted,
    );
    const refused = refusalOf(stoppedBy, refuser);
    let isCarriedOut = false;
    try {
      const done = await transaction(
        async () => {
          // Planned anew: while the store was asked, the post or the rating may have changed.
          const stillPlanned = await plan();
          if ("outcome" in stillPlanned) return stillPlanned;
          const verdict = { refused, byRule: false, outage, decisions, heldBy, shadows };
          return { carriedOut: await stillPlanned.carryOut(verdict, nowAt()) };
        },
        { lane },
      );
      isCarriedOut = "carriedOut" in done;
      return { done: "carriedOut" in done ? done.carriedOut : done.outcome };
    } finally {
      if (!isCarriedOut) await counted.giveBack();
    }
  }

  const inTurn = oneAfterTheOther();
  return {
    attempt: (request, nowAt, how) =>
      request.alone === undefined
        ? attempt(request, nowAt, how)
        : inTurn(request.alone, () => attempt(request, nowAt, how)),
    async behind({ policy, key }, _, costsAhead) {
      const decided = (state: unknown, now: number) => ({
        result: decideBehind(policy.algorithm, state, now, costsAhead, 1),
      });
      try {
        return await store.update(key, decided);
      } catch (error) {
        report(policy, error);
        return undefined;
      }
    },
    async forget(keys) {
      const resets = keys.flatMap(({ policy, key }) => [
        limiters(policy).reset(key),
        locals(policy).reset(key),
      ]);
      await Promise.allSettled(resets);
    },
  };
}

function refusedBefore(refuser: Refuser) {
  const decisions = [policyDecision(refuser.policy, refuser.decision)];
  return { decisions, outage: false, heldBy: undefined, stoppedBy: refuser.policy, refuser };
}

function refusalOf(stoppedBy: Policy | undefined, refuser: Refuser | undefined): Refused | undefined {
  if (refuser) return { kind: "limited", refusal: policyDecision(refuser.policy, refuser.decision) };
  return stoppedBy && { kind: "unavailable" };
}

/** What one try has counted in policies. Each count is given back once at most. */
class Counted {
  #refunds: (() => Promise<unknown>)[] = [];

  add(refund: () => Promise<unknown>): void {
    this.#refunds.push(refund);
  }

  /** Where a refund fails nothing is left to do: what was counted stays counted until it fades. */
  async giveBack(): Promise<void> {
    await Promise.allSettled(this.#refunds.splice(0).map((refund) => refund()));
  }
}

/** Runs work of the same name in the order in which it was asked for. */
function oneAfterTheOther() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(name) === ended) last.delete(name);
      });
    last.set(name, ended);
    return result;
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
