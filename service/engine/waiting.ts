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

/**
 * What was last told to somebody who stood behind so many. To find that out takes the longer the longer the line is, so it is
 * believed for a second: who is turned away by it may ask again as often as they like. Times are those of `clock`.
 */
interface Forecast {
  ahead: number;
  cost: number;
  refuser: Decided<Step>;
  passesAt: number;
  toldAt: number;
}
const forecastLastsMs = 1_000;

/** Whoever is to pass at the very end of their wait must have had their turn by then: timers do not go off in order. */
const graceMs = 20;

/** How many milliseconds are left to who is to be decided now, whatever a wait would bring. */
const noneLeft = Number.NEGATIVE_INFINITY;

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
  const forecasts = new Map<string, Forecast>();
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
        return attempt(noneLeft);
      waitingNow += 1;
      // Those ahead may stay for longer than it seemed, when others take what they wait for.
      const late = new AbortController();
      const ended = new AbortController();
      sleep(Math.max(0, leftMs()) + graceMs, ended.signal).then(
        () => late.abort(),
        () => {},
      );
      const giveUp = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
      const place = { key: step.key, cost, sleep: lightSleep, signal: giveUp };
      try {
        return await inTurn<Tried | string>(lines, place, async (costsAhead) => {
          if (costsAhead.length === 0) {
            const tried = await attempt(leftMs());
            if (typeof tried === "string" || "done" in tried) return { answer: tried };
            refusedFor(tried.refuser);
            const staysFirst = tried.refuser.key === step.key;
            return staysFirst ? { waitMs: tried.refuser.decision.retryAfterMs } : { answer: tried };
          }
          const latest = forecasts.get(step.key);
          if (latest && isTooLong(latest, costsAhead.length)) {
            const retryAfterMs = Math.ceil(latest.passesAt - clock());
            const refuser = { ...step, decision: { ...latest.refuser.decision, retryAfterMs } };
            return { answer: await refuse(refuser) };
          }
          const told = await deciding.policies.behind(step, costsAhead, cost);
          // Nobody knows how long the line takes: the policies say what happens in an outage.
          if (!told) return { answer: await attempt(noneLeft) };
          const refuser = { ...step, decision: told.decision };
          refusedFor(refuser);
          const toldAt = clock();
          const passesAt = toldAt + told.waitMs;
          // Who has given up meanwhile may have been the last in the line, with which its forecast has gone.
          if (!giveUp.aborted)
            forecasts.set(step.key, { ahead: costsAhead.length, cost, refuser, passesAt, toldAt });
          return told.waitMs <= leftMs() ? { waitMs: told.waitMs } : { answer: await refuse(refuser) };
        });
      } catch (error) {
        if (!late.signal.aborted || signal?.aborted) throw error;
        const told = await givenUp();
        return typeof told === "string" ? told : { done: told };
      } finally {
        ended.abort();
        waitingNow -= 1;
        if (lines.length(step.key) === 0) forecasts.delete(step.key);
      }
    }

    /** Behind as many as those who were told, or more, and for as much: it cannot be shorter. */
    function isTooLong({ ahead, cost: itsCost, passesAt, toldAt }: Forecast, aheadNow: number): boolean {
      const now = clock();
      const holds = now - toldAt < forecastLastsMs && aheadNow >= ahead && cost >= itsCost;
      return holds && passesAt - now > leftMs();
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
    /** How many stand in lines. */
    waitingNow: () => waitingNow,
    /** Whoever sleeps looks again: the configuration has changed. */
    wake(): void {
      forecasts.clear();
      waking.abort();
      waking = new AbortController();
    },
  };
}
