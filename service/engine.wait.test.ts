import { describe, expect, onTestFinished, test } from "vitest";
import { databaseStore } from "../db/limiter-store.ts";
import { memoryStore, type Store, storeFrom } from "../lib/limiter/index.ts";
import { redisStore } from "../lib/limiter/redis.ts";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { temporaryDatabase } from "../testing/database.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { connectedRedis } from "../testing/redis-connection.ts";
import { configurationOf } from "../testing/service-configuration.ts";
import type { Answer } from "./answers.ts";
import { createEngine } from "./engine.ts";
import type { Request } from "./messages.ts";

const morning = Date.UTC(2026, 5, 1, 6);
const slow = { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 4 };

/** An engine with a stopped clock, and the names in the order of answers. */
function service(written: Parameters<typeof configurationOf>[0], broken = { is: false }) {
  const time = manualClock(morning);
  const inner = memoryStore({ clock: time.clock });
  const store = storeFrom((keys, step, now) =>
    broken.is ? Promise.reject(new Error("the store is gone")) : inner.updateMany(keys, step, now),
  );
  const { clock, sleep } = time;
  const engine = createEngine({ configuration: configurationOf(written), store, clock, sleep });
  const events: string[] = [];
  const wait = async (name: string, request: Partial<Request> = {}, signal?: AbortSignal) => {
    const answer = await engine.execute({ verb: "wait", maxWaitMs: 1_000, ...request }, signal);
    events.push(`${name} ${summary(answer)}`);
    return answer;
  };
  return { ...time, engine, events, wait };
}

function summary(answer: Answer): string {
  if (!("allowed" in answer)) return JSON.stringify(answer);
  return answer.allowed ? "passed" : `refused for ${answer.retryAfterMs}`;
}

test("allows requests in order of arrival within their wait, and refuses others at once", async () => {
  const { events, wait, advance } = service({ policies: { slow } });
  const all = Array.from({ length: 7 }, (_, index) => wait(`n${index}`));
  await advance(0);
  expect(events).toEqual(["n0 passed", "n5 refused for 1250", "n6 refused for 1250"]);
  await advance(249);
  expect(events).toHaveLength(3);
  await advance(1);
  expect(events.at(-1)).toBe("n1 passed");
  for (const name of ["n2", "n3", "n4"]) {
    await advance(250);
    expect(events.at(-1)).toBe(`${name} passed`);
  }
  await Promise.all(all);
});

test("queues a later request behind waiting ones, even when there is capacity at that moment", async () => {
  const { events, wait, pass, advance } = service({ policies: { slow } });
  await wait("first");
  const all = [wait("waits")];
  await advance(0);
  pass(250);
  all.push(wait("late"));
  await advance(0);
  expect(events).toEqual(["first passed", "waits passed"]);
  await advance(250);
  await Promise.all(all);
  expect(events.at(-1)).toBe("late passed");
});

test("waits all or nothing under several rules: in the queue of the refusing policy, without counting", async () => {
  const { engine, events, wait, advance } = service({
    policies: { wide: { ...slow, capacity: 2, leakPerSecond: 0.0001 }, slow },
    rules: [
      { name: "wide", policy: "wide" },
      { name: "slow", key: ["user"], policy: "slow" },
    ],
  });
  await wait("first", { fields: { user: "ada" } });
  const second = wait("second", { fields: { user: "ada" } });
  await advance(0);
  expect(await engine.execute({ verb: "peek", fields: { user: "bob" } })).toMatchObject({ allowed: true });
  await advance(250);
  expect(await second).toMatchObject({ allowed: true, rule: "wide", remaining: 0 });
  expect(await wait("third", { fields: { user: "bob" } })).toMatchObject({ allowed: false, rule: "wide" });
  expect(events.slice(0, 2)).toEqual(["first passed", "second passed"]);
});

test("never waits for a deny below a limit", async () => {
  const { events, wait } = service({
    policies: { slow },
    rules: [
      { name: "slow", policy: "slow" },
      { name: "no", when: { user: "eve" }, answer: "deny" },
    ],
  });
  await wait("ada", { fields: { user: "ada" } });
  await wait("eve", { fields: { user: "eve" } });
  expect(events).toEqual(["ada passed", "eve refused for 250"]);
});

test("refuses an aborted wait at once with the remaining time, counts nothing, and moves the others up", async () => {
  const { engine, events, wait, pass, advance } = service({ policies: { slow } });
  await wait("first");
  const one = new AbortController();
  const two = new AbortController();
  const all = [wait("one", {}, one.signal), wait("two", {}, two.signal), wait("three")];
  await advance(0);
  pass(100);
  two.abort();
  await advance(0);
  expect(events).toEqual(["first passed", "two refused for 400"]);
  one.abort();
  await advance(0);
  expect(events.at(-1)).toBe("one refused for 150");
  await advance(150);
  expect(events.at(-1)).toBe("three passed");
  await Promise.all(all);
  const gone = AbortSignal.abort();
  expect(await engine.execute({ verb: "wait", maxWaitMs: 1_000 }, gone)).toMatchObject({ allowed: false });
  await advance(250);
  expect(await engine.execute({ verb: "consume" })).toMatchObject({ allowed: true });
});

