/** Nodes whose clocks differ: limits go by the database's clock. */
import { expect, onTestFinished, test } from "vitest";
import { createLimiter, leakyBucket } from "../../../lib/limiter/index.ts";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import { databaseStore, transactionStore } from "../../limiter-store.ts";
import { openPostgres } from "./index.ts";

/** Nodes on one new database, each with a clock that is ahead of this machine's by so many milliseconds. */
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

/** How many of a node's stores' requests pass when they take turns, and the most that the limit lets through meanwhile. */
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
