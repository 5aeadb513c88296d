/**
 * How far the limit is exceeded, with messages as late as the test sets.
 * Each round is one delay: no service receives a grant of the round before it ends, and all receive them when the next
 * one begins.
 */
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
  boundOfBucket,
  boundOfWindow,
  type Grant,
  inAnySecond,
  windowsOf,
} from "../bench/service/peers-bounds.ts";
import {
  type Algorithm,
  createPolicyLimiter,
  fixedWindow,
  leakyBucket,
  memoryStore,
  slidingLog,
  tokenBucket,
} from "../lib/limiter/index.ts";
import { connectAll, type PeerService, startPeerServices } from "../testing/peer-services.ts";
import { countPeerEvent } from "./peers/count.ts";
import type { PeerEvent } from "./peers/message.ts";

const begin = Date.UTC(2026, 5, 10, 12);
const windowMs = 1_000;
const limit = 6;

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

async function start<S>(count: number, makeAlgorithm: () => Algorithm<S>) {
  const started = await startPeerServices(count, makeAlgorithm, begin);
  close = started.close;
  return started;
}

/**
 * Sends each service a number of requests before any receives another's grants.
 * Resolves to the grants of each.
 */
async function round(services: readonly PeerService[], load: number): Promise<number> {
  const requests = services.flatMap((service) => Array.from({ length: load }, () => service.consume("key")));
  const granted = (await Promise.all(requests)).filter(Boolean).length;
  await connectAll(services);
  return granted;
}

const cases = [1, 2, 4].flatMap((count) => [1, 2, 5, limit, 2 * limit].map((load) => ({ count, load })));

test.each(cases)(
  "$count services with $load requests each within a delay grant in a window exactly the most that the theorem allows",
  async ({ count, load }) => {
    const { services, clocks } = await start(count, () => fixedWindow({ limit, windowMs, anchor: "clock" }));
    for (const startsAt of [begin, begin + 5 * windowMs]) {
      for (const clock of clocks) clock.now = startsAt;
      let granted = 0;
      // The expected grants: all services have the same counts, and each grants the rest that it computes.
      let expected = 0;
      for (let passes = 0; passes <= limit; passes += 1) {
        expected += count * Math.min(load, Math.max(0, limit - expected));
        granted += await round(services, load);
      }
      expect(granted).toBe(expected);
      expect(granted).toBeLessThanOrEqual(limit + (count - 1) * Math.min(limit, load));
      expect(granted).toBeGreaterThanOrEqual(limit);
    }
  },
);

test.each([
  { name: "leaky bucket", make: () => leakyBucket({ capacity: limit, leakPerSecond: 10 }) },
  { name: "token bucket", make: () => tokenBucket({ capacity: limit, refillPerSecond: 10 }) },
])(
  "Services with a $name each keep to its rate in the long run, however late grants arrive",
  async ({ make }) => {
    const [count, load, delayMs, rounds] = [3, 4, 130, 40];
    const { services, clocks } = await start(count, make);
    const granted: number[] = [];
    for (let index = 0; index < rounds; index += 1) {
      granted.push(await round(services, load));
      for (const clock of clocks) clock.now += delayMs;
    }
    for (const [from] of granted.entries())
      for (let until = from + 1; until <= rounds; until += 1) {
        const seconds = ((until - 1 - from) * delayMs) / 1000;
        const total = granted.slice(from, until).reduce((sum, each) => sum + each, 0);
        expect(total).toBeLessThanOrEqual(limit + 10 * seconds + (count - 1) * load);
      }
    const all = granted.reduce((sum, each) => sum + each, 0);
    expect(all).toBeGreaterThanOrEqual((10 * (rounds - 1) * delayMs) / 1000);
  },
);

test("exceed a sliding log in no interval by more than the others' grants within a delay", async () => {
  const [count, load, delayMs, rounds] = [3, 2, 170, 30];
  const { services, clocks } = await start(count, () => slidingLog({ limit, windowMs }));
  const granted: number[] = [];
  for (let index = 0; index < rounds; index += 1) {
    granted.push(await round(services, load));
    for (const clock of clocks) clock.now += delayMs;
  }
  const roundsOfAWindow = Math.ceil(windowMs / delayMs);
  for (const [from] of granted.entries()) {
    const total = granted.slice(from, from + roundsOfAWindow).reduce((sum, each) => sum + each, 0);
    expect(total).toBeLessThanOrEqual(limit + (count - 1) * load);
  }
  expect(Math.max(...granted)).toBeGreaterThan(0);
});

