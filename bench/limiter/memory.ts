/**
 * One algorithm's decisions in memory beside rate-limiter-flexible's, in CPU time.
 * A process of its own for each algorithm: the JIT compiler optimises code for the types it has seen.
 */
import { RateLimiterMemory } from "rate-limiter-flexible";
import { algorithmDefinition, createAlgorithm, createLimiter, memoryStore } from "../../lib/limiter/index.ts";
import { ratioOf } from "../measure.ts";
import type { Figure } from "../table.ts";
import { executeTasks } from "../worker.ts";
import {
  compare,
  cpuMs,
  flexible,
  keysOf,
  type LimiterSide,
  narrowLimit,
  ours,
  requireSameDecisions,
  wideLimit,
  windowMs,
} from "./compare.ts";

const rounds = 300;
/** The compiler has seen the code by then. */
const warmUpRounds = 100;
const decisionsPerRound = 10_000;

executeTasks(async (algorithm: string): Promise<Figure[]> => {
  // The detector of floods has no limit to reach.
  if (algorithm !== "ema")
    await requireSameDecisions({
      [algorithm]: limiterOf(algorithm, narrowLimit),
      "rate-limiter-flexible": flexibleOf(narrowLimit),
    });
  const figures: Figure[] = [];
  for (const [name, keyCount] of [
    ["1 key", 1],
    ["1,000 keys", 1_000],
  ] as const) {
    const sides = { weir: limiterOf(algorithm, wideLimit, keyCount), flexible: flexibleOf(wideLimit) };
    const load = { decisions: decisionsPerRound, keys: keysOf(keyCount), inFlight: 1 };
    await compare(warmUpRounds, sides, load, cpuMs);
    const speeds = await compare(rounds, sides, load, cpuMs);
    const value = ratioOf(speeds.weir, speeds.flexible);
    figures.push({ name: `memory, ${algorithm}, ${name}`, value, target: { atLeast: 1 } });
  }
  return figures;
});

function flexibleOf(limit: number): LimiterSide {
  return flexible(new RateLimiterMemory({ points: limit, duration: windowMs / 1_000 }));
}

function limiterOf(algorithm: string, limit: number, keyCount = 1): LimiterSide {
  // A log cannot be as long as the wide limit: of each key it holds the newest ten requests, a millisecond apart.
  const isLog = algorithm === "sliding-log" && limit === wideLimit;
  let elapsedMs = 0;
  const clock = () => {
    elapsedMs += 1;
    return Date.now() + elapsedMs;
  };
  const settings = isLog ? { limit: 1_000, windowMs: 10 * keyCount } : settingsOf(algorithm, limit);
  return ours(
    createLimiter({
      algorithm: createAlgorithm({ algorithm, ...settings }),
      store: memoryStore(),
      ...(isLog && { clock }),
    }),
  );
}

/** The settings of the algorithm, of all that make this limit. */
function settingsOf(algorithm: string, limit: number): Record<string, unknown> {
  const rate = 0.01;
  const all = {
    ...{ capacity: limit, leakPerSecond: rate, refillPerSecond: rate, ratePerSecond: rate },
    ...{ limit, windowMs, threshold: 50, freePerDay: limit - 1 },
    beyond: { algorithm: "fixed-window", limit: 1, windowMs },
  };
  const own = algorithmDefinition(algorithm).settings;
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(own, name)));
}