test("waits no longer than maxWaitMs while other requests take the capacity that the queue waits for", async () => {
  const { engine, events, wait, pass, advance } = service({ policies: { slow } });
  await wait("first");
  const all = [wait("patient", { maxWaitMs: 60_000 }), wait("hasty")];
  await advance(0);
  for (let times = 0; times < 4; times += 1) {
    pass(250);
    expect(await engine.execute({ verb: "consume" })).toMatchObject({ allowed: true });
    await advance(0);
  }
  expect(events).toEqual(["first passed"]);
  await advance(20);
  expect(events.slice(1)).toEqual(["hasty refused for 1"]);
  await advance(230);
  await Promise.all(all);
  expect(events.at(-1)).toBe("patient passed");
});

test("decides waiting requests by a new configuration as soon as there is one", async () => {
  const { engine, events, wait, advance } = service({ policies: { slow } });
  await wait("first");
  const all = [wait("second"), wait("third")];
  await advance(0);
  engine.use(configurationOf({ policies: { slow: { ...slow, capacity: 2 } } }));
  await advance(0);
  expect(events).toEqual(["first passed", "second passed"]);
  engine.use(configurationOf({ policies: { other: slow } }));
  await advance(0);
  expect(events.at(-1)).toBe("third passed");
  await Promise.all(all);
  const named = [wait("named", { policy: "other" })];
  await advance(0);
  engine.use(configurationOf({ policies: { slow } }));
  await advance(0);
  expect(events.at(-1)).toBe('named {"error":"there is no policy \\"other\\". There are slow"}');
  await Promise.all(named);
});

test("decides a wait by the policy's outage while the store fails, in a queue as well", async () => {
  const broken = { is: false };
  const { events, wait, advance } = service({ policies: { slow: { ...slow, outage: "closed" } } }, broken);
  await wait("first");
  const waits = wait("waits");
  await advance(0);
  broken.is = true;
  await wait("behind");
  await advance(250);
  await waits;
  expect(events).toEqual(["first passed", "behind refused for 0", "waits refused for 0"]);
});

test("drops the forecast of a queue that has ended while its last request is still being decided", async () => {
  const { clock, sleep, advance } = manualClock(morning);
  const inner = memoryStore({ clock });
  let held: Promise<unknown> | undefined;
  const store = storeFrom(async (keys, step, now) => {
    await held;
    return inner.updateMany(keys, step, now);
  });
  const configuration = configurationOf({ policies: { slow: { ...slow, capacity: 10, leakPerSecond: 1 } } });
  const engine = createEngine({ configuration, store, clock, sleep });
  await engine.execute({ verb: "consume", cost: 10 });
  const giveUp = new AbortController();
  const large = engine.execute({ verb: "wait", cost: 10, maxWaitMs: 60_000 }, giveUp.signal);
  await advance(0);
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const behind = engine.execute({ verb: "wait", maxWaitMs: 60_000 }, giveUp.signal);
  await advance(0);
  giveUp.abort();
  await advance(0);
  expect(engine.waiting()).toBe(0);
  held = undefined;
  resolve();
  for (const given of await Promise.all([large, behind])) expect(given).toMatchObject({ allowed: false });

  await engine.execute({ verb: "reset" });
  await engine.execute({ verb: "consume", cost: 10 });
  const small = engine.execute({ verb: "wait", maxWaitMs: 3_000 });
  await advance(0);
  const second = engine.execute({ verb: "wait", maxWaitMs: 3_000 });
  for (let seconds = 0; seconds < 2; seconds += 1) await advance(1_000);
  expect(await small).toMatchObject({ allowed: true });
  expect(await second).toMatchObject({ allowed: true });
});

test("refuses later requests at once when a queue, or all queues together, are full", async () => {
  const { engine, events, wait, advance } = service({
    policies: { slow: { ...slow, leakPerSecond: 100 } },
  });
  const maxWaitMs = 600_000;
  const one = Array.from({ length: 1_003 }, (_, index) => wait(`n${index}`, { maxWaitMs }));
  await advance(0);
  expect(events).toEqual(["n0 passed", "n1001 refused for 10010", "n1002 refused for 10010"]);
  const many = Array.from({ length: 9_001 }, (_, index) => [
    wait("passes", { key: `${index}`, maxWaitMs }),
    wait(`k${index}`, { key: `${index}`, maxWaitMs }),
  ]).flat();
  await advance(0);
  expect(events.filter((event) => event.startsWith("k"))).toEqual(["k9000 refused for 10"]);
  expect(engine.waiting()).toBe(10_000);
  for (let times = 0; times < 1_001; times += 1) await advance(10);
  await Promise.all([...one, ...many]);
  expect(events.filter((event) => event.endsWith("passed"))).toHaveLength(1_001 + 9_001 + 9_000);
  // They have all left: there is room again.
  const again = [wait("again", { key: "1" }), wait("again", { key: "1" })];
  await advance(0);
  await advance(10);
  await Promise.all(again);
  expect(events.slice(-2)).toEqual(["again passed", "again passed"]);
  expect(engine.waiting()).toBe(0);
});

