import { AsyncLocalStorage } from "node:async_hooks";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { seededRandom } from "../../../lib/random/seeded-random.ts";
import { addPost, addUser } from "../../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import type { NewAttempt } from "../../index.ts";
import { isPostgresUnavailable, openPostgres, type PostgresDatabase } from "./index.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

async function open(timeouts = patientTimeouts, url?: string, onRetry?: (reason: string) => void) {
  const opened = await openPostgres(url ?? (await server.newMigratedDatabase()), { timeouts, onRetry });
  onTestFinished(() => opened.close());
  return opened;
}

/**
 * Runs all of these behind one that waits until all have come.
 * Each takes the same lock first, unless `locks` is false.
 */
async function together<T>(
  database: PostgresDatabase,
  works: readonly (() => Promise<T>)[],
  {
    key = "hot",
    locks = true,
    answered = async (value: T) => value,
    failed = (error: unknown): Promise<T> => Promise.reject(error),
  } = {},
) {
  const { promise: allCame, resolve: come } = Promise.withResolvers<void>();
  const run = <R>(work: () => Promise<R>) =>
    database.transaction(
      async () => {
        if (locks) await database.run("select pg_advisory_xact_lock(hashtext($1))", [key]);
        return work();
      },
      { lockKey: key },
    );
  const blocking = run(() => allCame);
  const answers = works.map((work) => run(work).then(answered, failed));
  come();
  const [settled] = await Promise.all([Promise.allSettled(answers), blocking.catch(() => undefined)]);
  return settled;
}

const attemptAt = (postId: number): NewAttempt => ({
  ...{ postId, userId: null, at: 1, verb: "create", score: 5, level: null },
  ...{ allowed: true, held: false, policy: null, reason: null },
});
const xact = async (database: PostgresDatabase) =>
  String((await database.run("select pg_current_xact_id()::text")).rows[0]?.[0]);
const save = ({ limiterStates }: PostgresDatabase, key: string) =>
  limiterStates.save([{ key, state: key, expiresAt: 10 }], 0);
const savedOf = async (database: PostgresDatabase, keys: readonly string[]) =>
  (await database.limiterStates.load(keys, 0)).filter((state) => state !== undefined);
const keysTo = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);

test("other keys are read and written while 50 transactions wait for one", async () => {
  const database = await open();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const hot = keysTo(50).map((key) =>
    database.transaction(
      async () => {
        await database.limiterStates.load(["hot"], 0);
        await held;
        return key;
      },
      { lockKey: "hot" },
    ),
  );
  await database.ping();
  await database.transaction(() => database.limiterStates.load(["cold"], 0), { lockKey: "cold" });
  // The database's clock is read on another one from time to time.
  await expect.poll(() => database.poolFigures().busy).toBe(1);
  release();
  expect(await Promise.all(hot)).toEqual(keysTo(50));
});

