/** Compares limiters on the same decisions for the same keys. */
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import type { Limiter } from "../../lib/limiter/index.ts";
import { inTurns, type Side } from "../measure.ts";

/** Decisions on these keys in turn, so many of them concurrently. */
export interface DecisionLoad {
  decisions: number;
  keys: readonly string[];
  inFlight: number;
}

/**
 * Makes the decisions of a load, continuing with the key after the last one's.
 * Resolves to the number of allowed requests. Rejects when a decision fails.
 */
export type LimiterSide = (load: DecisionLoad) => Promise<number>;

/** Hours long: no window ends while it is measured. */
export const windowMs = 3_600_000;
/** A limit that no load reaches, and one that every check reaches. */
export const wideLimit = 1_000_000_000;
export const narrowLimit = 20;

export function keysOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `post:${index}`);
}

// Each has a loop of its own, as in a program that uses it: in a common one the compiler could inline neither call.

export function ours(limiter: Limiter): LimiterSide {
  return sideOf(async (nextKey) => {
    let allowed = 0;
    for (let key = nextKey(); key !== undefined; key = nextKey())
      if ((await limiter.consume(key)).allowed) allowed += 1;
    return allowed;
  });
}

export function flexible(limiter: RateLimiterAbstract): LimiterSide {
  return sideOf(async (nextKey) => {
    let allowed = 0;
    for (let key = nextKey(); key !== undefined; key = nextKey()) {
      try {
        await limiter.consume(key);
        allowed += 1;
      } catch (error) {
        // So it refuses.
        if (!(error instanceof RateLimiterRes)) throw error;
      }
    }
    return allowed;
  });
}

function sideOf(consumeAll: (nextKey: () => string | undefined) => Promise<number>): LimiterSide {
  let started = 0;
  return async ({ decisions, keys, inFlight }) => {
    const last = started + decisions;
    const nextKey = () => {
      if (started === last) return undefined;
      started += 1;
      return keys[started % keys.length];
    };
    const allowed = await Promise.all(Array.from({ length: inFlight }, () => consumeAll(nextKey)));
    return allowed.reduce((sum, each) => sum + each, 0);
  };
}

/** Milliseconds of this process's CPU time: other programs hardly change it. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The speeds of all sides, by round, in decisions a second of `clock`.
 * Throws when a side has refused a request: refusals do other work.
 */
export function compare<Name extends string>(
  rounds: number,
  sides: Record<Name, LimiterSide>,
  load: DecisionLoad,
  clock = () => performance.now(),
): Promise<Record<Name, number[]>> {
  const timed = Object.entries<LimiterSide>(sides).map(([name, decide]): [string, Side] => [
    name,
    async () => {
      const startedAt = clock();
      const allowed = await decide(load);
      const milliseconds = clock() - startedAt;
      if (allowed !== load.decisions)
        throw new Error(`${name} refused ${load.decisions - allowed} requests.`);
      return (load.decisions / milliseconds) * 1_000;
    },
  ]);
  // Object.fromEntries forgets the names that it was given.
  return inTurns(rounds, Object.fromEntries(timed) as Record<Name, Side>);
}

/**
 * Throws unless each side admits `narrowLimit` requests of each key.
 * Each gets three times as many, ten concurrently.
 */
export async function requireSameDecisions(sides: Record<string, LimiterSide>): Promise<void> {
  const keys = keysOf(2);
  const expected = narrowLimit * keys.length;
  for (const [name, decide] of Object.entries(sides)) {
    const allowed = await decide({ decisions: expected * 3, keys, inFlight: 10 });
    if (allowed !== expected) throw new Error(`${name} admitted ${allowed} where the limit is ${expected}.`);
  }
}