const realStores: Record<string, () => Promise<Store>> = {
  memory: async () => memoryStore(),
  SQLite: async () => databaseStore(temporaryDatabase()),
  Redis: async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    return redisStore({ client: await connectedRedis(server.url), timeoutMs: 600_000 });
  },
};

describe.each(Object.keys(realStores))("in real time, with the states in %s", (name) => {
  test("allows all waiting requests in order", async () => {
    const store = await realStores[name]?.();
    if (!store) throw new Error("There is no such store");
    const configuration = configurationOf({
      policies: { fast: { algorithm: "token-bucket", capacity: 1, refillPerSecond: 50 } },
      rules: [{ name: "fast", key: ["user"], policy: "fast" }],
    });
    const engine = createEngine({ configuration, store });
    const order: number[] = [];
    const wait = async (index: number) => {
      const answer = await engine.execute({ verb: "wait", fields: { user: "ada" }, maxWaitMs: 20_000 });
      order.push(index);
      return answer;
    };
    const answers = [];
    for (let index = 0; index < 8; index += 1) {
      answers.push(wait(index));
      // Each is sent when the one before it waits or has passed: until then that could be overtaken.
      await expect.poll(() => engine.waiting() + order.length).toBe(index + 1);
    }
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ allowed: true, rule: "fast" });
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

test("takes one step for a request that joins a queue of any length, and reads the store once a second", async () => {
  const { clock, sleep, advance } = manualClock(morning);
  const inner = memoryStore({ clock });
  let reads = 0;
  const store = storeFrom((keys, step, now) => {
    reads += 1;
    return inner.updateMany(keys, step, now);
  });
  const policies = { log: { algorithm: "sliding-log", limit: 1_000, windowMs: 60_000 } };
  const engine = createEngine({ configuration: configurationOf({ policies }), store, clock, sleep });
  await engine.execute({ verb: "consume", cost: 1_000 });
  const answers: Answer[] = [];
  const wait = async (maxWaitMs: number) => {
    answers.push(await engine.execute({ verb: "wait", maxWaitMs }));
  };
  const all = [wait(600_000)];
  await advance(0);
  reads = 0;
  all.push(...Array.from({ length: 398 }, () => wait(600_000)));
  await advance(0);
  expect(engine.waiting()).toBe(399);
  expect(reads).toBe(1);
  // Requests that are refused at once do not read the state.
  await Promise.all(Array.from({ length: 500 }, () => wait(59_999)));
  expect(answers.map(summary)).toEqual(Array.from({ length: 500 }, () => "refused for 60000"));
  expect(reads).toBe(1);
  await advance(60_000);
  await Promise.all(all);
  expect(answers.slice(500).every((answer) => summary(answer) === "passed")).toBe(true);
});

test("lets no request overtake a full queue", async () => {
  const { engine, wait, advance, events } = service({
    policies: { slow: { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 20 } },
  });
  await wait("first");
  const giveUp = new AbortController();
  const all = Array.from({ length: 1_000 }, (_, index) =>
    wait(`n${index}`, { maxWaitMs: 600_000 }, giveUp.signal),
  );
  await advance(0);
  expect(engine.waiting()).toBe(1_000);
  // A place becomes free at this moment, and belongs to the request that waits for it.
  const late = [wait("late", { maxWaitMs: 600_000 })];
  await advance(50);
  await Promise.all(late);
  expect(events.slice(1, 3)).toEqual(["late refused for 50050", "n0 passed"]);
  giveUp.abort();
  await Promise.all(all);
  expect(engine.waiting()).toBe(0);
});

test.each([
  ["reset", { verb: "reset" }],
  ["refund", { verb: "refund", cost: 3 }],
] as const)("After a %s waiting requests are decided again at once", async (_verb, request) => {
  const { engine, events, wait, advance } = service({
    policies: { log: { algorithm: "sliding-log", limit: 3, windowMs: 600_000 } },
  });
  await engine.execute({ verb: "consume", cost: 3 });
  const all = [wait("first", { maxWaitMs: 600_000 }), wait("second", { maxWaitMs: 600_000 })];
  await advance(0);
  expect(events).toEqual([]);
  await engine.execute({ ...request });
  await advance(0);
  await Promise.all(all);
  expect(events).toEqual(["first passed", "second passed"]);
});
