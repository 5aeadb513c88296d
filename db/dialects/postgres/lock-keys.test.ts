import { beforeAll, expect, onTestFinished, test } from "vitest";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import { isPostgresUnavailable, openPostgres } from "./index.ts";
import { createLockKeys } from "./lock-keys.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

test("other keys are read and written while 50 transactions wait for one", async () => {
  const database = await openPostgres(await server.newMigratedDatabase(), {
    poolSize: 4,
    timeouts: patientTimeouts,
  });
  onTestFinished(() => database.close());
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const hot = Array.from({ length: 50 }, (_, index) =>
    database.transaction(
      async () => {
        await database.limiterStates.load(["hot"], 0);
        await held;
        return index;
      },
      { lockKey: "hot" },
    ),
  );
  await database.ping();
  await database.transaction(() => database.limiterStates.load(["cold"], 0), { lockKey: "cold" });
  expect(database.poolFigures?.().busy).toBe(2);
  release();
  expect(await Promise.all(hot)).toEqual(hot.map((_, index) => index));
});

test("runs two at a time per key, first come, first served, also after a failure", async () => {
  const withLockKey = createLockKeys(60_000);
  const begun: number[] = [];
  let atWork = 0;
  let most = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      withLockKey("one", async () => {
        begun.push(index);
        atWork += 1;
        most = Math.max(most, atWork);
        await new Promise((resolve) => setImmediate(resolve));
        atWork -= 1;
        if (index % 3 === 0) throw new Error(`${index}`);
      }),
    ),
  );
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  expect(begun).toHaveLength(20);
  expect(most).toBe(2);
  expect(outcomes.map(({ status }) => status === "rejected")).toEqual(
    outcomes.map((_, index) => index % 3 === 0),
  );
});

test("rejects as unavailable after too long a wait, and runs those behind", async () => {
  const withLockKey = createLockKeys(30);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = [withLockKey("one", () => held), withLockKey("one", () => held)];
  const late = await withLockKey("one", async () => "done").catch((error: unknown) => error);
  expect(isPostgresUnavailable(late)).toBe(true);
  release();
  await Promise.all(first);
  expect(await withLockKey("one", async () => "done")).toBe("done");
});
