import { expect, test } from "vitest";
import { addUser } from "../../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../../testing/database.ts";
import { userNamed } from "../../contract/setting.ts";
import type { Database } from "../../index.ts";
import { isSqliteUnavailable, type SqliteDatabase } from "./index.ts";

/** A promise for a transaction's work to wait for until the test resolves it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Adds a user in one query, without a transaction of its own. */
const insert = ({ users }: Database, name: string) => users.insert(userNamed(name));

/** The users that another connection sees: the committed ones. */
function committed({ sqlite }: SqliteDatabase): string[] {
  return temporaryDatabase(`file:${sqlite.name}`)
    .sqlite.prepare<[], string>("select username from users order by id")
    .pluck()
    .all();
}

/** Lets everything run that waits for nothing but its turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("begins the second of two transactions when the first has ended", async () => {
  const database = temporaryDatabase();
  const { opened, open } = gate();
  const events: string[] = [];
  const first = database.transaction(async () => {
    events.push("first begins");
    await insert(database, "alder");
    await opened;
    events.push("first ends");
  });
  const second = database.transaction(async () => {
    events.push(`second begins, ${(await database.users.byUsernameKey("alder"))?.username} is there`);
    await insert(database, "birch");
  });
  await settled();
  expect(events).toEqual(["first begins"]);
  open();
  await Promise.all([first, second]);
  expect(events).toEqual(["first begins", "first ends", "second begins, alder is there"]);
  expect(committed(database)).toEqual(["alder", "birch"]);
});

test("runs the transactions that wait after one that fails", async () => {
  const database = temporaryDatabase();
  const outcomes = await Promise.allSettled([
    database.transaction(async () => {
      await insert(database, "alder");
      throw new Error("no");
    }),
    database.transaction(() => insert(database, "birch")),
  ]);
  expect(outcomes).toMatchObject([
    { status: "rejected", reason: { message: "no" } },
    { status: "fulfilled" },
  ]);
  expect(committed(database)).toEqual(["birch"]);
});

test("answers other callers after a transaction that waits, without its rolled-back changes", async () => {
  const database = temporaryDatabase();
  const { opened, open } = gate();
  let isOver = false;
  const begun = gate();
  const failing = database.transaction(async () => {
    await insert(database, "alder");
    begun.open();
    await opened;
    isOver = true;
    throw new Error("no");
  });
  await begun.opened;
  const answers = [
    database.users.isFirst().then((isFirst) => [isFirst, isOver]),
    database.users.byUsernameKey("alder").then((user) => [user, isOver]),
    database.ping().then(() => ["pong", isOver]),
  ];
  open();
  await expect(failing).rejects.toThrow("no");
  expect(await Promise.all(answers)).toEqual([
    [true, true],
    [undefined, true],
    ["pong", true],
  ]);
});

test("keeps other callers' writes out of a transaction that waits", async () => {
  const database = temporaryDatabase();
  const { opened, open } = gate();
  const failing = database.transaction(async () => {
    await insert(database, "alder");
    await opened;
    throw new Error("no");
  });
  const outside = insert(database, "birch");
  open();
  await expect(failing).rejects.toThrow("no");
  await outside;
  expect(committed(database)).toEqual(["birch"]);
});

test("saves nothing of a transaction that fails, and keeps the connection usable", async () => {
  const database = temporaryDatabase();
  const failing = database.transaction(async () => {
    await insert(database, "alder");
    await settled();
    await insert(database, "birch");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(database.sqlite.inTransaction).toBe(false);
  expect(committed(database)).toEqual([]);
  await addUser(database, "cedar");
  expect(committed(database)).toEqual(["cedar"]);
});

test("rolls back only the nested transaction when that fails", async () => {
  const database = temporaryDatabase();
  await database.transaction(async () => {
    await insert(database, "alder");
    const nested = database.transaction(async () => {
      await insert(database, "birch");
      await database.transaction(() => insert(database, "cedar"));
      throw new Error("no");
    });
    await expect(nested).rejects.toThrow("no");
    expect(await database.users.byUsernameKey("birch")).toBeUndefined();
    expect(await database.users.byUsernameKey("cedar")).toBeUndefined();
    await database.transaction(() => insert(database, "elder"));
    expect(committed(database)).toEqual([]);
  });
  expect(committed(database)).toEqual(["alder", "elder"]);
});

test("runs a query that outlives its transaction outside of it", async () => {
  const database = temporaryDatabase();
  const { opened, open } = gate();
  let late: Promise<unknown> | undefined;
  await database.transaction(async () => {
    await insert(database, "alder");
    late = opened.then(() => database.transaction(() => insert(database, "birch")));
  });
  const [begun, other] = [gate(), gate()];
  const failing = database.transaction(async () => {
    await insert(database, "cedar");
    begun.open();
    await other.opened;
    throw new Error("no");
  });
  await begun.opened;
  open();
  await settled();
  other.open();
  await expect(failing).rejects.toThrow("no");
  await late;
  expect(committed(database)).toEqual(["alder", "birch"]);
});

test("rejects a transaction that cannot begin, and frees the connection", async () => {
  const url = temporaryDatabaseUrl();
  const [database, other] = [temporaryDatabase(url, { lockTimeoutMs: 20 }), temporaryDatabase(url)];
  other.sqlite.exec("begin immediate");
  let ran = false;
  const locked = database.transaction(async () => {
    ran = true;
  });
  expect(isSqliteUnavailable(await locked.catch((error: unknown) => error))).toBe(true);
  expect(ran).toBe(false);
  expect(await database.users.isFirst()).toBe(true);
  other.sqlite.exec("rollback");
  await database.transaction(() => insert(database, "alder"));
  expect(committed(database)).toEqual(["alder"]);
});

test("transactionNow does not wait for another process's lock", async () => {
  const url = temporaryDatabaseUrl();
  // As long as a test may take: one that waits for the lock fails.
  const [database, other] = [temporaryDatabase(url, { lockTimeoutMs: 600_000 }), temporaryDatabase(url)];
  other.sqlite.exec("begin immediate");
  const locked = database.transactionNow(() => insert(database, "alder"));
  expect(isSqliteUnavailable(await locked.catch((error: unknown) => error))).toBe(true);
  other.sqlite.exec("rollback");
  await database.transactionNow(() => insert(database, "birch"));
  expect(committed(database)).toEqual(["birch"]);
});

test("transactionNow waits for its turn in its own process", async () => {
  const database = temporaryDatabase();
  const { opened, open } = gate();
  const first = database.transaction(async () => {
    await insert(database, "alder");
    await opened;
  });
  const second = database.transactionNow(() => database.users.byUsernameKey("alder"));
  open();
  await first;
  expect(await second).toMatchObject({ username: "alder" });
});

/** A database whose file another connection has locked for writing, until `unlock`. */
function lockedDatabase() {
  const url = temporaryDatabaseUrl();
  // As long as a test may take: nothing here gives up.
  const [database, other] = [temporaryDatabase(url, { lockTimeoutMs: 600_000 }), temporaryDatabase(url)];
  other.sqlite.exec("begin immediate");
  return { database, unlock: () => void other.sqlite.exec("rollback") };
}

