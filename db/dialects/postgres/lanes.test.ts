import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sharedPostgres } from "../../../testing/postgres-server.ts";
import { isPostgresUnavailable, openPostgres } from "./index.ts";
import { createLanes } from "./lanes.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

test("However many wait for one post, others read and write meanwhile", async () => {
  const database = await openPostgres(await server.newMigratedDatabase(), { poolSize: 4 });
  onTestFinished(() => database.close());
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const hot = Array.from({ length: 50 }, (_, index) =>
    database.transaction(
      async () => {
        await database.limiterStates.load(["hot"], 0);
        await held;
        return index;
      },
      { lane: "hot" },
    ),
  );
  await database.ping();
  await database.transaction(() => database.limiterStates.load(["cold"], 0), { lane: "cold" });
  expect(database.poolFigures?.().busy).toBe(2);
  release();
  expect(await Promise.all(hot)).toEqual(hot.map((_, index) => index));
});

test("Those of one lane come in the order in which they asked, two at a time; one that fails lets the next pass", async () => {
  const inLane = createLanes(60_000);
  const begun: number[] = [];
  let atWork = 0;
  let most = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      inLane("one", async () => {
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

test("Who waits too long is told that the database cannot be used, and those behind still come", async () => {
  const inLane = createLanes(30);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = [inLane("one", () => held), inLane("one", () => held)];
  const late = await inLane("one", async () => "done").catch((error: unknown) => error);
  expect(isPostgresUnavailable(late)).toBe(true);
  release();
  await Promise.all(first);
  expect(await inLane("one", async () => "done")).toBe("done");
});
