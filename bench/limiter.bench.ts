/**
 * What one decision costs, in one process, beside rate-limiter-flexible's memory limiter on the same keys.
 *
 * Both sides await every decision. The limits are so wide that both always allow: the peer refuses by rejecting its
 * promise, which costs it a stack trace, and that would compare something else. Rounds are a few milliseconds short and alternate,
 * in one order and then in the other; ratios are taken within a round, so that what else the machine does hits both sides alike.
 * Medians are shown.
 */
import { pathToFileURL } from "node:url";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { createLimiter, ema, fixedWindow, leakyBucket, memoryStore } from "../lib/limiter/index.ts";

const ROUNDS = 300;
// The compiler has seen the code by then.
const WARM_UP_ROUNDS = 50;
const DECISIONS_PER_ROUND = 5_000;

export type LimiterBenchRow = { subject: string; keys: number; nanoseconds: number; timesPeer: number };

type Subject = { name: string; decide: (key: string) => Promise<unknown> };

/** Runs the whole comparison in about ten seconds. `timesPeer` is how many times faster than the peer on the same keys. */
export async function run(): Promise<LimiterBenchRow[]> {
  return [...(await compare(1)), ...(await compare(1000))];
}

async function compare(keyCount: number): Promise<LimiterBenchRow[]> {
  const keys = Array.from({ length: keyCount }, (_, index) => `post:${index}`);
  const peer = new RateLimiterMemory({ points: 1_000_000_000, duration: 3600 });
  const bucket = createLimiter({
    algorithm: leakyBucket({ capacity: 1_000_000_000, leakPerSecond: 10 }),
    store: memoryStore(),
  });
  const window = createLimiter({
    algorithm: fixedWindow({ limit: 1_000_000_000, windowMs: 3_600_000 }),
    store: memoryStore(),
  });
  const detector = createLimiter({ algorithm: ema({ threshold: 50 }), store: memoryStore() });
  const subjects: Subject[] = [
    { name: "weir leaky-bucket", decide: (key) => bucket.consume(key) },
    { name: "weir fixed-window", decide: (key) => window.consume(key) },
    { name: "weir ema", decide: (key) => detector.consume(key) },
    { name: "rate-limiter-flexible", decide: (key) => peer.consume(key) },
  ];
  const timings = subjects.map((subject) => ({ subject, nanoseconds: [] as number[] }));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const { subject, nanoseconds } of round % 2 === 0 ? timings : timings.toReversed()) {
      const measured = await nanosecondsPerDecision(subject, keys);
      if (round >= WARM_UP_ROUNDS) nanoseconds.push(measured);
    }
  }
  const peerTimes = timings.at(-1)?.nanoseconds ?? [];
  return timings.map(({ subject, nanoseconds }) => ({
    subject: subject.name,
    keys: keyCount,
    nanoseconds: median(nanoseconds),
    timesPeer: median(nanoseconds.map((ours, round) => (peerTimes[round] ?? Number.NaN) / ours)),
  }));
}

async function nanosecondsPerDecision({ decide }: Subject, keys: string[]): Promise<number> {
  const start = process.hrtime.bigint();
  let decisions = 0;
  while (decisions < DECISIONS_PER_ROUND) {
    for (const key of keys) await decide(key);
    decisions += keys.length;
  }
  return Number(process.hrtime.bigint() - start) / decisions;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function print(rows: LimiterBenchRow[]): void {
  console.log("one decision in memory (every request allowed)");
  console.log(["limiter".padEnd(24), "keys".padStart(6), "ns".padStart(7), "× peer".padStart(8)].join(""));
  for (const { subject, keys, nanoseconds, timesPeer } of rows) {
    const cells = [
      String(keys).padStart(6),
      nanoseconds.toFixed(0).padStart(7),
      timesPeer.toFixed(2).padStart(8),
    ];
    console.log(subject.padEnd(24) + cells.join(""));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) print(await run());
