/**
 * Lines of those who wait for a key, and how long a line takes.
 *
 * A line is kept in this process. Whoever joins stands behind all who joined before, however they leave: let in, refused or
 * given up. A key without waiters takes no memory.
 */
import type { Algorithm, Decision, Sleep } from "./types.ts";

export type Place = {
  /** What those still ahead want, first come first. */
  costsAhead(): number[];
  /** Comes when all of them have left. */
  turn: Promise<void>;
  /**
   * Asks the store, after all in this line who asked before have had their answer. Whoever leaves upon the answer must leave within
   * `ask`: otherwise the next one would count them once in the state and once in the line.
   */
  inOrder<T>(ask: () => Promise<T>): Promise<T>;
  /** Must be called, whatever happens; a second time does nothing. */
  leave(): void;
};

export type Lines = ReturnType<typeof waitingLines>;

/** `wants` is in order of arrival. Nothing is kept of those who have left, however long those before them stay. */
type Line = { wants: Map<number, Want>; joined: number; asked: Promise<unknown> };
type Want = { cost: number; comeFirst(): void };

export function waitingLines() {
  const lines = new Map<string, Line>();

  function lineOf(key: string): Line {
    const line = lines.get(key) ?? { wants: new Map(), joined: 0, asked: Promise.resolve() };
    lines.set(key, line);
    return line;
  }

  return {
    /** How many wait for a key. */
    length: (key: string) => lines.get(key)?.wants.size ?? 0,
    join(key: string, cost: number): Place {
      const line = lineOf(key);
      const { promise: turn, resolve: comeFirst } = Promise.withResolvers<void>();
      const number = line.joined;
      line.joined += 1;
      line.wants.set(number, { cost, comeFirst });
      callFirst(line);
      return {
        costsAhead() {
          const costs = [];
          for (const [other, { cost }] of line.wants) {
            if (other >= number) break;
            costs.push(cost);
          }
          return costs;
        },
        turn,
        inOrder(ask) {
          const answer = line.asked.then(ask);
          line.asked = answer.catch(() => undefined);
          return answer;
        },
        leave() {
          if (!line.wants.delete(number)) return;
          if (line.wants.size === 0 && lines.get(key) === line) lines.delete(key);
          callFirst(line);
        },
      };
    },
  };
}

function callFirst({ wants }: Line): void {
  const [first] = wants.values();
  first?.comeFirst();
}

/**
 * Stands in the line of a key until `ask` has an answer. `ask` is told what those ahead want; it answers, or says for how many
 * milliseconds there is nothing to ask. Behind others that number does not count: it asks again when they have left. Rejects as
 * `ask` does, or with the signal's reason.
 */
export async function inTurn<T>(
  lines: Lines,
  { key, cost, sleep, signal }: { key: string; cost: number; sleep: Sleep; signal?: AbortSignal | undefined },
  ask: (costsAhead: readonly number[]) => Promise<{ answer: T } | { waitMs: number }>,
): Promise<T> {
  signal?.throwIfAborted();
  const place = lines.join(key, cost);
  async function askOrLeave() {
    signal?.throwIfAborted();
    const costsAhead = place.costsAhead();
    const asked = await ask(costsAhead);
    if ("answer" in asked) place.leave();
    return { asked, behind: costsAhead.length > 0 };
  }
  try {
    for (;;) {
      const { asked, behind } = await unlessAborted(place.inOrder(askOrLeave), signal);
      if ("answer" in asked) return asked.answer;
      if (behind) await unlessAborted(place.turn, signal);
      else await sleep(asked.waitMs, signal);
    }
  } finally {
    place.leave();
  }
}

/** Where a line ends: the state once all in it have passed, one after the other and nobody else, and the time of the last. */
export type LineEnd<S> = { state: S | undefined; at: number };

/** The end of a line when one more has joined it; undefined when what they want can never fit. */
export function joinedBy<S>(
  algorithm: Algorithm<S>,
  { state, at }: LineEnd<S>,
  cost: number,
): LineEnd<S> | undefined {
  const { decision, next = state } = algorithm.step(state, at, cost);
  if (decision.reason.neverFits) return undefined;
  if (decision.allowed) return { state: next, at };
  const passesAt = at + decision.retryAfterMs;
  return { state: algorithm.step(next, passesAt, cost).next ?? next, at: passesAt };
}

/** The promise's outcome, or the signal's reason, whichever is first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: outcome, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  promise.then(resolve, reject);
  return outcome.finally(() => signal.removeEventListener("abort", abort));
}

/** What is told to who must stand behind others. */
export type Behind<S> = {
  /** The decision as it is without them, refused, with the time until it is their turn and they pass. */
  decision: Decision;
  /** That time; infinite when they want what can never fit, or somebody ahead does: nobody knows how long those stay. */
  waitMs: number;
  /** The end of the line of those ahead, and the time at which this was told; undefined when the wait is infinite. */
  ahead: { end: LineEnd<S>; now: number } | undefined;
};

/** Takes a step for each of those ahead: `joinedBy` is for who knows the line's end. */
export function decideBehind<S>(
  algorithm: Algorithm<S>,
  saved: S | undefined,
  now: number,
  costsAhead: readonly number[],
  cost: number,
): Behind<S> {
  const { decision } = algorithm.step(saved, now, cost);
  const refused = { ...decision, allowed: false };
  const never = { decision: refused, waitMs: Number.POSITIVE_INFINITY, ahead: undefined };
  if (decision.reason.neverFits) return never;
  let end: LineEnd<S> | undefined = { state: saved, at: now };
  for (const each of costsAhead) {
    end = joinedBy(algorithm, end, each);
    if (!end) return never;
  }
  const waitMs = (joinedBy(algorithm, end, cost) ?? end).at - now;
  return { decision: { ...refused, retryAfterMs: waitMs }, waitMs, ahead: { end, now } };
}

// A timer that is set for longer goes off at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** By the machine's timers. May be early when the time is longer than those can be set for. */
export const machineSleep: Sleep = (ms, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
  });
  return unlessAborted(slept, signal).finally(() => clearTimeout(timer));
};