test("date a grant by its decision, however late it is published", async () => {
  const { services, clocks } = await start(2, () => fixedWindow({ limit, windowMs, anchor: "clock" }));
  const [here, there] = services;
  // The first window ends between the decision and all that follows from it.
  const times = Array<number>(limit).fill(begin + windowMs - 1);
  for (const clock of clocks)
    Object.defineProperty(clock, "now", { get: () => times.shift() ?? begin + windowMs });
  const granted = await Promise.all(Array.from({ length: limit }, () => here?.consume("key")));
  expect(granted).toEqual(Array(limit).fill(true));
  await connectAll(services);
  expect(await there?.used("key")).toBe(0);
  expect(await round(services, limit)).toBe(2 * limit);
});

/**
 * Services in one process.
 * Another's grants arrive when the test delivers them, and time may pass at any reading of the clock.
 */
function simulatedServices(count: number, algorithm: Algorithm<unknown>, steps: Iterator<number>) {
  let now = begin;
  const clock = () => {
    now += steps.next().value ?? 0;
    return now;
  };
  const grants: Grant[] = [];
  let delayMs = 0;
  const services = Array.from({ length: count }, (_, index) => {
    const store = memoryStore({ clock });
    const pending: PeerEvent[] = [];
    const limiter = createPolicyLimiter({
      store,
      onCounted({ kind, check, cost, at }) {
        grants.push({ at, from: String(index) });
        for (const [other, { pending }] of services.entries())
          if (other !== index) pending.push({ kind, policy: "demo", key: check.key, cost, at });
      },
    });
    const policy = { name: "demo", mode: "enforce", outage: "closed", algorithm } as const;
    return {
      pending,
      consume: () => limiter.consume([{ policy, key: "key", counts: "key" }], 1),
      async apply(events: number) {
        for (const event of pending.splice(0, events)) {
          await countPeerEvent(store, algorithm, event);
          delayMs = Math.max(delayMs, clock() - event.at);
        }
      },
    };
  });
  return { services, grants, delayMs: () => delayMs };
}

const act = fc.record({ service: fc.nat(3), requests: fc.nat(4), applied: fc.nat(6) });

test.each([
  ["fixed window", () => fixedWindow({ limit, windowMs: 20, anchor: "clock" })],
  ["leaky bucket", () => leakyBucket({ capacity: limit, leakPerSecond: 300 })],
])("four services with a %s keep to the theorem at whatever point time passes", async (name, make) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 20, maxLength: 120 }),
      fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 1, 7)),
      async (acts, steps) => {
        const { services, grants, delayMs } = simulatedServices(4, make(), steps);
        for (const { service, requests, applied } of acts) {
          await services[service]?.apply(applied);
          await Promise.all(Array.from({ length: requests }, () => services[service]?.consume()));
        }
        for (const service of services) await service.apply(Number.POSITIVE_INFINITY);
        if (name === "fixed window") {
          for (const { grants: inWindow } of windowsOf(grants, 20))
            expect(inWindow.length).toBeLessThanOrEqual(
              boundOfWindow(inWindow, { limit, delayMs: delayMs() }),
            );
        } else {
          const bucket = { capacity: limit, leakPerSecond: 300, delayMs: delayMs() };
          for (const inASecond of inAnySecond(grants))
            expect(inASecond.length).toBeLessThanOrEqual(boundOfBucket(inASecond, bucket));
        }
      },
    ),
    { numRuns: 300, seed: 1 },
  );
});

describe("services without messages", () => {
  test.each([2, 4])("grant the limit each, and no more, when there are %d", async (count) => {
    const alone = await Promise.all(
      Array.from({ length: count }, () =>
        startPeerServices(1, () => fixedWindow({ limit, windowMs, anchor: "clock" }), begin),
      ),
    );
    close = async () => void (await Promise.all(alone.map((one) => one.close())));
    let granted = 0;
    for (const { services } of alone) granted += await round(services, 3 * limit);
    expect(granted).toBe(count * limit);
  });
});
