import { AsyncLocalStorage } from "node:async_hooks";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { childEnvironment, nodeOptions } from "../../../testing/child-process.ts";
import { commitsIn } from "../../../testing/commits.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../../testing/database.ts";
import { userNamed } from "../../contract/setting.ts";
import { databaseFile, type SqliteDatabase } from "./index.ts";

class RefusedError extends Error {}

/** Runs a call as from another request, not in the context of a transaction. */
const outside = AsyncLocalStorage.snapshot();

/**
 * A database, and another connection to it.
 * Transactions share commits however long they take.
 */
function openTwice() {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url, { joinWindowMs: Number.POSITIVE_INFINITY });
  return { url, database, other: temporaryDatabase(url) };
}

const insert = ({ users }: SqliteDatabase, name: string) => users.insert(userNamed(name));

/** The users that a connection sees. */
function usersOf({ sqlite }: SqliteDatabase): string[] {
  return sqlite.prepare<[], string>("select username from users order by id").pluck().all();
}

/** Rates a post that does not exist, which only the commit refuses. */
function breakAtCommit({ sqlite }: SqliteDatabase): void {
  sqlite.pragma("defer_foreign_keys = on");
  sqlite.exec("insert into ratings values (99, 99, 5, 0, 0, null)");
}

/** Leaves no room, as on a full disk, until the returned function is called. */
function fillDisk({ sqlite }: SqliteDatabase): () => void {
  sqlite.pragma(`max_page_count = ${sqlite.pragma("page_count", { simple: true })}`);
  return () => void sqlite.pragma("max_page_count = 100000");
}

/** Needs room in the file; without it, SQLite rolls back the whole transaction. */
const overflow = ({ limiterStates }: SqliteDatabase) =>
  limiterStates.save([{ key: "large", state: "x".repeat(100_000), expiresAt: 2 }], 1);

const codes = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((outcome) => (outcome.status === "fulfilled" ? "saved" : (outcome.reason.code ?? "failed")));

test("commits 32 transactions at once together, in order, and answers each only after the commit", async () => {
  const { url, database, other } = openTwice();
  const names = Array.from({ length: 32 }, (_, number) => `user-${number}`);
  const before = commitsIn(url);
  const answered: string[] = [];
  await Promise.all(
    names.map(async (name) => {
      await database.transaction(() => insert(database, name));
      expect(usersOf(other)).toContain(name);
      answered.push(name);
    }),
  );
  expect(answered).toEqual(names);
  expect(usersOf(other)).toEqual(names);
  expect(commitsIn(url) - before).toBe(1);
});

test("commits transactions of one turn's callbacks together, with single statements, after others came together", async () => {
  const { url, database } = openTwice();
  await Promise.all(["alder", "birch"].map((name) => insert(database, name)));
  const before = commitsIn(url);
  const names = Array.from({ length: 20 }, (_, number) => `user-${number}`);
  await Promise.all(
    names.map(async (name, index) => {
      await new Promise((resolve) => setImmediate(resolve));
      const save = () => insert(database, name);
      await [() => database.transaction(save), () => database.transactionNow(save), save][index % 3]?.();
    }),
  );
  expect(usersOf(database)).toHaveLength(22);
  expect(commitsIn(url) - before).toBe(1);
});

test("adds a transaction that arrives during another one to its commit, after it", async () => {
  const { database, other } = openTwice();
  let second: Promise<unknown> = Promise.resolve();
  await database.transaction(async () => {
    await insert(database, "alder");
    second = outside(() => database.transaction(() => insert(database, "birch")));
    await insert(database, "cedar");
  });
  expect(usersOf(other)).toEqual(["alder", "cedar", "birch"]);
  await second;
});

test("shows a transaction the changes of those before it, and other callers none before the commit", async () => {
  const { database, other } = openTwice();
  const { users, transaction } = database;
  let reading: Promise<unknown> = Promise.resolve();
  await Promise.all([
    transaction(() => insert(database, "alder")),
    transaction(async () => {
      expect(await users.byUsernameKey("alder")).toBeDefined();
      expect(usersOf(other)).toEqual([]);
      reading = outside(() => users.byUsernameKey("alder")).then((user) => {
        expect(user).toBeDefined();
        expect(usersOf(other)).toContain("alder");
      });
    }),
  ]);
  await reading;
});

