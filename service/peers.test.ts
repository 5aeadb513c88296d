import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { Context, Publisher, Subscriber } from "zeromq";
import { curveKeysFrom } from "../lib/limiter/curve-keys.ts";
import { fixedWindow } from "../lib/limiter/index.ts";
import { freePort } from "../scripts/cluster/free-port.ts";
import { connectAll, startPeerService, startPeerServices } from "../testing/peer-services.ts";

const begin = Date.UTC(2026, 5, 10, 12);
const windowMs = 1_000;
const window = () => fixedWindow({ limit: 10, windowMs, anchor: "clock" });
const token = "a token of more than thirty-two characters";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startBoth() {
  const { services, clocks, close } = await startPeerServices(2, window, begin);
  closing.push(close);
  const [here, there] = services;
  const [clock, otherClock] = clocks;
  if (!here || !there || !clock || !otherClock) throw new Error("There are two");
  return { here, there, clock, otherClock };
}

/** Retries as long as the address is in use. */
async function untilFree<T>(start: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!String(error).includes("Address already in use")) throw error;
      await sleep(1);
    }
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(1);
}

describe("an event of a peer", () => {
  test("is counted, refunded and reset here, unless it is one's own", async () => {
    const { here, there } = await startBoth();
    await there.consume("key", 3);
    await connectAll([here, there]);
    expect([await here.used("key"), await there.used("key")]).toEqual([3, 3]);
    there.publish("refund", "key", 2);
    await connectAll([here, there]);
    expect(await here.used("key")).toBe(1);
    there.publish("reset", "key");
    await connectAll([here, there]);
    expect(await here.used("key")).toBe(0);
  });

  test("in a window that has ended does nothing to the next", async () => {
    const { here, there, clock } = await startBoth();
    await there.consume("late", 4);
    await here.consume("kept", 4);
    there.publish("refund", "kept", 4);
    there.publish("reset", "kept");
    // By the clock here, the next window has begun when it arrives.
    clock.now = begin + windowMs;
    await here.consume("kept", 2);
    const { applied } = here.peers.figures;
    await until(() => here.peers.figures.applied >= applied + 3);
    expect([await here.used("late"), await here.used("kept")]).toEqual([0, 2]);
    expect([here.peers.takeLongestDelayMs(), here.peers.takeLongestDelayMs()]).toEqual([windowMs, 0]);
  });

  test("by a clock that is ahead is counted when it is that time here, in its own window", async () => {
    const { here, there, clock, otherClock } = await startBoth();
    clock.now = begin + windowMs - 20;
    otherClock.now = begin + windowMs + 5;
    const { published } = there.peers.figures;
    await there.consume("key", 4);
    await until(() => there.peers.figures.published > published);
    otherClock.now = clock.now;
    await there.consume("marker");
    await until(async () => (await here.used("marker")) > 0);
    expect(await here.used("key")).toBe(0);
    clock.now = begin + windowMs + 5;
    await until(async () => (await here.used("key")) > 0);
    expect(await here.used("key")).toBe(4);
  });

  test("by a clock that is far ahead is counted at once, and logged once", async () => {
    const { here, there, otherClock } = await startBoth();
    otherClock.now = begin + 60_000;
    for (const expected of [1, 2, 3]) {
      await there.consume("key");
      await until(async () => (await here.used("key")) >= expected);
    }
    expect(here.warnings).toMatchObject([
      { ms: -60_000, message: expect.stringContaining("the clocks of both differ") },
    ]);
  });
});

test("the longest delay ends when an event is counted, not when its message arrives", async () => {
  const { here, there, clock } = await startBoth();
  clock.now = begin + 5;
  here.onCount = () => {
    clock.now += 2;
  };
  for (const _ of [1, 2, 3]) there.publish("consume", "key");
  await until(async () => (await here.used("key")) === 3);
  expect(here.peers.takeLongestDelayMs()).toBeGreaterThanOrEqual(5 + 3 * 2);
});