test("keeps reading while transactions wait for another process's lock, then runs them in order", async () => {
  const { database, unlock } = lockedDatabase();
  const names = ["alder", "birch", "cedar"];
  const began: string[] = [];
  const writing = names.map((name) =>
    database.transaction(async () => {
      began.push(name);
      await insert(database, name);
      await settled();
    }),
  );
  for (let turn = 0; turn < 100; turn += 1) {
    await settled();
    expect(await database.users.byUsernameKey("alder")).toBeUndefined();
  }
  expect(began).toEqual([]);
  unlock();
  await Promise.all(writing);
  expect(began).toEqual(names);
  expect(committed(database)).toEqual(names);
});

test("answers reads that came behind a transaction when the next one waits for another process", async () => {
  const url = temporaryDatabaseUrl();
  const [database, other] = [temporaryDatabase(url, { lockTimeoutMs: 600_000 }), temporaryDatabase(url)];
  const { opened, open } = gate();
  const first = database.transaction(async () => {
    await insert(database, "alder");
    await opened;
  });
  // From the end of the first transaction on, before any other can begin.
  const locking = first.then(() => void other.sqlite.exec("begin immediate"));
  const second = first.then(() => database.transaction(() => insert(database, "birch")));
  const reading = first.then(() => database.users.byUsernameKey("birch"));
  const maintenance = first.then(() => database.transactionNow(() => insert(database, "cedar")));
  open();
  await locking;
  expect(await reading).toBeUndefined();
  expect(isSqliteUnavailable(await maintenance.catch((error: unknown) => error))).toBe(true);
  other.sqlite.exec("rollback");
  await second;
  expect(committed(database)).toEqual(["alder", "birch"]);
});

test("queues a single statement that writes behind the transactions that wait for another process", async () => {
  const { database, unlock } = lockedDatabase();
  const answers = [database.transaction(() => insert(database, "alder"))];
  answers.push(insert(database, "birch"));
  await settled(); // a statement is made in more than one step
  answers.push(database.transaction(() => insert(database, "cedar")));
  for (let turn = 0; turn < 20; turn += 1) await settled();
  unlock();
  await Promise.all(answers);
  expect(committed(database)).toEqual(["alder", "birch", "cedar"]);
});

