/**
 * Decisions whose states are in a store of their own, Redis or memory: made first, and then what they guard is one
 * transaction. Where that fails, what was counted is given back. (A commit whose answer is lost has failed as far as
 * anybody here knows, and is given back too.)
 */
import type { Database } from "../../db/index.ts";
import type { Store } from "../limiter/index.ts";
import type { Policy } from "../limits.ts";
import { Counted, isWorthWaiting, policiesOnStore, refusedBy } from "../policies-on-store.ts";
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
} from "./types.ts";

/** Told of each policy whose state could not be had. */
type ReportOutage = (policy: Policy, error: unknown) => void;

export function triesBeforeTransaction(
  { transaction }: Pick<Database, "transaction">,
  store: Store,
  report: ReportOutage,
): Tries {
  const policies = policiesOnStore<Asked>(store, report);

  async function attempt<T>(
    { plan, lane }: Pick<GuardedRequest<T>, "plan" | "lane">,
    nowAt: () => number,
    how: { leftMs: number } | { refusedBy: Refuser },
  ): Promise<Tried<T>> {
    const planned = await plan();
    if ("outcome" in planned) return { done: planned.outcome };
    const all = asked(planned.checks);
    const counted = new Counted();
    const { decided, outage, heldBy, stoppedBy, refuser } =
      "refusedBy" in how
        ? refusedBy(how.refusedBy)
        : await policies.decide(
            all.filter(({ policy }) => policy.mode !== "shadow"),
            1,
            counted,
          );
    if (refuser && "leftMs" in how && isWorthWaiting(refuser, how.leftMs)) return { refuser };
    const refusers = stoppedBy ? [stoppedBy.policy] : [];
    const shadows = await policies.askShadows(
      all.filter(({ policy }) => policy.mode === "shadow" && shadowSees(policy, refusers)),
      1,
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
          const verdict = {
            refused,
            byRule: false,
            outage,
            decisions: decided.map(told),
            heldBy: heldBy && told(heldBy),
            shadows: shadows.map(told),
          };
          return { carriedOut: await stillPlanned.carryOut(verdict, nowAt()) };
        },
        { lockKey: lane },
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
    behind: (each, _, costsAhead) => policies.behind(each, costsAhead, 1),
    async forget(keys) {
      await Promise.allSettled(keys.map((each) => policies.reset(each)));
    },
  };
}

function refusalOf(stoppedBy: Asked | undefined, refuser: Refuser | undefined): Refused | undefined {
  if (refuser) return { kind: "limited", refusal: told(refuser) };
  return stoppedBy && { kind: "unavailable" };
}

function told({ policy, decision }: Refuser): PolicyDecision {
  return policyDecision(policy, decision);
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