test.each([0, 1, 4])("rolls back only the one that fails, at place %s", async (place) => {
  const { database, other } = openTwice();
  const refused = new RefusedError();
  const outcomes = await Promise.allSettled(
    ["a", "b", "c", "d", "e"].map((name, index) =>
      database.transaction(async () => {
        await insert(database, name);
        // A nested transaction that fails takes nothing of others with it.
        await expect(database.transaction(() => insert(database, name))).rejects.toThrow("UNIQUE");
        if (index === place) throw refused;
      }),
    ),
  );
  expect(outcomes[place]).toEqual({ status: "rejected", reason: refused });
  expect(codes(outcomes)).toEqual([0, 1, 2, 3, 4].map((index) => (index === place ? "failed" : "saved")));
  expect(usersOf(other)).toEqual(["a", "b", "c", "d", "e"].filter((_, index) => index !== place));
});

test("rejects only the statement that fails", async () => {
  const { database, other } = openTwice();
  const outcomes = await Promise.allSettled(
    ["alder", "alder", "birch"].map((name) => insert(database, name)),
  );
  expect(codes(outcomes)).toEqual(["saved", "SQLITE_CONSTRAINT_UNIQUE", "saved"]);
  expect(usersOf(other)).toEqual(["alder", "birch"]);
});

test("runs each transaction alone when the shared commit fails, and saves those that can be committed", async () => {
  const { database, other } = openTwice();
  const runs: string[] = [];
  const outcomes = await Promise.allSettled(
    ["alder", "birch", "cedar"].map((name) =>
      database.transaction(async () => {
        runs.push(name);
        await insert(database, name);
        if (name === "birch") breakAtCommit(database);
        else if (runs.length <= 3) expect(usersOf(other)).toEqual([]);
      }),
    ),
  );
  expect(codes(outcomes)).toEqual(["saved", "SQLITE_CONSTRAINT_FOREIGNKEY", "saved"]);
  expect(runs).toEqual(["alder", "birch", "cedar", "alder", "birch", "cedar"]);
  expect(usersOf(other)).toEqual(["alder", "cedar"]);
});

test("rejects all transactions, and saves none, when no commit succeeds", async () => {
  const { database, other } = openTwice();
  const outcomes = await Promise.allSettled(
    ["alder", "birch", "cedar"].map((name) =>
      database.transaction(async () => {
        await insert(database, name);
        breakAtCommit(database);
      }),
    ),
  );
  expect(codes(outcomes)).toEqual(Array(3).fill("SQLITE_CONSTRAINT_FOREIGNKEY"));
  expect(usersOf(other)).toEqual([]);
  await database.transaction(() => insert(database, "elder"));
  expect(usersOf(other)).toEqual(["elder"]);
});

test("reports each transaction as saved only if it is, when the disk fills up at the commit", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  await database.close();
  // No file may grow beyond this, so the log takes some of the states and not all. In blocks of 512 bytes.
  const blocks = Math.ceil((statSync(databaseFile(url)).size + 200_000) / 512);
  const { stdout, status } = spawnSync(
    "sh",
    [
      "-c",
      `ulimit -f ${blocks}; exec "$@"`,
      "sh",
      process.execPath,
      ...nodeOptions,
      join("testing", "full-disk-child.ts"),
      url,
    ],
    { env: childEnvironment(), encoding: "utf8" },
  );
  expect(status).toBe(0);
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(32);
  const saved = lines.filter((line) => line.startsWith("state-"));
  for (const line of lines) expect(line).toMatch(/^(state-\d+|SQLITE_(FULL|IOERR)\w*)$/);
  expect(saved.length).toBeGreaterThan(0);
  expect(saved.length).toBeLessThan(32);
  const { sqlite } = temporaryDatabase(url);
  const keys = sqlite.prepare<[], string>("select key from limiter_states order by rowid").pluck().all();
  expect(keys.toSorted()).toEqual(saved.toSorted());
});

