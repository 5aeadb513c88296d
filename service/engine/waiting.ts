/**
 * Waiting to be let in: in the line of the policy that refuses, in order of arrival, as long as it is worth it. What
 * counts is the configuration of the moment at which a request is decided.
 */
import {
  type Decision,
  inTurn,
  joinedBy,
  type LineEnd,
  type Sleep,
  waitingLines,
} from "../../lib/limiter/index.ts";
import type { Decided } from "../../lib/policies-on-store.ts";
import type { Told } from "./answers.ts";
import type { Deciding, Tried } from "./deciding.ts";
import type { Plan, Step } from "./plan.ts";

/** How many may wait. Who finds so many is refused at once. */
const mostWaiting = { inAll: 10_000, inOneLine: 1_000 };

/**
 * How long a line takes, as far as is known. To find that out takes a step for each who stands in it, so it is believed for a
 * second, and goes on by one step for each who joins: however many come, nobody else is held up by them.
 */
interface Forecast {
  /** Of all who stand in the line, in the store's time, and the same instant in that of `clock`. */
  end: LineEnd<unknown>;
  endsAt: number;
  /** What the first who asked was told of the state. */
  decision: Decision;
  /** In the time of `clock`. */
  madeAt: number;
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
  /** Of those who sleep, which are the first of each line. */
  const sleepers = new Map<string, AbortController>();

  /** Sleeps, and is woken early by `wake`. */
  async function sleepLightly(key: string, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const waking = new AbortController();
    sleepers.set(key, waking);
    try {
      await sleep(ms, signal ? AbortSignal.any([signal, waking.signal]) : waking.signal);
    } catch (error) {
      if (signal?.aborted || !waking.signal.aborted) throw error;
    } finally {
      if (sleepers.get(key) === waking) sleepers.delete(key);
    }
  }

  /** What was known of a line holds no more: its first looks again. */
  function wake(key: string): void {
    forecasts.delete(key);
    sleepers.get(key)?.abort();
  }

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
      if (waitingNow >= mostWaiting.inAll || lines.length(step.key) >= mostWaiting.inOneLine) {
        // Asked now they could pass those who wait.
        const told = await refusedUnasked();
        return typeof told === "string" ? told : { done: told };
      }
      waitingNow += 1;
      let stands = false;
      // Those ahead may stay for longer than it seemed, when others take what they wait for.
      const late = new AbortController();
      const ended = new AbortController();
      sleep(Math.max(0, leftMs()) + graceMs, ended.signal).then(
        () => late.abort(),
        () => {},
      );
      const giveUp = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
      const sleepHere: Sleep = (ms, signal) => sleepLightly(step.key, ms, signal);
      const place = { key: step.key, cost, sleep: sleepHere, signal: giveUp };
      let passed = false;
      try {
        const tried = await inTurn<Tried | string>(lines, place, async (costsAhead) => {
          if (costsAhead.length === 0) {
            const tried = await attempt(leftMs());
            if (typeof tried === "string" || "done" in tried) return { answer: tried };
            refusedFor(tried.refuser);
            const staysFirst = tried.refuser.key === step.key;
            stands ||= staysFirst;
            return staysFirst ? { waitMs: tried.refuser.decision.retryAfterMs } : { answer: tried };
          }
          const forecast = await forecastOf(step, costsAhead);
          // Nobody knows how long the line takes: the policies say what happens in an outage.
          if (!forecast) return { answer: await attempt(noneLeft) };
          if ("refused" in forecast) return { answer: await refuse({ ...step, decision: forecast.refused }) };
          const { end, endsAt, decision } = forecast;
          const joined = joinedBy(step.policy.algorithm, end, cost);
          if (!joined) {
            const { decision: refused } = step.policy.algorithm.step(end.state, end.at, cost);
            return { answer: await refuse({ ...step, decision: refused }) };
          }
          const passesAt = endsAt + (joined.at - end.at);
          const waitMs = Math.max(0, Math.ceil(passesAt - clock()));
          const refuser = { ...step, decision: { ...decision, retryAfterMs: waitMs } };
          refusedFor(refuser);
          stands = waitMs <= leftMs();
          // Who has given up meanwhile may have been the last in the line, with which its forecast has gone.
          if (!giveUp.aborted)
            forecasts.set(step.key, stands ? { ...forecast, end: joined, endsAt: passesAt } : forecast);
          return stands ? { waitMs } : { answer: await refuse(refuser) };
        });
        passed = typeof tried !== "string" && "done" in tried && tried.done.allowed;
        return tried;
      } catch (error) {
        if (!late.signal.aborted || signal?.aborted) throw error;
        const told = await givenUp();
        return typeof told === "string" ? told : { done: told };
      } finally {
        ended.abort();
        waitingNow -= 1;
        // Who was expected to pass and leaves otherwise makes the line shorter.
        if (lines.length(step.key) === 0 || (stands && !passed)) forecasts.delete(step.key);
      }
    }

    /** Of the line as it stands; a refusal when its end can never be reached; undefined when nobody knows. */
    async function forecastOf(
      step: Step,
      costsAhead: readonly number[],
    ): Promise<Forecast | { refused: Decision } | undefined> {
      const latest = forecasts.get(step.key);
      if (latest && clock() - latest.madeAt < forecastLastsMs) return latest;
      const told = await deciding.policies.behind(step, costsAhead, cost);
      if (!told?.ahead) return told && { refused: told.decision };
      const { end, now } = told.ahead;
      const madeAt = clock();
      return { end, endsAt: madeAt + (end.at - now), decision: told.decision, madeAt };
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
    wake,
    /** The configuration has changed. */
    wakeAll(): void {
      for (const key of new Set([...forecasts.keys(), ...sleepers.keys()])) wake(key);
    },
  };
}