test("rejects a transaction as unavailable after too long a wait, and runs those behind it", async () => {
  const database = await open({ ...patientTimeouts, lockKey: 30 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const run = <T>(work: () => Promise<T>) => database.transaction(work, { lockKey: "one" });
  const first = run(() => held);
  const late = await run(async () => "done").catch((error: unknown) => error);
  expect(isPostgresUnavailable(late)).toBe(true);
  release();
  await first;
  expect(await run(async () => "done")).toBe("done");
});

test("transactions of one key that wait share a commit, in the order of their calls", async () => {
  const database = await open();
  const begun: string[] = [];
  const settled = await together(
    database,
    keysTo(20).map((key) => async () => {
      begun.push(key);
      await save(database, key);
      return xact(database);
    }),
  );
  expect(settled.every(({ status }) => status === "fulfilled")).toBe(true);
  const ids = new Set(settled.map((each) => each.status === "fulfilled" && each.value));
  expect(ids.size).toBe(1);
  expect(begun).toEqual(keysTo(20));
  expect(await savedOf(database, begun)).toEqual(begun);
});

test("each transaction sees the changes of those before it, and is answered once all are committed", async () => {
  const url = await server.newMigratedDatabase();
  const [database, reader] = [await open(patientTimeouts, url), await open(patientTimeouts, url)];
  const keys = keysTo(10);
  const settled = await together(
    database,
    keys.map(() => async () => {
      const [before] = await database.limiterStates.load(["sum"], 0);
      const state = Number(before ?? 0) + 1;
      await database.limiterStates.save([{ key: "sum", state, expiresAt: 10 }], 0);
      return state;
    }),
    {
      answered: async (state) => {
        const [committed] = await savedOf(reader, ["sum"]);
        expect(committed).toBeGreaterThanOrEqual(state);
        return state;
      },
    },
  );
  const expected = keys.map((_, index) => ({ status: "fulfilled", value: index + 1 }));
  expect(settled).toEqual(expected);
});

test("a transaction that fails is rolled back alone, whether its work throws or a statement fails unnoticed", async () => {
  const database = await open();
  const keys = keysTo(9);
  const settled = await together(
    database,
    keys.map((key, index) => async () => {
      await save(database, key);
      if (index === 2) throw new Error("no");
      if (index === 4) await database.run("select 1 / 0").catch(() => undefined);
      if (index === 6) await database.attempts.insert(attemptAt(99_999)); // not awaited on PostgreSQL
      return key;
    }),
  );
  const failed = settled.flatMap((each, index) =>
    each.status === "rejected" ? [[index, String(each.reason)]] : [],
  );
  expect(failed).toEqual([
    [2, "Error: no"],
    [4, expect.stringContaining("division by zero")],
    [6, expect.stringContaining("violates")],
  ]);
  const left = keys.filter((_, index) => ![2, 4, 6].includes(index));
  expect(await savedOf(database, keys)).toEqual(left);
});

test("a statement of the last transaction that fails unnoticed fails that one alone", async () => {
  const database = await open();
  const keys = keysTo(9);
  const settled = await together(
    database,
    keys.map((key) => async () => {
      await save(database, key);
      if (key === "key-8") await database.attempts.insert(attemptAt(99_999)); // not awaited on PostgreSQL
      return key;
    }),
  );
  const left = keys.slice(0, -1);
  expect(settled).toEqual([
    ...left.map((value) => ({ status: "fulfilled", value })),
    { status: "rejected", reason: expect.objectContaining({ code: "23503" }) },
  ]);
  expect(await savedOf(database, keys)).toEqual(left);
});

test.each(["", ", after a query,"])(
  "a row that fails when a later transaction%s sends it fails its own transaction alone",
  async (reads) => {
    const database = await open();
    const keys = keysTo(6);
    const settled = await together(
      database,
      keys.map((key, index) => async () => {
        if (reads) await database.ratings.findRater("no post", 1, key, 0); // sends no rows
        await save(database, key);
        if (index === 1) await database.attempts.insert(attemptAt(99_999));
        if (index === 3) await xact(database); // sends all rows
        if (index === 4) throw new Error("no");
        return key;
      }),
    );
    expect(settled.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)))).toEqual([
      "key-0",
      expect.stringContaining("violates"),
      "key-2",
      "key-3",
      "Error: no",
      "key-5",
    ]);
    expect(await savedOf(database, keys)).toEqual(["key-0", "key-2", "key-3", "key-5"]);
  },
);

test("a transaction finds the states of those before it, of which one has failed", async () => {
  const database = await open();
  const [, , , last] = await together<unknown>(
    database,
    [
      () => save(database, "a"),
      () => Promise.reject(new Error("no")),
      async () => {
        await database.limiterStates.load(["b"], 0);
        await save(database, "b");
      },
      () => database.limiterStates.load(["a", "b"], 0),
    ],
    { locks: false },
  );
  expect(last).toEqual({ status: "fulfilled", value: ["a", "b"] });
});

test("a row that lacks a value fails its own transaction alone", async () => {
  const database = await open();
  const keys = keysTo(3);
  const settled = await together(
    database,
    keys.map((key) => async () => {
      await save(database, key);
      // A copy of it lacks the reason.
      const incomplete = Object.defineProperty(attemptAt(1), "reason", { enumerable: false });
      if (key === "key-1") await database.attempts.insert(incomplete).catch(() => undefined);
      return key;
    }),
    { locks: false },
  );
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await savedOf(database, keys)).toEqual(["key-0", "key-2"]);
});

