/** Nodes whose clocks differ: limits go by the database's clock. */
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLimiter, leakyBucket } from "../../../lib/limiter/index.ts";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import { databaseStore, transactionStore } from "../../limiter-store.ts";
import { createDatabaseClock, readClock } from "./clock.ts";
import { openPostgres } from "./index.ts";

/** Nodes on one new database; each number is its clock's lead in milliseconds. */
async function nodesAhead(...aheadMs: number[]) {
  const server = await sharedPostgres();
  const url = await server.newMigratedDatabase();
  const nodes = [];
  for (const ms of aheadMs) {
    const clock = () => Date.now() + ms;
    const database = await openPostgres(url, { timeouts: patientTimeouts, poolSize: 2, nodeClock: clock });
    onTestFinished(() => database.close());
    nodes.push({ database, clock });
  }
  return nodes;
}

const leakPerSecond = 1;
const algorithm = leakyBucket({ capacity: 10, leakPerSecond });

/** The requests that pass when a node's stores take turns, and the limit's most. */
async function passedInTurns(consume: readonly (() => Promise<boolean>)[], turns: number) {
  const startedAt = performance.now();
  let passed = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const requests = Array.from({ length: 5 }, () => consume[turn % consume.length]?.());
    passed += (await Promise.all(requests)).filter((allowed) => allowed === true).length;
  }
  return { passed, most: 10 + Math.ceil(((performance.now() - startedAt) / 1_000) * leakPerSecond) };
}

test.each([500, 60_000, 86_400_000])("two nodes whose clocks are %d ms apart share one limit", async (ms) => {
  const nodes = await nodesAhead(ms, 0);
  const consume = nodes.map(({ database, clock }) => {
    const limiter = createLimiter({ algorithm, store: databaseStore(database, clock) });
    return async () => (await limiter.consume("guesses")).allowed;
  });
  const { passed, most } = await passedInTurns(consume, 60);
  expect(passed).toBeGreaterThanOrEqual(10);
  expect(passed).toBeLessThanOrEqual(most);
});

test("transactions of two nodes whose clocks are a minute apart share one limit", async () => {
  const nodes = await nodesAhead(60_000, 0);
  const consume = nodes.map(({ database, clock }) => {
    const limiter = createLimiter({ algorithm, store: transactionStore(database.limiterStates, clock) });
    return () => database.transaction(async () => (await limiter.consume("guesses")).allowed);
  });
  const { passed, most } = await passedInTurns(consume, 20);
  expect(passed).toBeGreaterThanOrEqual(10);
  expect(passed).toBeLessThanOrEqual(most);
});

test("the time is the server's on a machine whose clock is a year ahead", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 365 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const server = await sharedPostgres();
  const url = await server.newMigratedDatabase();
  const administrator = postgres(url, { max: 1 });
  onTestFinished(() => administrator.end());
  const serverTime = async () => Number((await administrator.unsafe(readClock).values())[0]?.[0]);
  const before = await serverTime();
  const database = await openPostgres(url, { timeouts: patientTimeouts });
  onTestFinished(() => database.close());
  const time = database.time();
  expect(time).toBeGreaterThanOrEqual(Math.floor(before));
  expect(time).toBeLessThanOrEqual(await serverTime());
});

test("the time follows the server's when that is set back or forth, and is never ahead of it", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let [serverAheadMs, answerTakesMs] = [1_000_000, 0];
  const serverTime = () => performance.now() + serverAheadMs;
  const { time, stop } = await createDatabaseClock(async () => {
    const read = serverTime();
    vi.advanceTimersByTime(answerTakesMs);
    return read;
  });
  onTestFinished(stop);
  const behindMs = () => Math.round(serverTime() - time());
  expect(behindMs()).toBe(0);
  answerTakesMs = 400;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(behindMs()).toBe(0);
  serverAheadMs += 3_600_000;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(behindMs()).toBe(400);
  serverAheadMs -= 7_200_000;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(behindMs()).toBe(0);
});