test.each([0, 1, 2])(
  "runs the others again when SQLite ends their transaction, by the one at place %s",
  async (place) => {
    const { database, other } = openTwice();
    const makeRoom = fillDisk(database);
    const outcomes = await Promise.allSettled(
      ["alder", "birch", "cedar"].map((name, index) =>
        database.transaction(async () => {
          await insert(database, name);
          if (index === place) await overflow(database);
        }),
      ),
    );
    expect(codes(outcomes)).toEqual([0, 1, 2].map((index) => (index === place ? "SQLITE_FULL" : "saved")));
    expect(usersOf(other)).toEqual(["alder", "birch", "cedar"].filter((_, index) => index !== place));
    makeRoom();
    await insert(database, "elder");
    expect(usersOf(other)).toContain("elder");
  },
);

test("saves nothing of work that continues after SQLite has ended its transaction", async () => {
  const { database, other } = openTwice();
  fillDisk(database);
  const continuing = (name: string) =>
    database.transaction(async () => {
      await overflow(database).catch(() => {});
      await insert(database, name);
    });
  const nested = database.transaction(async () => {
    await database.transaction(() => overflow(database)).catch(() => {});
    await insert(database, "cedar");
  });
  const outcomes = await Promise.allSettled([
    continuing("alder"),
    continuing("birch"),
    nested,
    database.transaction(() => overflow(database).catch(() => {})),
    insert(database, "elder"),
  ]);
  expect(codes(outcomes)).toEqual([...Array(4).fill("SQLITE_FULL"), "saved"]);
  expect(usersOf(other)).toEqual(["elder"]);
});

test("runs each transaction in its caller's asynchronous context, also when it runs again", async () => {
  const { database } = openTwice();
  const request = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  await Promise.allSettled(
    ["a", "b", "c"].map((name) =>
      request.run(name, () =>
        database.transaction(async () => {
          seen.push(request.getStore());
          await insert(database, name);
          seen.push(request.getStore());
          if (name === "b") breakAtCommit(database);
        }),
      ),
    ),
  );
  const once = ["a", "a", "b", "b", "c", "c"];
  expect(seen).toEqual([...once, ...once]);
});

test("commits at most 64 together, and answers a read after the first of these commits", async () => {
  const { url, database } = openTwice();
  const before = commitsIn(url);
  let answered = 0;
  let reading: Promise<unknown> = Promise.resolve();
  await Promise.all(
    Array.from({ length: 200 }, async (_, number) => {
      await database.transaction(async () => {
        await insert(database, `user-${number}`);
        if (number === 0) reading = outside(() => database.users.isFirst()).then(() => answered);
      });
      answered += 1;
    }),
  );
  expect(await reading).toBeLessThanOrEqual(64);
  expect(commitsIn(url) - before).toBe(4);
});

test("adds no transaction to a commit 10 ms after its first one", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const before = commitsIn(url);
  const slow = (name: string) =>
    database.transaction(async () => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      await insert(database, name);
    });
  await Promise.all(["alder", "birch", "cedar", "elder"].map(slow));
  // Two in each, or fewer on a busy machine.
  expect(commitsIn(url) - before).toBeGreaterThanOrEqual(2);
});

test.each([0, 1, 2])(
  "refuses work that does not settle in time, at place %s, and saves nothing of it but the others",
  async (place) => {
    const url = temporaryDatabaseUrl();
    const database = temporaryDatabase(url, { joinWindowMs: Number.POSITIVE_INFINITY, workMaximumMs: 20 });
    const { promise: isLate, resolve: goOn } = Promise.withResolvers<void>();
    let late: Promise<unknown> = Promise.resolve();
    const outcomes = await Promise.allSettled(
      ["alder", "birch", "cedar"].map((name, index) =>
        database.transaction(async () => {
          await insert(database, name);
          if (index !== place) return;
          late = isLate.then(() => insert(database, "late"));
          await late;
        }),
      ),
    );
    const busyAt = (index: number) => (index === place ? "SQLITE_BUSY" : "saved");
    expect(codes(outcomes)).toEqual([0, 1, 2].map(busyAt));
    goOn();
    await expect(late).rejects.toThrow("not ended in time");
    const expected = ["alder", "birch", "cedar"].filter((_, index) => index !== place);
    expect(usersOf(temporaryDatabase(url))).toEqual(expected);
    await insert(database, "elder");
    expect(usersOf(temporaryDatabase(url))).toEqual([...expected, "elder"]);
  },
);