test("saves a transaction that has caught the failure of a nested one, with an unawaited failure in that", async () => {
  const database = await open();
  const keys = keysTo(3);
  const no = new Error("no");
  const settled = await together(
    database,
    keys.map((key) => async () => {
      const part = database.transaction(async () => {
        await database.attempts.insert(attemptAt(99_999)); // not awaited on PostgreSQL
        // Both answers have arrived when the first is read.
        setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50));
        throw no;
      });
      await expect(part).rejects.toBe(no);
      await save(database, key);
      return key;
    }),
  );
  expect(settled).toEqual(keys.map((value) => ({ status: "fulfilled", value })));
  expect(await savedOf(database, keys)).toEqual(keys);
});

test.each([0, 1, 2])(
  "refuses work that does not settle in time, at place %s, and saves nothing of it but the others",
  async (place) => {
    const work = 60_000;
    const database = await open({ ...patientTimeouts, work });
    const keys = keysTo(3);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise: isLate, resolve: goOn } = Promise.withResolvers<void>();
    let late: Promise<unknown> = Promise.resolve();
    const settled = await Promise.allSettled(
      keys.map((key, index) =>
        database.transaction(
          async () => {
            await save(database, key);
            if (index === place) {
              late = isLate.then(() => save(database, "late"));
              vi.advanceTimersByTime(work);
              await late;
            }
            return key;
          },
          { lockKey: "hot" },
        ),
      ),
    );
    const left = keys.filter((_, index) => index !== place);
    expect(settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))).toEqual(left);
    const refused = settled[place];
    expect(refused?.status === "rejected" && isPostgresUnavailable(refused.reason)).toBe(true);
    goOn();
    await expect(late).rejects.toThrow("not ended in time");
    expect(await savedOf(database, [...keys, "late"])).toEqual(left);
  },
);

test.each([4, 8])(
  "saves all 9 when another node holds the lock of an unawaited write of %i",
  async (index) => {
    const url = await server.newMigratedDatabase();
    const [database, other] = [await open(patientTimeouts, url), await open(patientTimeouts, url)];
    const keys = keysTo(9);
    const late = `key-${index}`;
    await save(other, late);
    const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const holding = other.transaction(async () => {
      await save(other, late);
      await xact(other);
      lock();
      await isReleased;
    });
    await isLocked;
    let runs = 0;
    const settled = await together(
      database,
      keys.map((key) => async () => {
        if (key === late && ++runs === 2) release();
        await save(database, key);
        return key;
      }),
    );
    release();
    await holding;
    expect(settled).toEqual(keys.map((value) => ({ status: "fulfilled", value })));
    expect(await savedOf(database, keys)).toEqual(keys);
  },
);

test("a transaction that fails is answered with those that share the commit, in order", async () => {
  const database = await open();
  const answers: string[] = [];
  const answered = async (key: string) => {
    answers.push(key);
    return key;
  };
  await together(
    database,
    keysTo(3).map((key) => async () => {
      await save(database, key);
      if (key === "key-1") throw new Error(key);
      return key;
    }),
    { answered, failed: (error) => answered(String(error)) },
  );
  expect(answers).toEqual(["key-0", "Error: key-1", "key-2"]);
});

test("two nodes whose transactions share commits and lock the same in opposite orders do not deadlock", async () => {
  const url = await server.newMigratedDatabase();
  const reasons: string[] = [];
  const openNode = () => open(patientTimeouts, url, (reason) => reasons.push(reason));
  const nodes = [await openNode(), await openNode()] as const;
  const keys = keysTo(20);
  const settled = await Promise.all(
    nodes.map((node, index) => {
      const count = (key: string) => async () => {
        const [before] = await node.limiterStates.load([key], 0);
        await node.limiterStates.save([{ key, state: Number(before ?? 0) + 1, expiresAt: 10 }], 0);
      };
      return together(node, (index === 0 ? keys : keys.toReversed()).map(count), { key: `of node ${index}` });
    }),
  );
  expect(settled.flat().every(({ status }) => status === "fulfilled")).toBe(true);
  expect(await savedOf(nodes[0], keys)).toEqual(keys.map(() => 2));
  expect(reasons).toEqual([]);
});

