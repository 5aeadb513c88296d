import { expect, test } from "vitest";
import { memoryStore, storeFrom } from "../lib/limiter/index.ts";
import { textsOfOneFnvBucket } from "../testing/colliding-texts.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { configurationOf } from "../testing/service-configuration.ts";
import { createEngine } from "./engine.ts";
import type { AnswerCacheSettings } from "./idempotency/answer-cache.ts";
import { idempotent } from "./idempotency.ts";
import type { Request } from "./messages.ts";

const morning = Date.UTC(2026, 5, 1, 6);
const slow = { algorithm: "leaky-bucket", capacity: 3, leakPerSecond: 0.001 };

function service(settings: AnswerCacheSettings = {}, policy: Record<string, unknown> = slow) {
  const time = manualClock(morning);
  const { clock, sleep } = time;
  const store = memoryStore({ clock });
  const configuration = configurationOf({
    policies: { policy, ema: { algorithm: "ema" } },
    rules: [{ name: "r", key: ["user"], policy: "policy" }],
  });
  const engine = createEngine({ configuration, store, clock, sleep });
  const requests = idempotent(engine, { clock, ...settings });
  const send = (request: Partial<Request>, signal?: AbortSignal) =>
    requests.execute({ verb: "consume", ...request }, signal);
  const remaining = async () => {
    const answer = await engine.execute({ verb: "peek" });
    return "remaining" in answer ? answer.remaining : undefined;
  };
  return { ...time, requests, send, remaining };
}

test("returns the same answer to a repeated id for a minute, and counts once", async () => {
  const { requests, send, remaining, pass } = service();
  const first = await send({ id: "a" });
  expect(first).toMatchObject({ id: "a", allowed: true, remaining: 2 });
  pass(59_999);
  expect(await send({ id: "a" })).toEqual(first);
  const written = await requests.executeEncoded({ id: "a", verb: "consume" });
  expect(written).toMatchObject({ answer: first, text: JSON.stringify(first) });
  expect(await remaining()).toBe(2);
  expect(await send({ id: "b" })).toMatchObject({ id: "b", remaining: 1 });
  expect(await send({ id: "b" })).toMatchObject({ id: "b", remaining: 1 });
  pass(140_000);
  expect(await send({ id: "a" })).toMatchObject({ id: "a", remaining: 0 });
});

test("finds all answers, and decides nothing twice, for ids that share low bits of FNV-1a", async () => {
  let decided = 0;
  const requests = idempotent({
    async execute({ id = "" }) {
      decided += 1;
      return { reset: true, id };
    },
  });
  const ids = textsOfOneFnvBucket(11);
  for (let round = 0; round < 2; round += 1)
    for (const id of ids) await requests.executeEncoded({ verb: "reset", id });
  expect(decided).toBe(ids.length);
});

test("counts each request without an id, or with another one", async () => {
  const { send, requests } = service();
  expect(await send({})).toMatchObject({ remaining: 2 });
  expect(await send({ id: 1 })).toMatchObject({ id: 1, remaining: 1 });
  expect(await send({ id: "1" })).toMatchObject({ id: "1", remaining: 0 });
  const { answer, text } = await requests.executeEncoded({ verb: "consume" });
  expect(answer).toMatchObject({ allowed: false });
  expect(JSON.parse(text)).toEqual(answer);
});

test("joins a repeated request to the one in flight", async () => {
  const { send, remaining } = service();
  const both = await Promise.all([
    send({ id: "a", fields: { user: "x" } }),
    send({ id: "a", fields: { user: "x" } }),
  ]);
  expect(both[0]).toMatchObject({ id: "a", remaining: 2 });
  expect(both[1]).toEqual(both[0]);
  expect(await remaining()).toBe(3);
});

test.each<Partial<Request>>([
  { verb: "peek", key: "x" },
  { key: "y" },
  { policy: "policy", key: "x" },
  { cost: 2, key: "x" },
  { fields: { user: "x" } },
])("refuses another request with the same id, without executing it: %j", async (other) => {
  const { send } = service();
  const first = await send({ id: "a", key: "x" });
  const error = "another request was sent with this id a short while ago: choose a new one";
  expect(await send({ id: "a", ...other })).toEqual({ id: "a", error });
  expect(await send({ id: "a", key: "x", cost: 1 })).toEqual(first);
  expect(await send({ id: "b", key: "x" })).toMatchObject({ remaining: 1 });
});

