/**
 * Several policies asked for one request, with their states in a store, Redis or memory: one after the other, all or
 * nothing. Where one refuses, what those before it have counted is given back; a process that is killed in between has
 * counted a request that did not happen. Where the store fails, each policy says what happens then.
 */
import {
  createLimiter,
  type Decision,
  decideBehind,
  type Limiter,
  memoryStore,
  type Store,
} from "./limiter/index.ts";
import type { Policy } from "./policy.ts";

/** A policy that is on, and its state's key. */
export interface Asked<P extends Policy = Policy> {
  policy: P;
  key: string;
}

export type Decided<A extends Asked> = A & { decision: Decision };

/** What one policy answers. */
export interface Answer {
  /** Undefined when the states cannot be had and nothing stands in for them. */
  decision?: Decision;
  /** The states cannot be had, and the policy is `closed`: it refuses. */
  unavailable?: true;
  /** Who decided: the policy's own limiter, or what stood in for it. */
  by?: Limiter;
}

/** What all of them answer. */
export interface Outcome<A extends Asked> {
  /** In the order in which they were asked, up to the one that refused. */
  decided: readonly Decided<A>[];
  /** Whether the state of a policy could not be had, and nothing stood in for it. */
  outage: boolean;
  /** The first that holds and found the request over its limit; undefined when the request is refused all the same. */
  heldBy: Decided<A> | undefined;
  /** Who refuses; undefined when nobody does. */
  stoppedBy: A | undefined;
  /** Who refuses, and why; undefined when nobody does, and when it is for an outage. */
  refuser: Decided<A> | undefined;
}

/** What follows when one is known to refuse: nobody else is asked, and nothing is counted. */
export function refusedBy<A extends Asked>(refuser: Decided<A>): Outcome<A> {
  return { decided: [refuser], outage: false, heldBy: undefined, stoppedBy: refuser, refuser };
}

/** Whether the same request would pass within so many milliseconds. */
export function isWorthWaiting({ decision }: { decision: Decision }, leftMs: number): boolean {
  return !decision.reason.neverFits && decision.retryAfterMs <= leftMs;
}

/** `report` is told of each policy whose state could not be had. */
export function policiesOnStore<A extends Asked>(
  store: Store,
  report: (policy: A["policy"], error: unknown) => void,
) {
  const limiters = limitersUpon(store, ({ algorithm }: Policy) => algorithm);
  const locals = limitersUpon(memoryStore(), ({ outage, algorithm }: Policy) =>
    typeof outage === "string" ? algorithm : outage.local,
  );

  /** Asks one policy, as if there were no others: `consume` counts what is allowed, `peek` nothing. */
  async function ask(
    { policy, key }: A,
    cost: number,
    verb: "consume" | "peek" = "consume",
  ): Promise<Answer> {
    try {
      const by = limiters(policy);
      return { decision: await by[verb](key, cost), by };
    } catch (error) {
      report(policy, error);
      if (policy.outage === "closed") return { unavailable: true };
      if (policy.outage === "open") return {};
      const by = locals(policy);
      return { decision: await by[verb](key, cost), by };
    }
  }

  return {
    ask,

    /**
     * Asks one policy after the other until one refuses; then what the others counted is given back. What is counted
     * in the end is in `counted`, to be given back if the request fails for another reason. Without it nothing is
     * counted: this is what they would say.
     */
    async decide(all: readonly A[], cost: number, counted?: Counted): Promise<Outcome<A>> {
      const decided: Decided<A>[] = [];
      let outage = false;
      let heldBy: Decided<A> | undefined;
      for (const asked of all) {
        const answer = await ask(asked, cost, counted ? "consume" : "peek");
        const { decision, unavailable = false, by } = answer;
        outage ||= decision === undefined;
        if (decision) decided.push({ ...asked, decision });
        if (by && decision?.allowed) counted?.add(by, asked.key, cost);
        if (decision && !decision.allowed && asked.policy.mode === "hold") {
          heldBy ??= { ...asked, decision };
          continue;
        }
        if (!unavailable && decision?.allowed !== false) continue;
        await counted?.giveBack();
        const refuser = decision && { ...asked, decision };
        return { decided, outage, heldBy: undefined, stoppedBy: asked, refuser };
      }
      return { decided, outage, heldBy, stoppedBy: undefined, refuser: undefined };
    },

    /** Asks policies in shadow, each for itself: they count, and refuse nobody. Whose state cannot be had is left out. */
    async askShadows(shadows: readonly A[], cost: number, counted?: Counted): Promise<Decided<A>[]> {
      const answers = shadows.map(async (asked) => {
        try {
          const limiter = limiters(asked.policy);
          const decision = await limiter.consume(asked.key, cost);
          if (decision.allowed) counted?.add(limiter, asked.key, cost);
          return [{ ...asked, decision }];
        } catch (error) {
          report(asked.policy, error);
          return [];
        }
      });
      return (await Promise.all(answers)).flat();
    },

    /** What a policy tells a request that stands behind others in its line, as `decideBehind`; undefined when nobody knows. */
    async behind({ policy, key }: A, costsAhead: readonly number[], cost: number) {
      const decided = (state: unknown, now: number) => ({
        result: decideBehind(policy.algorithm, state, now, costsAhead, cost),
      });
      try {
        return await store.update(key, decided);
      } catch (error) {
        report(policy, error);
        return undefined;
      }
    },

    /** Gives back what was counted last; whether there was anything. Rejects when the store fails. */
    refund: ({ policy, key }: A, cost: number) => limiters(policy).refund(key, cost),

    /** Forgets a key, here and in what stands in. Rejects when the store fails. */
    async reset({ policy, key }: A): Promise<void> {
      await locals(policy).reset(key);
      await limiters(policy).reset(key);
    },
  };
}

/** What one request has counted in policies. Each count is given back once at most. */
export class Counted {
  #refunds: (() => Promise<unknown>)[] = [];

  add(limiter: Limiter, key: string, cost: number): void {
    this.#refunds.push(() => limiter.refund(key, cost));
  }

  /** Where a refund fails nothing is left to do: what was counted stays counted until it fades. */
  async giveBack(): Promise<void> {
    await Promise.allSettled(this.#refunds.splice(0).map((refund) => refund()));
  }
}

/** A limiter for each policy, made when first asked for. */
function limitersUpon(store: Store, algorithmOf: (policy: Policy) => Policy["algorithm"]) {
  const made = new WeakMap<Policy, Limiter>();
  return (policy: Policy): Limiter => {
    const limiter = made.get(policy) ?? createLimiter({ algorithm: algorithmOf(policy), store });
    made.set(policy, limiter);
    return limiter;
  };
}