test("rejects all that share a transaction when its connection is lost, and saves none of them", async () => {
  const database = await open();
  const keys = keysTo(6);
  const settled = await together(
    database,
    keys.map((key, index) => async () => {
      await save(database, key);
      if (index === 5) await database.run("select pg_terminate_backend(pg_backend_pid())");
      return xact(database);
    }),
  );
  const rejected = settled.filter((each) => each.status === "rejected");
  expect(rejected.length).toBeGreaterThan(0);
  expect(rejected.every((each) => isPostgresUnavailable(each.reason))).toBe(true);
  const answered = keys.filter((_, index) => settled[index]?.status === "fulfilled");
  expect(await savedOf(database, keys)).toEqual(answered);
});

test("each transaction runs in the asynchronous context of its own caller", async () => {
  const database = await open();
  const context = new AsyncLocalStorage<string>();
  const { promise: opened, resolve: release } = Promise.withResolvers<void>();
  const found = keysTo(8).map((key) =>
    context.run(key, () =>
      database.transaction(
        async () => {
          await opened;
          await xact(database);
          return context.getStore();
        },
        { lockKey: "hot" },
      ),
    ),
  );
  release();
  expect(await Promise.all(found)).toEqual(keysTo(8));
});

interface Step {
  kind: "states" | "tally" | "attempt" | "query" | "nested";
  keys: string[];
  steps: Step[];
  fails: boolean;
}

test("saves the additions of each transaction, though some in between and nested ones fail", async () => {
  const database = await open();
  const { id, slug } = await addPost(database, await addUser(database, "alder"));
  const random = seededRandom(1);
  const kinds = ["states", "states", "states", "tally", "attempt"] as const;
  const stepsOf = (depth: number): Step[] =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
      kind: kinds[Math.floor(random() * 5.5)] ?? (depth < 2 ? "nested" : "query"),
      keys: keysTo(8).filter(() => random() < 0.25),
      steps: depth < 2 ? stepsOf(depth + 1) : [],
      fails: random() < 0.4,
    }));
  const addedBy = (steps: readonly Step[]): string[] =>
    steps.flatMap(({ kind, keys, steps, fails }) => {
      if (kind === "nested") return fails ? [] : addedBy(steps);
      return kind === "states" ? keys : [kind];
    });

  async function take(steps: readonly Step[]): Promise<void> {
    for (const { kind, keys, steps: inner, fails } of steps) {
      if (kind === "query") await database.run("select 1");
      if (kind === "attempt") await database.attempts.insert(attemptAt(id));
      if (kind === "tally") {
        const tally = (await database.posts.lock(slug))?.tally;
        if (tally) await database.tallies.save(id, { ...tally, windowCount: tally.windowCount + 1 });
      }
      if (kind === "states") {
        const states = await database.limiterStates.load(keys, 0);
        const next = keys.map((key, index) => ({ key, state: Number(states[index] ?? 0) + 1 }));
        await database.limiterStates.save(next, 0);
      }
      if (kind === "nested") {
        const nested = database.transaction(async () => {
          await take(inner);
          if (fails) throw new Error("nested");
        });
        if (fails) await expect(nested).rejects.toThrow("nested");
        else await nested;
      }
    }
  }

  const expected: string[] = [];
  const transactions = Array.from({ length: 60 }, async () => {
    const steps = stepsOf(0);
    const fails = random() < 0.2;
    if (!fails) expected.push(...addedBy(steps));
    const work = async () => {
      await take(steps);
      if (fails) throw new Error("no");
    };
    const answer = database.transaction(work, { lockKey: slug });
    if (fails) await expect(answer).rejects.toThrow("no");
    else await answer;
  });
  await Promise.all(transactions);
  const count = (what: string) => expected.filter((each) => each === what).length;
  expect(await database.limiterStates.load(keysTo(8), 0)).toEqual(keysTo(8).map(count));
  expect((await database.tallies.find(id)).windowCount).toBe(count("tally"));
  expect(await database.attempts.times(id, 1_000)).toHaveLength(count("attempt"));
});
