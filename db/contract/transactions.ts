import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Counts } from "../counts.ts";
import {
  addUser,
  addUsers,
  countsOfRatings,
  morning,
  type Open,
  postOfAuthor,
  rate,
  rating,
  tallyWith,
  userNamed,
} from "./setting.ts";

class RefusedError extends Error {}

export function transactionContract(open: Open): void {
  test("saves a transaction, and resolves to its work's result", async () => {
    const { transaction, users } = await open();
    const id = await transaction(() => users.insert(userNamed("ada")));
    expect(await users.byId(id)).toBeDefined();
    expect(await transaction(async () => "no query")).toBe("no query");
  });

  test("saves nothing of a transaction that fails, and rejects with its error", async () => {
    const { transaction, users } = await open();
    const refused = new RefusedError();
    const work = async () => {
      await users.insert(userNamed("ada"));
      throw refused;
    };
    await expect(transaction(work)).rejects.toBe(refused);
    expect(await users.isFirst()).toBe(true);
  });

  test("saves nothing of a transaction in which a query failed", async () => {
    const database = await open();
    const { transaction, users, ratings } = database;
    const { postId, authorId } = await postOfAuthor(database);
    await expect(
      transaction(async () => {
        await users.insert(userNamed("ada"));
        await ratings.insert(rating(postId, authorId));
        await ratings.insert(rating(postId, authorId));
      }),
    ).rejects.toThrow();
    expect(await users.byUsernameKey("ada")).toBeUndefined();
    expect(await ratings.find(postId, authorId)).toBeUndefined();
    expect(await ratings.days(postId)).toEqual([]);
  });

  test("hides uncommitted changes from other connections", async () => {
    const { transaction, users } = await open();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = () => {};
    const hasInserted = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const inserting = transaction(async () => {
      await users.insert(userNamed("ada"));
      begun();
      await released;
      throw new RefusedError();
    });
    await hasInserted;
    // Called now, answered whenever the database can.
    const seen = users.byUsernameKey("ada");
    release();
    await expect(inserting).rejects.toBeInstanceOf(RefusedError);
    expect(await seen).toBeUndefined();
  });

  test("rolls back a failed nested transaction alone", async () => {
    const { transaction, users } = await open();
    await transaction(async () => {
      await users.insert(userNamed("before"));
      const failing = transaction(async () => {
        await users.insert(userNamed("within"));
        await transaction(() => users.insert(userNamed("deeper")));
        throw new RefusedError();
      });
      await expect(failing).rejects.toBeInstanceOf(RefusedError);
      const failingQuery = transaction(() => users.insert(userNamed("before")));
      await expect(failingQuery).rejects.toThrow();
      await transaction(() => users.insert(userNamed("after")));
    });
    const there = ["before", "within", "deeper", "after"].map(
      async (name) => !!(await users.byUsernameKey(name)),
    );
    expect(await Promise.all(there)).toEqual([true, false, false, true]);
  });

  test("rolls back a nested transaction with the outer one", async () => {
    const { transaction, users } = await open();
    const failing = transaction(async () => {
      await transaction(() => users.insert(userNamed("within")));
      throw new RefusedError();
    });
    await expect(failing).rejects.toBeInstanceOf(RefusedError);
    expect(await users.isFirst()).toBe(true);
  });

  test("refuses a nested transaction beside another one, and saves nothing", async () => {
    const { transaction, users } = await open();
    const failing = transaction(() =>
      Promise.all([
        transaction(() => users.insert(userNamed("one"))),
        transaction(async () => {
          await users.insert(userNamed("two"));
          throw new RefusedError();
        }).catch(() => undefined),
        transaction(() => users.insert(userNamed("three"))),
      ]),
    );
    await expect(failing).rejects.toThrow("nested transaction");
    expect(await users.isFirst()).toBe(true);
  });

  test("refuses a query beside a nested transaction, which could roll it back", async () => {
    const { transaction, users } = await open();
    const failing = transaction(() =>
      Promise.all([
        transaction(async () => {
          await users.insert(userNamed("within"));
          throw new RefusedError();
        }).catch(() => undefined),
        users.insert(userNamed("beside")),
      ]),
    );
    await expect(failing).rejects.toThrow("nested transaction");
    expect(await users.isFirst()).toBe(true);
  });

  test("keeps a nested transaction whole beside one that outlives its own", async () => {
    const { users, transaction } = await open();
    const shared = { lockKey: "shared" };
    let late: Promise<unknown> = Promise.resolve();
    const failing = transaction(async () => {
      late = transaction(async () => {
        await users.insert(userNamed("alder"));
        await nextTurn();
        throw new Error("late");
      });
      late.catch(() => undefined);
    }, shared);
    const whole = transaction(
      () =>
        transaction(async () => {
          await users.insert(userNamed("birch"));
          await nextTurn();
          await nextTurn();
          await users.insert(userNamed("cedar"));
        }),
      shared,
    );
    await expect(failing).rejects.toThrow("nested transaction");
    await expect(late).rejects.toThrow();
    await whole;
    const found = await Promise.all(["alder", "birch", "cedar"].map((name) => users.byUsernameKey(name)));
    expect(found.map((user) => user?.username)).toEqual([undefined, "birch", "cedar"]);
  });

  test("saves nothing of a transaction that ends before its nested one", async () => {
    const { transaction, users } = await open();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let nested: Promise<unknown> = Promise.resolve();
    const failing = transaction(async () => {
      nested = transaction(async () => {
        await users.insert(userNamed("within"));
        await released;
        await users.insert(userNamed("later"));
      });
      nested.catch(() => undefined);
    });
    await expect(failing).rejects.toThrow("nested transaction");
    release();
    await expect(nested).rejects.toThrow();
    expect(await users.isFirst()).toBe(true);
  });

  test("transactionNow works like transaction without contention", async () => {
    const { transactionNow, transaction, users } = await open();
    await transactionNow(() => users.insert(userNamed("ada")));
    await transaction(() => transactionNow(() => users.insert(userNamed("bo"))));
    const failing = transactionNow(async () => {
      await users.insert(userNamed("cy"));
      throw new RefusedError();
    });
    await expect(failing).rejects.toBeInstanceOf(RefusedError);
    expect(await users.byUsernameKey("bo")).toBeDefined();
    expect(await users.byUsernameKey("cy")).toBeUndefined();
  });

  test("loses none of many ratings of one post at once", async () => {
    const database = await open();
    const { postId } = await postOfAuthor(database);
    const users = await addUsers(database, 40);
    await Promise.all(users.map((userId, index) => rate(database, userId, index % 4 === 0 ? 1 : 5)));
    const expected = [0, 10, 0, 0, 0, 30];
    expect((await database.tallies.find(postId)).counts).toEqual(expected);
    expect(await countsOfRatings(database, postId)).toEqual(expected);
  });

  test("locks a post, by its slug or its tally, until the transaction ends", async () => {
    const database = await open();
    const { posts, tallies, transaction } = database;
    const { postId } = await postOfAuthor(database);
    const countOne = async (counts: Counts) => {
      const [, ...others] = counts;
      await tallies.save(postId, tallyWith({ counts: [counts[0] + 1, ...others] }));
    };
    const byLock = () =>
      transaction(async () => {
        await posts.lock("post");
        await countOne((await posts.bySlug("post"))?.counts ?? tallyWith().counts);
      });
    const byTally = () => transaction(async () => countOne((await tallies.find(postId)).counts));
    for (const [index, count] of [byLock, byTally].entries()) {
      await Promise.all(Array.from({ length: 30 }, count));
      expect((await tallies.find(postId)).counts[0]).toBe(30 * (index + 1));
    }
  });

  test("saves one of many identical ratings at once, and refuses the others", async () => {
    const database = await open();
    const { postId } = await postOfAuthor(database);
    const userId = await addUser(database, "rater");
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => rate(database, userId, 5)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await database.tallies.find(postId)).counts).toEqual([0, 0, 0, 0, 0, 1]);
  });

  test("runs a query outside of a transaction that has ended, though its work began it", async () => {
    const { transaction, users } = await open();
    let later: Promise<unknown> = Promise.resolve();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await transaction(async () => {
      later = released.then(() => users.insert(userNamed("later", { createdAt: morning })));
    });
    release();
    await later;
    expect(await users.byUsernameKey("later")).toBeDefined();
  });

  test("answers as long as it is open", async () => {
    const { ping, users, close } = await open();
    await ping();
    await close();
    await expect(users.isFirst()).rejects.toThrow();
  });
}