test("executes a repeated id again after an error", async () => {
  const { send } = service();
  const error = { id: "a", error: 'there is no policy "other". There are policy, ema' };
  expect(await send({ id: "a", policy: "other" })).toEqual(error);
  expect(await send({ id: "a" })).toMatchObject({ allowed: true });
});

test.each(["consume", "wait"] as const)(
  "executes a repeated id again when the store was unavailable: %s",
  async (verb) => {
    const broken = { is: true };
    const inner = memoryStore();
    const engine = createEngine({
      configuration: configurationOf({ policies: { policy: { ...slow, outage: "closed" } } }),
      store: storeFrom((keys, step, now) =>
        broken.is ? Promise.reject(new Error("the store is gone")) : inner.updateMany(keys, step, now),
      ),
    });
    const { execute } = idempotent(engine);
    const request = { id: "a", verb, ...(verb === "wait" && { maxWaitMs: 0 }) };
    expect(await execute(request)).toMatchObject({ allowed: false, reason: { unavailable: true } });
    broken.is = false;
    expect(await execute(request)).toMatchObject({ allowed: true, remaining: 2 });
  },
);

test("joins callers to a wait until its decision, and gives it up when all callers have", async () => {
  const { send, advance, pass, remaining } = service(
    {},
    { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 0.004 },
  );
  await send({});
  const wait = { id: "w", verb: "wait", maxWaitMs: 600_000 } as const;
  const one = new AbortController();
  const two = new AbortController();
  const first = send(wait, one.signal);
  await advance(0);
  pass(200_000);
  const second = send(wait, two.signal);
  one.abort();
  await advance(50_000);
  expect(await second).toMatchObject({ id: "w", allowed: true });
  expect(await first).toEqual(await second);
  expect(await send(wait)).toEqual(await second);

  const given = new AbortController();
  const third = send({ ...wait, id: "v" }, given.signal);
  await advance(0);
  given.abort();
  expect(await third).toMatchObject({ id: "v", allowed: false });
  expect(await remaining()).toBe(0);
  const anew = send({ ...wait, id: "v" });
  await advance(250_000);
  expect(await anew).toMatchObject({ id: "v", allowed: true });
});

test("starts a new wait for an id whose callers have all just given up", async () => {
  const { send, advance } = service({}, { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 1 });
  await send({});
  const wait = { id: "w", verb: "wait", maxWaitMs: 2_000 } as const;
  const given = new AbortController();
  const first = send(wait, given.signal);
  await advance(0);
  given.abort();
  const again = send(wait);
  expect(await first).toMatchObject({ allowed: false });
  await advance(1_000);
  expect(await again).toMatchObject({ allowed: true });
  expect(await send(wait)).toEqual(await again);
});

test("keeps a bounded number of answers, the newest first", async () => {
  const { send, requests } = service(
    { maximumBytes: 4_000, chunkBytes: 1_000 },
    { ...slow, capacity: 1_000 },
  );
  const remainingOf = async (id: number) => {
    const answer = await send({ id });
    return "remaining" in answer ? answer.remaining : undefined;
  };
  for (let id = 1; id <= 20; id += 1) expect(await remainingOf(id)).toBe(1_000 - id);
  for (let id = 16; id <= 20; id += 1) expect(await remainingOf(id)).toBe(1_000 - id);
  expect(await remainingOf(1)).toBe(1_000 - 21);
  expect(requests.kept()).toBeGreaterThan(5);
  expect(requests.kept()).toBeLessThanOrEqual(10);
});

test("keeps fewer long answers", async () => {
  const { send } = service({ maximumBytes: 4_000, chunkBytes: 1_000 }, { ...slow, capacity: 1_000 });
  await send({ id: "early" });
  for (let id = 0; id < 20; id += 1) await send({ id, verb: "rules", fields: { user: "x" } });
  expect(await send({ id: "early" })).toMatchObject({ remaining: 998 });
});
