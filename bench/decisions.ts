/** Limiters, ours and others', compared on the same decisions for the same keys. */
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { inTurns, type Ratio, ratioOf, type Side } from "./measure.ts";

/**
 * A load of decisions, on these keys in turn.
 * `inFlight` are under way at a time.
 */
export interface DecisionLoad {
  decisions: number;
  keys: readonly string[];
  inFlight: number;
}

/**
 * Makes the decisions of a load, continuing with the key after the last one's.
 * Resolves to how many were allowed. Rejects when one could not be made.
 */
export type Subject = (load: DecisionLoad) => Promise<number>;

export interface Library<Answer> {
  consume: (key: string) => Answer | Promise<Answer>;
  isAllowed: (answer: Answer) => boolean;
  /** For a library that refuses by rejecting: whether this error is a refusal. */
  isRefusal?: (error: unknown) => boolean;
}

/** A limit that no load reaches, and one that all reach. */
export const wide = { limit: 1_000_000_000 };
export const narrow = { limit: 20 };

export function keysOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `post:${index}`);
}

export function subject<Answer>({ consume, isAllowed, isRefusal }: Library<Answer>): Subject {
  let started = 0;
  return async ({ decisions, keys, inFlight }) => {
    const last = started + decisions;
    let allowed = 0;
    const consumeInTurn = async () => {
      while (started < last) {
        const key = keys[started % keys.length] ?? "";
        started += 1;
        try {
          if (isAllowed(await consume(key))) allowed += 1;
        } catch (error) {
          if (!isRefusal?.(error)) throw error;
        }
      }
    };
    // Each loop starts its next decision when it has an answer, so `inFlight` of them are under way to the end.
    if (inFlight === 1) await consumeInTurn();
    else await Promise.all(Array.from({ length: inFlight }, consumeInTurn));
    return allowed;
  };
}

/** rate-limiter-flexible, on any store: it refuses by rejecting. */
export function flexibleSubject(limiter: RateLimiterAbstract): Subject {
  return subject({
    consume: (key) => limiter.consume(key),
    isAllowed: () => true,
    isRefusal: (error) => error instanceof RateLimiterRes,
  });
}

/**
 * The speeds of all, by round, in decisions a second. The limit is to be `wide`.
 *
 * @throws Error when one of them refused, or could not decide: then it has done something else than the others
 */
export function compare<Name extends string>(
  rounds: number,
  subjects: Record<Name, Subject>,
  load: DecisionLoad,
): Promise<Record<Name, number[]>> {
  const sides = Object.entries<Subject>(subjects).map(([name, decide]) => [
    name,
    speedOf(name, decide, load),
  ]);
  // Object.fromEntries forgets which names it was given.
  return inTurns(rounds, Object.fromEntries(sides) as Record<Name, Side>);
}

function speedOf(name: string, decide: Subject, load: DecisionLoad): Side {
  return async () => {
    const startedAt = performance.now();
    const allowed = await said(name, decide(load));
    const milliseconds = performance.now() - startedAt;
    if (allowed !== load.decisions)
      throw new Error(`${name} refused ${load.decisions - allowed} of ${load.decisions}.`);
    return (load.decisions / milliseconds) * 1_000;
  };
}

/**
 * Checks that each limits each key by itself, under concurrent decisions too.
 * Given three times as many requests as the `narrow` limit admits, each must admit exactly that limit.
 */
export async function requireSameDecisions(
  subjects: Record<string, Subject>,
  { keyCount = 2 } = {},
): Promise<void> {
  const keys = keysOf(keyCount);
  const expected = narrow.limit * keyCount;
  for (const [name, decide] of Object.entries(subjects)) {
    const allowed = await said(name, decide({ decisions: expected * 3, keys, inFlight: 10 }));
    if (allowed !== expected) throw new Error(`${name} admitted ${allowed} where the limit is ${expected}.`);
  }
}

async function said<T>(name: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new Error(`${name} could not decide: ${error}`, { cause: error });
  }
}

/**
 * How fast one side was beside the fastest of the others.
 * Of the ratios that with the smallest median.
 */
export function besideBest(
  ours: readonly number[],
  peers: Record<string, readonly number[]>,
): { name: string; value: Ratio } {
  const [best] = Object.entries(peers)
    .map(([name, speeds]) => ({ name, value: ratioOf(ours, speeds) }))
    .sort((a, b) => a.value.median - b.value.median);
  if (!best) throw new Error("There is no other limiter to compare with.");
  return best;
}
