import { expect, test } from "vitest";
import { createLimiter, leakyBucket } from "../../lib/limiter/index.ts";
import { storeContract } from "../../lib/limiter/stores/contract.ts";
import type { Database } from "../index.ts";
import { databaseStore } from "../limiter-store.ts";
import { dayMs, morning, type Open } from "./setting.ts";

function increment(database: Database, keys: readonly string[]): Promise<void> {
  return database.transaction(async () => {
    const states = await database.limiterStates.load(keys, morning);
    await database.limiterStates.save(
      keys.map((key, index) => ({ key, state: Number(states[index] ?? 0) + 1 })),
      morning,
    );
  });
}

export function limiterStateContract(open: Open): void {
  storeContract("The database store", async ({ clock }) => databaseStore(await open(), clock));

  test("loads states as they were saved, in the requested order", async () => {
    const { limiterStates } = await open();
    const states = [
      { key: "a", state: { level: 0.1, at: morning, parts: [1, -2.5e-9, 9_007_199_254_740_991] } },
      { key: "b", state: 0 },
      { key: "c", state: "\0 \ud800 ' \" \\ {}" },
      { key: "d", state: null },
      { key: "e", state: false },
    ];
    await limiterStates.save(states, morning);
    const keys = ["e", "none", "d", "c", "a", "b", "a"];
    const saved = new Map<string, unknown>(states.map(({ key, state }) => [key, state]));
    expect(await limiterStates.load(keys, morning)).toEqual(keys.map((key) => saved.get(key)));
    expect(await limiterStates.load([], morning)).toEqual([]);
  });

  test("keeps keys with any characters apart", async () => {
    const { limiterStates } = await open();
    const keys = ["", " ", ":", "a", "A", "é", "e\u0301", "نظر", "__proto__", "%_*?[a]", "x".repeat(500)];
    const quoted = ["'", '"', "\\", "{a,b}", "NULL", "null", "a,b", "\u{1F30A}", "$1", "\n"];
    const all = [...keys, ...quoted];
    await limiterStates.save(
      all.map((key, state) => ({ key, state })),
      morning,
    );
    expect(await limiterStates.load(all, morning)).toEqual(all.map((_, state) => state));
    await limiterStates.remove(["a", "'"]);
    const expected = all.map((key, state) => (key === "a" || key === "'" ? undefined : state));
    expect(await limiterStates.load(all, morning)).toEqual(expected);
    await limiterStates.remove([]);
  });

  test("accepts a key with a null byte", async () => {
    const { limiterStates } = await open();
    await limiterStates.save([{ key: "a\0b", state: 1 }], morning);
    expect(await limiterStates.load(["a\0b", "a", "ab"], morning)).toEqual([1, undefined, undefined]);
    await limiterStates.remove(["a\0b"]);
    expect(await limiterStates.load(["a\0b"], morning)).toEqual([undefined]);
  });

  test("finds a state that its transaction has saved while another query runs beside it", async () => {
    const { limiterStates, transaction, users } = await open();
    await transaction(async () => {
      await limiterStates.save([{ key: "a", state: "saved" }], morning);
      const [found] = await Promise.all([limiterStates.load(["a"], morning), users.byId(1)]);
      expect(found).toEqual(["saved"]);
    });
  });

  test("returns a state until it expires, and not at that instant", async () => {
    const { limiterStates } = await open();
    await limiterStates.save([{ key: "a", state: 1, expiresAt: morning + 10 }], morning);
    expect(await limiterStates.load(["a"], morning + 9)).toEqual([1]);
    expect(await limiterStates.load(["a"], morning + 10)).toEqual([undefined]);
    await limiterStates.save([{ key: "a", state: 2, expiresAt: morning + 50 }], morning + 20);
    expect(await limiterStates.load(["a"], morning + 49)).toEqual([2]);
    await limiterStates.save([{ key: "a", state: 3 }], morning + 20);
    expect(await limiterStates.load(["a"], 8e15)).toEqual([3]);
    await limiterStates.save([{ key: "a", state: 4, expiresAt: morning + 20 }], morning + 20);
    expect(await limiterStates.load(["a"], morning)).toEqual([undefined]);
  });

  test("saves the last of two states for one key", async () => {
    const { limiterStates } = await open();
    const twice = [
      { key: "a", state: 1 },
      { key: "a", state: 2 },
    ];
    await limiterStates.save(twice, morning);
    expect(await limiterStates.load(["a"], morning)).toEqual([2]);
    await limiterStates.save([], morning);
  });

  test("removes expired states in batches, and no others, however often these were saved", async () => {
    const { limiterStates } = await open();
    const lifeMs = 1_000;
    const keys = ["a", "b", "c"];
    for (let now = morning; now < morning + 5 * lifeMs; now += lifeMs / 4)
      await limiterStates.save(
        keys.map((key) => ({ key, state: now, expiresAt: now + lifeMs })),
        now,
      );
    await limiterStates.save([{ key: "for good", state: 1 }], morning);
    const lastSaved = morning + 4.75 * lifeMs;
    expect(await limiterStates.removeExpired(lastSaved, 9)).toBe(0);
    expect(await limiterStates.load(keys, lastSaved)).toEqual([lastSaved, lastSaved, lastSaved]);
    // A row may outlive its state, but by no more than twice its life.
    const gone = lastSaved + 3 * lifeMs;
    expect(await limiterStates.removeExpired(gone, 2)).toBe(2);
    expect(await limiterStates.removeExpired(gone, 2)).toBe(1);
    expect(await limiterStates.removeExpired(gone, 2)).toBe(0);
    expect(await limiterStates.load(["for good"], gone)).toEqual([1]);
    // By two hours at most, however long the state lives.
    for (const [key, lives] of [
      ["longer", [6, 10]],
      ["shorter", [10, 6]],
    ] as const)
      for (const days of lives)
        await limiterStates.save([{ key, state: 1, expiresAt: gone + days * dayMs }], gone);
    expect(await limiterStates.removeExpired(gone + 6 * dayMs - 1, 9)).toBe(0);
    expect(await limiterStates.removeExpired(gone + 6 * dayMs + 7_200_000, 9)).toBe(1);
    expect(await limiterStates.removeExpired(gone + 10 * dayMs - 1, 9)).toBe(0);
    expect(await limiterStates.removeExpired(gone + 10 * dayMs + 7_200_000, 9)).toBe(1);
  });

  test("holds a key's time while the clock is back by less than a minute, and lets it go back by more", async () => {
    const limit = leakyBucket({ capacity: 5, leakPerSecond: 1 });
    let now = morning;
    const limiter = createLimiter({ algorithm: limit, store: databaseStore(await open(), () => now) });
    let passed = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      now = morning - (turn % 2 === 0 ? 0 : 59_999);
      for (let request = 0; request < 3; request += 1) if ((await limiter.consume("a")).allowed) passed += 1;
    }
    expect(passed).toBe(5);
    now = morning - 60_000;
    expect((await limiter.consume("a")).retryAfterMs).toBeLessThanOrEqual(1_000);
    now += 1_000;
    expect((await limiter.consume("a")).allowed).toBe(true);
  });

  test("counts each of many concurrent updates of one key", async () => {
    const database = await open();
    await Promise.all(Array.from({ length: 50 }, () => increment(database, ["a"])));
    expect(await database.limiterStates.load(["a"], morning)).toEqual([50]);
  });

  test("counts each of many concurrent updates of the same keys in different orders, without deadlock", async () => {
    const database = await open();
    const orders = [
      ["a", "b", "c"],
      ["c", "b", "a"],
      ["b", "c", "a"],
    ];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => increment(database, orders[index % orders.length] ?? [])),
    );
    expect(await database.limiterStates.load(["a", "b", "c"], morning)).toEqual([60, 60, 60]);
  });
}
