import { setImmediate as immediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { manualClock } from "../../testing/manual-clock.ts";
import type { PolicyCheck } from "./decide.ts";
import { forecastOf } from "./forecast.ts";
import { createLimiter, fixedWindow, leakyBucket, memoryStore, storeFrom } from "./index.ts";
import { KeyQueue } from "./key-queue.ts";
import type { Policy } from "./policy.ts";
import { machineSleep } from "./sleep.ts";
import type { Algorithm } from "./types.ts";
import { createWaiting } from "./wait.ts";
import { withResolvers } from "./with-resolvers.ts";

/** A limiter whose clock is advanced by the test, which wakes sleepers. */
function limiterByHand<S>(algorithm: Algorithm<S>) {
  const { clock, sleep, advance, sleepers } = manualClock(1_000_000);
  return { limiter: createLimiter({ algorithm, store: memoryStore(), clock, sleep }), advance, sleepers };
}

/** The settled promises so far, in order. */
function outcomes(promises: Record<string, Promise<unknown>>): string[] {
  const settled: string[] = [];
  for (const [name, promise] of Object.entries(promises)) {
    promise.then(
      (value) => {
        const granted = typeof value === "object" && value !== null && "allowed" in value && value.allowed;
        settled.push(`${name} ${granted ? "granted" : "refused"}`);
      },
      (reason) => settled.push(`${name} ${String(reason)}`),
    );
  }
  return settled;
}

afterEach(() => vi.useRealTimers());

describe("wait", () => {
  it("near the window's end waits and then grants, instead of refusing", async () => {
    const { limiter, advance } = limiterByHand(fixedWindow({ limit: 5, windowMs: 800 }));
    await limiter.consume("lock", 5);
    await advance(700);
    const settled = outcomes({ patient: limiter.wait("lock", { maxWaitMs: 100 }) });
    await advance(99);
    expect(settled).toEqual([]);
    await advance(1);
    expect(settled).toEqual(["patient granted"]);
    expect((await limiter.peek("lock")).remaining).toBe(4);
  });

  it("grants at once a request without a wait, and refuses at once one with too long a wait", async () => {
    const { limiter, sleepers } = limiterByHand(fixedWindow({ limit: 1, windowMs: 800 }));
    expect((await limiter.wait("key", { maxWaitMs: 0 })).allowed).toBe(true);
    expect(await limiter.wait("key", { maxWaitMs: 799 })).toMatchObject({
      allowed: false,
      retryAfterMs: 800,
    });
    expect((await limiter.wait("key", { cost: 2, maxWaitMs: 9e9 })).reason.neverFits).toBe(true);
    expect(sleepers.size).toBe(0);
  });

  it("refuses at one instant only requests that do not fit, and counts none of them", async () => {
    const { limiter } = limiterByHand(fixedWindow({ limit: 3, windowMs: 800 }));
    const costs = [1, 3, 1, 1, 1];
    const decisions = await Promise.all(costs.map((cost) => limiter.wait("key", { cost, maxWaitMs: 0 })));
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, false, true, true, false]);
  });

  it("grants in order of arrival, and counts those ahead", async () => {
    const { limiter, advance, sleepers } = limiterByHand(leakyBucket({ capacity: 1, leakPerSecond: 1 }));
    await limiter.consume("key");
    const settled = outcomes({
      first: limiter.wait("key", { maxWaitMs: 1000 }),
      second: limiter.wait("key", { maxWaitMs: 2000 }),
      hasty: limiter.wait("key", { maxWaitMs: 2999 }),
      third: limiter.wait("key", { maxWaitMs: 3000 }),
    });
    await advance(0);
    expect(settled).toEqual(["hasty refused"]);
    expect(await limiter.wait("key", { maxWaitMs: 10 })).toMatchObject({
      allowed: false,
      retryAfterMs: 4000,
    });
    // The first until it passes, and each of the three until its time is up.
    expect(sleepers.size).toBe(4);
    for (let second = 0; second < 3; second += 1) await advance(1000);
    expect(settled).toEqual(["hasty refused", "first granted", "second granted", "third granted"]);
  });

  it("lets a small cost wait behind a large one that came first", async () => {
    const { limiter, advance } = limiterByHand(leakyBucket({ capacity: 4, leakPerSecond: 1 }));
    await limiter.consume("key", 2);
    const settled = outcomes({
      large: limiter.wait("key", { cost: 4, maxWaitMs: 2000 }),
      small: limiter.wait("key", { maxWaitMs: 3000 }),
    });
    await advance(1999);
    expect(settled).toEqual([]);
    await advance(1);
    expect(settled).toEqual(["large granted"]);
    await advance(1000);
    expect(settled).toEqual(["large granted", "small granted"]);
  });

  it("blocks no other key and no consume", async () => {
    const { limiter, advance } = limiterByHand(leakyBucket({ capacity: 1, leakPerSecond: 1 }));
    await limiter.consume("key");
    const settled = outcomes({ waiting: limiter.wait("key", { maxWaitMs: 1000 }) });
    expect((await limiter.wait("other", { maxWaitMs: 0 })).allowed).toBe(true);
    expect((await limiter.consume("key")).allowed).toBe(false);
    await advance(1000);
    expect(settled).toEqual(["waiting granted"]);
  });

  it("is given up by a signal, costs nothing then, and those behind move up", async () => {
    const { limiter, advance } = limiterByHand(leakyBucket({ capacity: 1, leakPerSecond: 1 }));
    await limiter.consume("key");
    const [first, second] = [new AbortController(), new AbortController()];
    const settled = outcomes({
      first: limiter.wait("key", { maxWaitMs: 9000, signal: first.signal }),
      second: limiter.wait("key", { maxWaitMs: 9000, signal: second.signal }),
      third: limiter.wait("key", { maxWaitMs: 9000 }),
    });
    await advance(500);
    second.abort("changed my mind");
    await advance(0);
    first.abort("gone home");
    await advance(0);
    expect(settled).toEqual(["second changed my mind", "first gone home"]);
    await advance(500);
    expect(settled.at(-1)).toBe("third granted");
    await expect(limiter.wait("key", { maxWaitMs: 0, signal: first.signal })).rejects.toBe("gone home");
  });

  it("is given up while the store decides, and costs nothing then", async () => {
    const memory = memoryStore();
    const store = storeFrom(async (keys, step, now) => {
      const result = await memory.updateMany(keys, step, now);
      await immediate();
      return result;
    });
    const limiter = createLimiter({ algorithm: fixedWindow({ limit: 1, windowMs: 60_000 }), store });
    const giveUp = new AbortController();
    const wait = limiter.wait("key", { maxWaitMs: 0, signal: giveUp.signal });
    await Promise.resolve();
    await Promise.resolve();
    giveUp.abort("gone home");
    await expect(wait).rejects.toBe("gone home");
    await immediate();
    await immediate();
    expect(await limiter.peek("key")).toMatchObject({ allowed: true });
  });

  it("rejects at once with the signal's reason, though the store hangs or fails", async () => {
    const { clock, sleep, advance } = manualClock(1_000_000);
    const memory = memoryStore();
    let fault: Promise<never> | undefined;
    const store = storeFrom((keys, step, now) => fault ?? memory.updateMany(keys, step, now));
    const algorithm = leakyBucket({ capacity: 1, leakPerSecond: 1 });
    const limiter = createLimiter({ algorithm, store, clock, sleep });
    await limiter.consume("key");
    const [hung, queued] = [new AbortController(), new AbortController()];
    const settled = outcomes({
      first: limiter.wait("key", { maxWaitMs: 9000 }),
      queued: limiter.wait("key", { maxWaitMs: 9000, signal: queued.signal }),
    });
    await advance(0);
    fault = Promise.reject(new Error("store down"));
    fault.catch(() => undefined);
    queued.abort("gone home");
    await advance(0);
    fault = new Promise(() => {});
    const other = limiter.wait("other", { maxWaitMs: 9000, signal: hung.signal });
    hung.abort("lost patience");
    await expect(other).rejects.toBe("lost patience");
    expect(settled).toEqual(["queued gone home"]);
  });

  it("sees a refund during its refusal, and is granted at once", async () => {
    const { clock, sleep, advance } = manualClock(1_000_000);
    const memory = memoryStore();
    let delay: Promise<void> | undefined;
    const store = storeFrom(async (keys, step, now) => {
      const [result] = await Promise.all([memory.updateMany(keys, step, now), delay]);
      return result;
    });
    const algorithm = leakyBucket({ capacity: 1, leakPerSecond: 1 });
    const limiter = createLimiter({ algorithm, store, clock, sleep });
    await limiter.consume("key");
    const { promise, resolve: answer } = withResolvers<void>();
    delay = promise;
    const settled = outcomes({ waiting: limiter.wait("key", { maxWaitMs: 1000 }) });
    await advance(0);
    delay = undefined;
    await limiter.refund("key");
    answer();
    await advance(0);
    expect(settled).toEqual(["waiting granted"]);
  });

  it.each(["refusal", "forecast"])("refuses once, though time is up during its %s", async (slow) => {
    const { clock, sleep, advance } = manualClock(1_000_000);
    const { promise: delay, resolve: answer } = withResolvers<void>();
    const algorithm = leakyBucket({ capacity: 1, leakPerSecond: 1 });
    const policy = { name: "slow", mode: "enforce", algorithm, outage: "closed" } satisfies Policy;
    const check = { policy, key: "key", counts: "key" };
    const { decision, next: full } = algorithm.step(algorithm.step(undefined, clock(), 1).next, clock(), 1);
    const waiting = createWaiting<PolicyCheck>({ clock, sleep });
    const refused: string[] = [];
    const wait = (name: string, maxWaitMs: number) =>
      waiting.wait({
        cost: 1,
        maxWaitMs,
        checks: () => [check],
        async attempt({ refusal }) {
          if (!refusal) return { refusal: { ...check, decision } };
          refused.push(name);
          if (slow === "refusal") await delay;
          return { done: { allowed: false }, allowed: false };
        },
        async forecast(_, queuedCosts) {
          if (slow === "forecast") await delay;
          return forecastOf(algorithm, full, clock(), queuedCosts, 1);
        },
      });
    const settled = outcomes({ first: wait("first", 9000), late: wait("late", 100) });
    await advance(0);
    await advance(120);
    answer();
    await advance(0);
    expect(settled).toEqual(["late refused"]);
    expect(refused).toEqual(["late"]);
  });

  it("keeps nothing of requests that have left, though an earlier one stays", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc");
    const heapBytes = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const queue = new KeyQueue();
    const first = queue.join("key", 1);
    const before = heapBytes();
    for (let times = 0; times < 200_000; times += 1) {
      queue.join("key", 1).leave();
      if (times % 1_000 === 0) await immediate();
    }
    expect(heapBytes() - before).toBeLessThan(20 * 1_024 * 1_024);
    expect(queue.length("key")).toBe(1);
    first.leave();
    expect(queue.length("key")).toBe(0);
  });

  it("refuses when a consume has taken the place and time is up", async () => {
    const { limiter, advance, sleepers } = limiterByHand(fixedWindow({ limit: 1, windowMs: 800 }));
    await limiter.consume("key");
    const settled = outcomes({ waiting: limiter.wait("key", { maxWaitMs: 1000 }) });
    await advance(799);
    const [sleeper] = sleepers;
    await advance(0);
    expect(sleeper).toBeDefined();
    await limiter.reset("key");
    await limiter.consume("key");
    await advance(1);
    expect(settled).toEqual(["waiting refused"]);
  });

  it.each([-1, Number.NaN])("refuses a maxWaitMs of %s", async (maxWaitMs) => {
    const { limiter } = limiterByHand(leakyBucket({ capacity: 1, leakPerSecond: 1 }));
    await expect(limiter.wait("key", { maxWaitMs })).rejects.toThrow(/maxWaitMs must be/);
  });

  it("sleeps by the machine's timers by default, and stops them when given up", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const settled = outcomes({ kept: machineSleep(50), given: machineSleep(50, controller.signal) });
    controller.abort("up");
    await vi.advanceTimersByTimeAsync(49);
    expect(settled).toEqual(["given up"]);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual(["given up", "kept refused"]);
  });
});
