/**
 * Waiting to be let in: in the line of the policy that refuses, in order of arrival, as long as it is worth it. What
 * counts is the configuration of the moment at which a request is decided.
 */
import { inTurn, type Sleep, waitingLines } from "../../lib/limiter/index.ts";
import type { Decided } from "../../lib/policies-on-store.ts";
import type { Told } from "./answers.ts";
import type { Deciding, Tried } from "./deciding.ts";
import type { Plan, Step } from "./plan.ts";

/** How many may wait. Who finds so many is decided at once. */
const mostWaiting = { inAll: 10_000, inOneLine: 1_000 };

interface WaitingSettings {
  deciding: Deciding;
  sleep: Sleep;
  /** Milliseconds that only go forward. */
  clock: () => number;
}

interface Wait {
  /** What there is to ask, now; text is a fault. */
  plan: () => Plan | string;
  cost: number;
  maxWaitMs: number;
  signal: AbortSignal | undefined;
}

export function waiting({ deciding, sleep, clock }: WaitingSettings) {
  const lines = waitingLines();
  let waitingNow = 0;
  let waking = new AbortController();

  /** Sleeps, and is woken early by `wake`. */
  const lightSleep: Sleep = async (ms, signal) => {
    const woken = waking.signal;
    try {
      await sleep(ms, signal ? AbortSignal.any([signal, woken]) : woken);
    } catch (error) {
      if (signal?.aborted || !woken.aborted) throw error;
    }
  };

  async function wait({ plan, cost, maxWaitMs, signal }: Wait): Promise<Told | string> {
    const startedAt = clock();
    const leftMs = () => maxWaitMs - Math.floor(clock() - startedAt);
    /** The refusal that is known, for who gives up; and the try that is under way, which may yet succeed. */
    let known: { refuser: Decided<Step>; at: number } | undefined;
    let underWay: Promise<Tried | string> | undefined;

    function attempt(left: number): Promise<Tried | string> {
      const planned = plan();
      const tried =
        typeof planned === "string" ? Promise.resolve(planned) : deciding.attempt(planned, cost, left);
      underWay = tried;
      return tried;
    }

    function refusedFor(refuser: Decided<Step>): void {
      known = { refuser, at: clock() };
    }

    async function refuse(refuser: Decided<Step>): Promise<{ done: Told } | string> {
      const planned = plan();
      return typeof planned === "string" ? planned : { done: await deciding.refuse(planned, refuser, cost) };
    }

    /** Stands in the line of a policy until the request is decided, or until another policy is who refuses it. */
    async function inLine(step: Step): Promise<Tried | string> {
      if (waitingNow >= mostWaiting.inAll || lines.length(step.key) >= mostWaiting.inOneLine)
        return attempt(Number.NEGATIVE_INFINITY);
      waitingNow += 1;
      const place = { key: step.key, cost, sleep: lightSleep, signal };
      try {
        return await inTurn<Tried | string>(lines, place, async (costsAhead) => {
          if (costsAhead.length === 0) {
            const tried = await attempt(leftMs());
            if (typeof tried === "string" || "done" in tried) return { answer: tried };
            refusedFor(tried.refuser);
            const staysFirst = tried.refuser.key === step.key;
            return staysFirst ? { waitMs: tried.refuser.decision.retryAfterMs } : { answer: tried };
          }
          const told = await deciding.policies.behind(step, costsAhead, cost);
          // Nobody knows how long the line takes: the policies say what happens in an outage.
          if (!told) return { answer: await attempt(Number.NEGATIVE_INFINITY) };
          const refuser = { ...step, decision: told.decision };
          refusedFor(refuser);
          return told.waitMs <= leftMs() ? { waitMs: told.waitMs } : { answer: await refuse(refuser) };
        });
      } finally {
        waitingNow -= 1;
      }
    }

    /** The first policy that somebody waits for already: who comes later stands behind them. */
    function lineBefore(planned: Plan | string): Step | undefined {
      if (typeof planned === "string" || maxWaitMs === 0 || planned.fixed?.answer === "deny")
        return undefined;
      return planned.enforced.find(({ key }) => lines.length(key) > 0);
    }

    /** Whoever gives up is told what was known, unless a try was under way that has decided after all. */
    async function givenUp(): Promise<Told | string> {
      const tried = await underWay;
      if (typeof tried === "string") return tried;
      if (tried && "done" in tried) return tried.done;
      if (!known) return refusedUnasked();
      const { refuser, at } = known;
      const { decision } = refuser;
      const retryAfterMs = Math.max(1, Math.ceil(decision.retryAfterMs - (clock() - at)));
      const refused = await refuse({ ...refuser, decision: { ...decision, retryAfterMs } });
      return typeof refused === "string" ? refused : refused.done;
    }

    /** Whoever stands behind others gets nothing now, whatever there is. */
    async function refusedUnasked(): Promise<Told | string> {
      const planned = plan();
      if (typeof planned === "string") return planned;
      const told = await deciding.peek(planned, cost);
      return { ...told, allowed: false, retryAfterMs: Math.max(1, told.retryAfterMs) };
    }

    try {
      let line = lineBefore(plan());
      for (;;) {
        const tried = await (line ? inLine(line) : attempt(leftMs()));
        if (typeof tried === "string") return tried;
        if ("done" in tried) return tried.done;
        refusedFor(tried.refuser);
        line = tried.refuser;
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
      return givenUp();
    }
  }

  return {
    wait,
    /** How many wait. */
    waiting: () => waitingNow,
    /** Whoever sleeps looks again: the configuration has changed. */
    wake(): void {
      waking.abort();
      waking = new AbortController();
    },
  };
}