test("rejects every write whose own timeout is over, and saves nothing of it", async () => {
  const url = temporaryDatabaseUrl();
  const [database, other] = [temporaryDatabase(url, { lockTimeoutMs: 20 }), temporaryDatabase(url)];
  other.sqlite.exec("begin immediate");
  const outcomes = await Promise.allSettled([
    database.transaction(() => insert(database, "alder")),
    insert(database, "birch"),
    database.transaction(() => insert(database, "cedar")),
  ]);
  for (const outcome of outcomes)
    expect(outcome.status === "rejected" && isSqliteUnavailable(outcome.reason)).toBe(true);
  other.sqlite.exec("rollback");
  expect(committed(database)).toEqual([]);
  await database.transaction(() => insert(database, "elder"));
  expect(committed(database)).toEqual(["elder"]);
});

test("closes after the writes that wait for another process", async () => {
  const { database, unlock } = lockedDatabase();
  const file = database.sqlite.name;
  const writing = database.transaction(() => insert(database, "alder"));
  const closed = database.close();
  await settled();
  unlock();
  await Promise.all([writing, closed]);
  expect(committed(temporaryDatabase(`file:${file}`))).toEqual(["alder"]);
});

test("rejects only a failing query from outside the transaction", async () => {
  const database = temporaryDatabase();
  await addUser(database, "alder");
  const { opened, open } = gate();
  const transaction = database.transaction(async () => {
    await insert(database, "birch");
    await opened;
  });
  const answers = [insert(database, "alder"), insert(database, "cedar"), insert(database, "birch")];
  open();
  const outcomes = await Promise.allSettled([transaction, ...answers]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
  // On a free connection a query is answered at once; it rejects all the same, and throws nothing.
  await expect(insert(database, "alder")).rejects.toThrow("UNIQUE");
  expect(committed(database)).toEqual(["alder", "birch", "cedar"]);
});

/** Keeps the thread for five milliseconds, as a large transaction does. */
function work() {
  const until = performance.now() + 5;
  while (performance.now() < until);
}

/** The most tasks in one turn of the event loop while `transactions` run. */
async function mostInOneTurn(transactions: (task: () => Promise<void>) => Promise<unknown>) {
  const inOrder = [0];
  const countTurn = () => {
    inOrder.push(0);
    turn = setImmediate(countTurn);
  };
  let turn = setImmediate(countTurn);
  await transactions(async () => {
    inOrder.push((inOrder.pop() ?? 0) + 1);
    work();
  });
  clearImmediate(turn);
  return Math.max(...inOrder);
}

test("answers other requests between transactions that waited for another process's lock", async () => {
  const { database, unlock } = lockedDatabase();
  const most = mostInOneTurn((task) =>
    Promise.all(Array.from({ length: 20 }, () => database.transaction(task))),
  );
  await settled();
  unlock();
  expect(await most).toBeLessThanOrEqual(3);
});

test("answers other requests between the transactions of one caller that pauses for nothing", async () => {
  const database = temporaryDatabase();
  const most = await mostInOneTurn(async (task) => {
    for (let number = 0; number < 20; number += 1) await database.transaction(task);
  });
  expect(most).toBeLessThanOrEqual(3);
});

test("commits a transaction that comes alone before the end of the turn of the event loop", async () => {
  const database = temporaryDatabase();
  let isCommitted = false;
  const turnsEnd = new Promise((resolve) => setImmediate(() => resolve(isCommitted)));
  await database.transaction(async () => {});
  isCommitted = true;
  expect(await turnsEnd).toBe(true);
});

test("answers a read before the last of many waiting transactions, without uncommitted changes", async () => {
  const database = temporaryDatabase();
  let ended = 0;
  const writing = Array.from({ length: 20 }, async () => {
    await database.transaction(async () => work());
    ended += 1;
  });
  const failing = database.transaction(async () => {
    await insert(database, "alder");
    throw new Error("no");
  });
  const reading = database.users.byUsernameKey("alder").then((user) => ({ user, ended }));
  await Promise.all([...writing, expect(failing).rejects.toThrow("no")]);
  expect((await reading).user).toBeUndefined();
  expect((await reading).ended).toBeLessThan(10);
});

test("refuses writes when a thousand wait already, saves the others, and closes", async () => {
  const { database, unlock } = lockedDatabase();
  const file = database.sqlite.name;
  const writing = Array.from({ length: 1_010 }, (_, number) =>
    database.transaction(() => insert(database, `user-${number}`)),
  );
  const maintenance = database.transactionNow(async () => {});
  const statement = insert(database, "alder");
  expect(isSqliteUnavailable(await writing.at(-1)?.catch((error: unknown) => error))).toBe(true);
  for (const refused of [maintenance, statement])
    expect(isSqliteUnavailable(await refused.catch((error: unknown) => error))).toBe(true);
  const closed = database.close();
  unlock();
  const outcomes = await Promise.allSettled(writing);
  await closed;
  const saved = outcomes.flatMap(({ status }, number) => (status === "fulfilled" ? [`user-${number}`] : []));
  // The first one has begun, and tries again.
  expect(saved).toHaveLength(1_001);
  expect(committed(temporaryDatabase(`file:${file}`))).toEqual(saved);
});