describe("messages", () => {
  /** A service, and a socket that it subscribes to. */
  async function startWithPublisher() {
    const publisher = new Publisher({ linger: 0 });
    closing.push(() => publisher.close());
    await publisher.bind("tcp://127.0.0.1:0");
    const address = publisher.lastEndpoint ?? "";
    const clock = { now: begin };
    const one = await startPeerService(window(), {
      publish: "tcp://127.0.0.1:0",
      subscribe: [address],
      clock,
    });
    closing.push(() => one.peers.close());
    const send = (...message: unknown[]) => publisher.send(JSON.stringify(message));
    const event = (key: string, cost = 1) => [begin, "c", "demo", key, cost];
    while ((await one.used("hello")) === 0) {
      await send(1, "greeter", 1 + one.peers.figures.published, [event("hello")]);
      await sleep(1);
    }
    return { publisher, one, send, event };
  }

  test("are counted once, their gaps are noticed, and a restarted service begins anew", async () => {
    const { one, send, event } = await startWithPublisher();
    for (const sequence of [7, 8, 8, 7, 11, 12]) await send(1, "first life", sequence, [event("key")]);
    await send(1, "second life", 1, [event("key"), event("last")]);
    await until(async () => (await one.used("last")) > 0);
    expect(await one.used("key")).toBe(5);
    expect(one.peers.figures.missed).toBe(2);
    expect(one.warnings).toMatchObject([{ peer: "first life", missed: 2 }]);
  });

  test("that are malformed are ignored, and logged once a minute", async () => {
    const { publisher, one, send, event } = await startWithPublisher();
    const nonsense = [
      "",
      "{",
      "null",
      "[]",
      Buffer.from([0, 255, 254, 1]),
      JSON.stringify([1, "who", 1]),
      JSON.stringify([1, "who", 0, []]),
      JSON.stringify([1, "who", 1.5, []]),
      JSON.stringify([1, "", 1, []]),
      JSON.stringify([1, "who", 1, [[begin, "consume", "demo", "key", 1]]]),
      JSON.stringify([1, "who", 1, [[begin, "c", "demo", "key", -1]]]),
      JSON.stringify([1, "who", 1, [[begin, "c", "demo", "key", "1"]]]),
      JSON.stringify([1, "who", 1, [[-1, "c", "demo", "key", 1]]]),
      JSON.stringify([1, "who", 1, [[begin, "c", "demo", 5, 1]]]),
      JSON.stringify([1, "who", 1, [[begin, "c", "demo", "key", 1, "more"]]]),
      JSON.stringify([1, "who", 1, Array.from({ length: 1_001 }, () => [begin, "c", "demo", "key", 1])]),
      JSON.stringify([2, "who", 1, { key: 1 }]),
    ];
    for (const text of nonsense) await publisher.send(text);
    await send(1, "who", 1, [event("last")]);
    await until(async () => (await one.used("last")) > 0);
    expect(await one.used("key")).toBe(0);
    expect(one.peers.figures.malformed).toBe(nonsense.length);
    expect(one.warnings).toEqual([{ fault: "it is not JSON", message: "a message from a peer is ignored" }]);
  });

  test("of another version are reported as such", async () => {
    const { one, send, event } = await startWithPublisher();
    await send(2, "who", 1, [event("key")]);
    await until(() => one.peers.figures.malformed === 1);
    expect(one.warnings).toMatchObject([
      { fault: expect.stringMatching(/version 2.*knows 1: run the same release/) },
    ]);
  });

  test("hold the counts of one turn of the event loop, a thousand at most", async () => {
    const { here, there } = await startBoth();
    for (let index = 0; index < 2_500; index += 1) there.publish("consume", `key ${index}`);
    const { published } = there.peers.figures;
    await connectAll([here, there]);
    expect(there.peers.figures.published).toBeGreaterThanOrEqual(published + 2_500);
    expect([await here.used("key 0"), await here.used("key 2499")]).toEqual([1, 1]);
    expect([here.peers.figures.missed, here.peers.figures.malformed]).toEqual([0, 0]);
  });

  test("are split where keys are long", async () => {
    const { here, there } = await startBoth();
    const keys = Array.from({ length: 20 }, (_, index) => `${index} ${"k".repeat(700_000)}`);
    for (const key of keys) there.publish("consume", key);
    await connectAll([here, there]);
    expect(await Promise.all(keys.map((key) => here.used(key)))).toEqual(keys.map(() => 1));
    expect([here.peers.figures.missed, here.peers.figures.malformed]).toEqual([0, 0]);
  });

  test("are sent before a service ends", async () => {
    const { here, there } = await startBoth();
    await there.consume("key");
    await there.peers.close();
    await until(async () => (await here.used("key")) > 0);
    closing.pop();
    await here.peers.close();
  });
});

describe("with a token", () => {
  test("connects peers, and no other client", async () => {
    const ports = await Promise.all([freePort(), freePort()]);
    const [here, there] = ports.map((port) => `tcp://127.0.0.1:${port}`);
    if (!here || !there) throw new Error("There are two");
    const start = (publish: string, other: string) =>
      startPeerService(window(), { publish, subscribe: [other], clock: { now: begin }, token });
    const services = await Promise.all([start(here, there), start(there, here)]);
    for (const { peers } of services) closing.push(() => peers.close());
    await connectAll(services);

    const stranger = curveKeysFrom("another token of more than thirty-two characters");
    const context = new Context();
    const listener = new Subscriber({
      context,
      curveServerKey: curveKeysFrom(token).server.publicKey,
      curvePublicKey: stranger.client.publicKey,
      curveSecretKey: stranger.client.secretKey,
    });
    closing.push(() => listener.close());
    const refused = new Promise((resolve) => listener.events.on("handshake:error:auth", resolve));
    listener.events.on("handshake", () => expect.unreachable("a stranger was let in"));
    listener.subscribe();
    listener.connect(here);
    expect(await refused).toMatchObject({ type: "handshake:error:auth", error: { status: 400 } });
  });

  test("refuses an address in use at once, and leaves nothing open", async () => {
    const publisher = new Publisher();
    await publisher.bind("tcp://127.0.0.1:0");
    const taken = publisher.lastEndpoint ?? "";
    const start = () =>
      startPeerService(window(), { publish: taken, subscribe: [taken], clock: { now: begin }, token });
    await expect(start()).rejects.toThrow(/Address already in use/);
    await publisher.unbind(taken);
    publisher.close();
    // libzmq lets go of an address in a thread of its own: some time after it has reported so.
    const one = await untilFree(start);
    closing.push(() => one.peers.close());
    expect(one.peers.address).toBe(taken);
  });
});
