/**
 * One part of `limiter.bench.ts`, in a thread of its own.
 *
 * All sides await every decision, and all are timed admitting: rate-limiter-flexible refuses by rejecting its promise,
 * which would compare something else. Rounds are a few milliseconds short, and there are many.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { RateLimiter, TokenBucket } from "limiter";
import { RateLimiterMemory } from "rate-limiter-flexible";
import {
  type Algorithm,
  algorithmDefinition,
  createAlgorithm,
  createLimiter,
  memoryStore,
} from "../lib/limiter/index.ts";
import {
  compare,
  flexibleSubject,
  keysOf,
  narrow,
  requireSameDecisions,
  type Subject,
  subject,
  wide,
} from "./decisions.ts";
import type { MemoryPart } from "./limiter.bench.ts";
import { medianOf, ratioOf } from "./measure.ts";
import type { Figure } from "./table.ts";

const rounds = 300;
// The compiler has seen the code by then.
const warmUpRounds = 50;
const decisionsPerRound = 5_000;
const windowMs = 3_600_000;
const keysInMemory = 50_000;

const part: MemoryPart = workerData;
parentPort?.postMessage(await figuresOf(part));

async function figuresOf(part: MemoryPart): Promise<Figure[]> {
  if (part === "limiter") return limiterFigures();
  // A detector has no number as its limit: it refuses requests that arrive much faster than usual, and none does here.
  if (algorithmOf(part, narrow.limit).limit !== null)
    await requireSameDecisions({ [part]: ours(part, narrow), flexible: flexible(narrow) });
  return [...(await costs(part, 1)), ...(await costs(part, 1_000)), await bytes(part, ours(part, wide))];
}

async function costs(part: Compared, keyCount: number): Promise<Figure[]> {
  const speeds = await speedsOf({ weir: ours(part, wide), flexible: flexible(wide) }, keyCount);
  const name = `${part}, ${keyCount.toLocaleString("en")} ${keyCount === 1 ? "key" : "keys"}`;
  const ratio = ratioOf(speeds.weir, speeds.flexible);
  return [
    { name, value: microseconds(speeds.weir), unit: "µs", target: { below: 0.5 } },
    { name: `${name}: times as fast as rate-limiter-flexible`, value: ratio, target: { atLeast: 1 } },
  ];
}

async function limiterFigures(): Promise<Figure[]> {
  const { rateLimiter, bucket } = limiterPackage(narrow);
  await requireSameDecisions({ rateLimiter, bucket }, { keyCount: 1 });
  const sides = { weir: ours("token-bucket", wide), flexible: flexible(wide), ...limiterPackage(wide) };
  const speeds = await speedsOf(sides, 1);
  const figure = (name: string, times: number[]): Figure => ({
    name,
    value: microseconds(times),
    unit: "µs",
  });
  return [
    figure("limiter's RateLimiter, which has no keys", speeds.rateLimiter),
    figure("limiter's TokenBucket, which has no keys", speeds.bucket),
    figure("beside them: token-bucket, 1 key", speeds.weir),
    figure("beside them: rate-limiter-flexible, 1 key", speeds.flexible),
    await bytes("rate-limiter-flexible", flexible(wide)),
    await bytes("limiter, a RateLimiter for each key", rateLimiters()),
  ];
}

async function speedsOf<Name extends string>(subjects: Record<Name, Subject>, keyCount: number) {
  const load = { decisions: decisionsPerRound, keys: keysOf(keyCount), inFlight: 1 };
  await compare(warmUpRounds, subjects, load);
  return compare(rounds, subjects, load);
}

function microseconds(speeds: number[]): number {
  return 1_000_000 / medianOf(speeds);
}

type Compared = Exclude<MemoryPart, "limiter">;

/** The algorithm with those of these settings that it has. */
function algorithmOf(algorithm: Compared, limit: number): Algorithm<unknown> {
  const rate = 0.01;
  const limits = { capacity: limit, limit, threshold: 50 };
  const all = { ...limits, leakPerSecond: rate, refillPerSecond: rate, ratePerSecond: rate, windowMs };
  const { settings } = algorithmDefinition(algorithm);
  const own = Object.entries(all).filter(([name]) => Object.hasOwn(settings, name));
  return createAlgorithm({ algorithm, ...Object.fromEntries(own) });
}

function ours(part: Compared, { limit }: typeof wide): Subject {
  return limiterOf(algorithmOf(part, limit));
}

function limiterOf<S>(algorithm: Algorithm<S>): Subject {
  const limiter = createLimiter({ algorithm, store: memoryStore() });
  return subject({ consume: (key) => limiter.consume(key), isAllowed: ({ allowed }) => allowed });
}

function flexible({ limit }: typeof wide): Subject {
  return flexibleSubject(new RateLimiterMemory({ points: limit, duration: windowMs / 1_000 }));
}

/**
 * `RateLimiter` returns -1 when it refuses.
 * `TokenBucket` is tried without waiting, since its other call only waits.
 */
function limiterPackage({ limit }: typeof wide) {
  const rateLimiter = rateLimiterOf(limit);
  const bucket = new TokenBucket({ bucketSize: limit, tokensPerInterval: 0.01, interval: 1_000 });
  bucket.content = limit;
  return {
    rateLimiter: subject({ consume: () => rateLimiter.removeTokens(1), isAllowed: (left) => left >= 0 }),
    bucket: subject({ consume: () => bucket.tryRemoveTokens(1), isAllowed: (removed) => removed }),
  };
}

function rateLimiterOf(limit: number): RateLimiter {
  return new RateLimiter({ tokensPerInterval: limit, interval: windowMs, fireImmediately: true });
}

/** The usual way of an application to have keys. */
function rateLimiters(): Subject {
  const limiters = new Map<string, RateLimiter>();
  const consume = (key: string) => {
    const limiter = limiters.get(key) ?? rateLimiterOf(wide.limit);
    limiters.set(key, limiter);
    return limiter.removeTokens(1);
  };
  return subject({ consume, isAllowed: (left) => left >= 0 });
}

/** The heap's growth by the states of many keys, the keys' names included. */
async function bytes(name: string, decide: Subject): Promise<Figure> {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  // Objects that are made once, and belong to no key, exist before.
  await decide({ decisions: 1, keys: ["first"], inFlight: 1 });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  // The names are made here, so that they count where they are kept.
  await decide({ decisions: keysInMemory, keys: keysOf(keysInMemory), inFlight: 1 });
  collectGarbage();
  const value = (process.memoryUsage().heapUsed - before) / keysInMemory;
  // So the limiter is in use until here, and its states are not garbage.
  await decide({ decisions: 1, keys: ["first"], inFlight: 1 });
  return { name: `${name}: bytes per key`, value, unit: "B" };
}
