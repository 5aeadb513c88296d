/** Connections closed while in use, and prepared statements that they have lost. */
import postgres from "postgres";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import { createPool } from "./client.ts";
import { openPostgres } from "./index.ts";
import { createSession } from "./session.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

const poolSize = 3;

/** A session on a new database with a table of its own. */
async function newSession(size = poolSize) {
  const url = await server.newDatabase();
  const administrator = postgres(url, { max: 1 });
  await administrator`create table amounts (amount integer)`;
  const pool = createPool(url, size, patientTimeouts);
  onTestFinished(async () => {
    await Promise.all([pool.close(), administrator.end()]);
  });
  return { url, administrator, pool, session: createSession(pool, undefined, patientTimeouts) };
}

/**
 * Runs the work on every connection of the pool.
 * In as many transactions as it has, at once.
 */
async function onEveryConnection(session: ReturnType<typeof createSession>, work: () => Promise<unknown>) {
  const { promise: allBegan, resolve: lastBegan } = Promise.withResolvers<void>();
  let began = 0;
  const transactions = Array.from({ length: poolSize }, () =>
    session.transaction(async () => {
      await session.run("select 'begun'");
      began += 1;
      if (began === poolSize) lastBegan();
      await allBegan;
      return work();
    }),
  );
  return Promise.all(transactions);
}

const insert = "insert into amounts values ($1)";
const read = "select amount from amounts";

test("lets a transaction at work finish when it is closed, and rejects waiting calls at once", async () => {
  const { pool, session, administrator } = await newSession(1);
  const [hasBegun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => mayGoOn.resolve());
  const working = session.transaction(async () => {
    await session.run(insert, [1]);
    hasBegun.resolve();
    await mayGoOn.promise;
    await session.run(insert, [2]);
  });
  await hasBegun.promise;
  const waiting = session.run(read);
  expect(pool.figures().waiting).toBe(1);

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = pool.close();
  await expect(waiting).rejects.toThrow("The database is closed");
  vi.advanceTimersByTime(4_000);
  mayGoOn.resolve();
  await working;
  await closed;
  expect(await administrator`select amount from amounts`).toHaveLength(2);
});

test.each(["alone", "in a transaction", "in a transaction that does not wait"])(
  "runs statements %s after a column's type has changed",
  async (how) => {
    const { session, administrator } = await newSession();
    const [outside, inTransaction, now] = [
      (work: () => Promise<unknown>) => work(),
      session.transaction,
      session.transactionNow,
    ];
    const run = { alone: outside, "in a transaction": inTransaction }[how] ?? now;
    await onEveryConnection(session, async () => {
      await session.run(insert, [1]);
      await session.run(read);
    });
    await administrator`alter table amounts alter column amount type text`;
    await run(() => session.run(insert, [2]));
    const { rows } = (await run(() => session.run(read))) as Awaited<ReturnType<typeof session.run>>;
    expect(rows).toEqual([["1"], ["1"], ["1"], ["2"]]);
  },
);

test("prepares statements again on a connection that has lost them", async () => {
  const { session } = await newSession();
  const use = () => session.run(read);
  await onEveryConnection(session, use);
  await onEveryConnection(session, () => session.run("deallocate all"));
  await onEveryConnection(session, use);
  expect((await use()).rows).toEqual([]);
});

test("rejects with the first failure, not with the loss of a statement that it prevented", async () => {
  const { session } = await newSession();
  const failing = session.transaction(async () => {
    const statements = ["select 1 / 0", read, read].map((text) => session.run(text));
    const last = (await Promise.allSettled(statements)).at(-1);
    if (last?.status === "rejected") throw last.reason;
  });
  await expect(failing).rejects.toMatchObject({ code: "22012" });
});

test.each(["alone", "in a transaction"])(
  "drops the connection of a statement %s when its server takes no writes",
  async (how) => {
    const { session } = await newSession(1);
    const write = () => session.run(insert, [1]);
    await session.run("set default_transaction_read_only = on");
    const failing = how === "alone" ? write() : session.transaction(write);
    await expect(failing).rejects.toMatchObject({ code: "25006" });
    await write();
    expect((await session.run(read)).rows).toEqual([[1]]);
  },
);

test("is not ready while the server takes no writes, and ready once it does again", async () => {
  const url = await server.newMigratedDatabase();
  const database = await openPostgres(url, { poolSize: 1, timeouts: patientTimeouts });
  const administrator = postgres(url, { max: 1 });
  onTestFinished(async () => {
    await Promise.all([database.close(), administrator.end()]);
  });
  const name = administrator(new URL(url).pathname.slice(1));
  const codeOf = () =>
    database.ping().then(
      () => "ready",
      (error: { code?: string }) => error.code,
    );
  await expect.poll(codeOf).toBe("ready");
  // For connections made from then on.
  await administrator`alter database ${name} set default_transaction_read_only = on`;
  await administrator`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await expect.poll(codeOf).toBe("25006");
  await administrator`alter database ${name} set default_transaction_read_only = off`;
  await expect.poll(codeOf).toBe("ready");
});

test("replaces connections that have lived long enough, also idle ones", async () => {
  const url = await server.newDatabase();
  const pool = createPool(url, 1, { ...patientTimeouts, connectionLife: 50 });
  onTestFinished(() => pool.close());
  const session = createSession(pool);
  const pid = async () => (await session.run("select pg_backend_pid()")).rows[0]?.[0];
  const first = await pid();
  await expect.poll(pid).not.toBe(first);
});

test("names prepared statements unlike any other process does", async () => {
  const names = async () => {
    const { session } = await newSession(1);
    await session.run(read);
    const { rows } = await session.run("select name from pg_prepared_statements where statement = $1", [
      read,
    ]);
    return rows.flat();
  };
  const [one, other] = [await names(), await names()];
  expect([...one, ...other]).toHaveLength(2);
  expect(one).not.toEqual(other);
});
