import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import * as zeromq from "zeromq";
import { limiterClient } from "../lib/limiter/client.ts";
import { demonstration, expectRegularPattern, mostIn, windowMs } from "../testing/originals-demonstration.ts";
import { runningClient, runningService } from "../testing/running-service.ts";

type Told = { word: string; sentAt: number; receivedAt: number };

describe("the locker's demonstration: 5 per 0.8 s, 100 calls 0.1 s apart, in bare text", () => {
  it("from one client: go and sorry in a regular pattern", async () => {
    const told = await client((await service(demonstration)).zmq, 100);
    expectRegularPattern(told.map(({ word }) => word));
    expectHonest(told);
  });

  it("shared by three clients: no more for all of them together", async () => {
    const { zmq } = await service(demonstration);
    const told = await Promise.all([client(zmq, 100), client(zmq, 100), client(zmq, 100)]);
    expect(told.flat()).toHaveLength(300);
    expectHonest(told.flat());
  });
});

describe("frequency control's demonstration: 3 in 5 s", () => {
  it("one early, two just before 5 s, three at 6 s: the window lets 5 pass within 2 s, the log never more than 3 in any 5 s", async () => {
    const { zmq } = await service({
      policies: {
        window: { algorithm: "fixed-window", limit: 3, windowMs: 5_000 },
        log: { algorithm: "sliding-log", limit: 3, windowMs: 5_000 },
      },
      default: "window",
      store: "memory",
    });
    const { window, log } = await inTime((key) => oneTwoThree(zmq, key));
    expect(window.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, true]);
    expect(log.map(({ allowed }) => allowed)).toEqual([true, true, true, true, false, false]);
    expect(log.slice(4).map(({ retryAfterMs }) => retryAfterMs > 0)).toEqual([true, true]);
  });

  it("browse, then update, then feedback: looking counts nothing, and what was counted can be given back", async () => {
    const { zmq } = await service({
      policies: { log: { algorithm: "sliding-log", limit: 3, windowMs: 3_600_000 } },
      default: "log",
      store: "memory",
    });
    const {
      peek: browse,
      consume: update,
      refund: feedback,
    } = runningClient({ address: zmq }).limiter("log");
    for (let look = 0; look < 5; look += 1)
      expect(await browse("ada")).toMatchObject({ allowed: true, remaining: 2 });
    for (const remaining of [2, 1, 0])
      expect(await update("ada")).toMatchObject({ allowed: true, remaining });
    expect(await browse("ada")).toMatchObject({ allowed: false });
    expect(await update("ada")).toMatchObject({ allowed: false });
    expect(await feedback("ada", 2)).toBe(true);
    for (const remaining of [1, 0]) expect(await update("ada")).toMatchObject({ allowed: true, remaining });
    expect(await update("ada")).toMatchObject({ allowed: false });
    expect(await feedback("ada", 3)).toBe(true);
    expect(await feedback("ada")).toBe(false);
  });
});

function service(configuration: object) {
  return runningService({ configuration });
}

/** The original's client: asks, is told a word, sleeps for 0.1 s and asks again. */
async function client(address: string, calls: number): Promise<Told[]> {
  const socket = new zeromq.Request({ linger: 0 });
  onTestFinished(() => socket.close());
  socket.connect(address);
  const told: Told[] = [];
  for (let call = 0; call < calls; call += 1) {
    const sentAt = performance.now();
    await socket.send("May I?");
    const [word] = await socket.receive();
    told.push({ word: String(word), sentAt, receivedAt: performance.now() });
    // A timer may be a millisecond early.
    await sleep(102);
  }
  return told;
}

/** Holds however late calls were: never too many, and nobody was refused unless five were let through just before. */
function expectHonest(told: readonly Told[]): void {
  const passed = told.filter(({ word }) => word === "go");
  const refused = told.filter(({ word }) => word === "sorry");
  expect(passed.length + refused.length).toBe(told.length);
  const elapsedMs =
    Math.max(...told.map(({ receivedAt }) => receivedAt)) - Math.min(...told.map(({ sentAt }) => sentAt));
  expect(passed.length).toBeLessThanOrEqual(mostIn(elapsedMs));
  for (const { sentAt, receivedAt } of refused) {
    // The service's clock has whole milliseconds.
    const inItsWindow = passed.filter(
      (each) => each.receivedAt > sentAt - windowMs - 1 && each.sentAt < receivedAt,
    );
    expect(inItsWindow.length).toBeGreaterThanOrEqual(5);
  }
}

const justBeforeMs = 4_600;
const laterMs = 6_000;

/** What a window and a log said to each of the six calls; nothing when this machine was too slow to make them in time. */
async function oneTwoThree(address: string, key: string) {
  const started = limiterClient({ zeromq, address });
  const both = async () => {
    const [window, log] = await Promise.all([
      started.limiter("window").consume(key),
      started.limiter("log").consume(key),
    ]);
    return { window, log };
  };
  try {
    const firstSentAt = performance.now();
    const told = [await both()];
    const firstReceivedAt = performance.now();
    await sleep(firstSentAt + justBeforeMs - performance.now());
    const secondSentAt = performance.now();
    told.push(await both(), await both());
    const wasJustBefore = performance.now() < firstSentAt + 5_000;
    await sleep(firstReceivedAt + laterMs - performance.now());
    told.push(await both(), await both(), await both());
    const wasWithinTwoSeconds = performance.now() < secondSentAt + 2_000;
    if (!wasJustBefore || !wasWithinTwoSeconds) return undefined;
    return { window: told.map(({ window }) => window), log: told.map(({ log }) => log) };
  } finally {
    started.close();
  }
}

/** Tries with other keys until this machine had the time. */
async function inTime<T>(attempt: (key: string) => Promise<T | undefined>): Promise<T> {
  for (let number = 1; number <= 5; number += 1) {
    const result = await attempt(`attempt ${number}`);
    if (result !== undefined) return result;
  }
  throw new Error("This machine was five times too slow to make six calls at their times");
}
