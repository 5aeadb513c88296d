/**
 * Outages of PostgreSQL in the middle of work.
 * One server; each test leaves it running.
 */
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../../scripts/cluster/start-postgres.ts";
import { patientTimeouts } from "../../../testing/postgres-server.ts";
import { addUser, addUsers, countsOfRatings, postOfAuthor, rate, userNamed } from "../../contract/setting.ts";
import type { Database } from "../../index.ts";
import { isPostgresUnavailable, openPostgres } from "./index.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
// Where a test failed with the server paused, its end must not wait for it.
afterEach(() => server.resume());
afterAll(() => server.stop());

const open = (url: string, timeouts = patientTimeouts) => openPostgres(url, { timeouts });

async function newDatabase(timeouts = patientTimeouts) {
  const url = await server.newDatabase();
  const database = await open(url, timeouts);
  onTestFinished(() => database.close());
  return { url, database };
}

/** The error that a promise rejects with; undefined when it resolves. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error ?? "nothing",
  );
}

/** Rates as one user after the other until the database is unavailable. */
async function rateUntilUnavailable(
  database: Database,
  users: Iterator<number>,
  onSaved: (user: number) => void,
) {
  for (;;) {
    const { value: userId } = users.next();
    try {
      await rate(database, userId, 5);
      onSaved(userId);
    } catch (error) {
      if (isPostgresUnavailable(error)) return;
      // Every user has rated already.
      if (!String(error).includes("duplicate key")) throw error;
    }
  }
}

function* endlessly<T>(values: readonly T[]): Generator<T, never> {
  for (;;) yield* values;
}

/** Rates until it is saved, or refused since it was saved before. */
async function rateUntilSaved(database: Database, userId: number): Promise<void> {
  for (;;) {
    const error = await failureOf(rate(database, userId, 5));
    if (!isPostgresUnavailable(error)) return;
  }
}

test.each(["shutDown", "kill9"] as const)(
  "keeps every answered rating, and none by half, after %s in the middle of ratings",
  async (how) => {
    const { database } = await newDatabase();
    const { postId } = await postOfAuthor(database);
    const users = await addUsers(database, 100);
    const saved: number[] = [];
    const { promise: someSaved, resolve } = Promise.withResolvers<void>();
    const next = endlessly(users);
    const raters = Array.from({ length: 10 }, () =>
      rateUntilUnavailable(database, next, (userId) => {
        if (saved.push(userId) === 30) resolve();
      }),
    );
    await someSaved;
    await server[how]();
    await Promise.all(raters);
    expect(isPostgresUnavailable(await failureOf(database.ping()))).toBe(true);

    await server.start();
    await expect.poll(() => failureOf(database.ping())).toBeUndefined();
    const { counts } = await database.tallies.find(postId);
    expect(await countsOfRatings(database, postId)).toEqual(counts);
    expect(counts[5]).toBeGreaterThanOrEqual(saved.length);
    for (const userId of saved) expect(await database.ratings.find(postId, userId)).toBeDefined();
    // A rating that was saved without an answer is refused as a second one.
    for (const userId of users) await rateUntilSaved(database, userId);
    expect((await database.tallies.find(postId)).counts).toEqual([0, 0, 0, 0, 0, users.length]);
  },
);

test("gives up on a server that hangs, drops the transaction, and uses the server again", async () => {
  const { database } = await newDatabase({ ...patientTimeouts, connect: 5_000, query: 5_000 });
  const { users, transaction } = database;
  const { promise: hasStopped, resolve: stopped } = Promise.withResolvers<void>();
  const hanging = transaction(async () => {
    await users.insert(userNamed("ada"));
    server.pause();
    stopped();
    await users.insert(userNamed("bo"));
  });
  const hangingFails = failureOf(hanging);
  // On a busy machine its first statement may time out before the server hangs.
  await Promise.race([hasStopped, hangingFails]);
  const others = [users.isFirst(), database.ping(), transaction(() => users.insert(userNamed("cy")))];
  const failures = await Promise.all([hangingFails, ...others.map(failureOf)]);
  expect(failures.map(isPostgresUnavailable)).toEqual([true, true, true, true]);
  server.resume();
  await expect.poll(() => failureOf(database.ping())).toBeUndefined();
  // Each may time out on a busy machine.
  await expect.poll(() => users.isFirst().catch(() => undefined)).toBe(true);
  const insert = async () => {
    if (!(await users.byUsernameKey("ada"))) await transaction(() => users.insert(userNamed("ada")));
  };
  await expect.poll(() => failureOf(insert())).toBeUndefined();
  // The database's clock is read on it from time to time.
  await expect.poll(() => database.poolFigures()).toMatchObject({ busy: 0, waiting: 0 });
});

test("ends a transaction that loses its connection, and runs none of it on another", async () => {
  const { url, database } = await newDatabase();
  const { users, transaction } = database;
  const administrator = postgres(url, { max: 1 });
  const endOthers = () =>
    administrator`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const losing = transaction(async () => {
    await users.insert(userNamed("before"));
    await endOthers();
    // Sent together, and the server has not seen the statements before.
    const [inserted, found] = [users.insert(userNamed("after")), users.emailTaken("a")];
    const failures = await Promise.all([failureOf(inserted), failureOf(found)]);
    expect(failures.map(isPostgresUnavailable)).toEqual([true, true]);
    await users.insert(userNamed("later"));
  });
  expect(isPostgresUnavailable(await failureOf(losing))).toBe(true);
  await administrator.end();
  expect(await users.isFirst()).toBe(true);
});

test("lets others go on when the server ends an idle transaction", async () => {
  const { url, database } = await newDatabase();
  const { authorId } = await postOfAuthor(database);
  const ofServer = { ...patientTimeouts.server, idle_in_transaction_session_timeout: 1_000 };
  const other = await openPostgres(url, { timeouts: { ...patientTimeouts, server: ofServer } });
  onTestFinished(() => other.close());
  const { promise: hasLocked, resolve: locked } = Promise.withResolvers<void>();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const standing = other.transaction(async () => {
    await other.posts.lock("post");
    locked();
    await mayGoOn;
    await other.users.setDisabledAt(authorId, 1);
  });
  const standingFails = failureOf(standing);
  // On a busy machine the server may end it earlier.
  await Promise.race([hasLocked, standingFails]);
  await expect.poll(() => failureOf(rate(database, authorId, 5))).toBeUndefined();
  goOn();
  expect(isPostgresUnavailable(await standingFails)).toBe(true);
  expect((await database.users.byId(authorId))?.disabledAt).toBeNull();
});

test("rejects a call that waits too long for a free connection", async () => {
  const { url } = await newDatabase();
  const timeouts = { ...patientTimeouts, freeConnection: 5_000 };
  const database = await openPostgres(url, { poolSize: 1, timeouts });
  onTestFinished(() => database.close());
  const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const holding = database.transaction(() => {
    begun();
    return mayEnd;
  });
  await hasBegun;
  const failure = await failureOf(database.ping());
  end();
  await failureOf(holding);
  expect(isPostgresUnavailable(failure)).toBe(true);
  expect(String(failure)).toContain("No connection to PostgreSQL was free in time");
});

test("reads from a read-only database, and reports it as unavailable for writes until it takes them again", async () => {
  const { url, database } = await newDatabase();
  const administrator = postgres(url, { max: 1 });
  await addUser(database, "ada");
  await administrator`alter system set default_transaction_read_only = on`;
  await administrator`select pg_reload_conf()`;
  await expect.poll(async () => isPostgresUnavailable(await failureOf(addUser(database, "bo")))).toBe(true);
  await expect.poll(() => database.users.byUsernameKey("ada").catch(() => undefined)).toBeDefined();
  await administrator`alter system reset default_transaction_read_only`;
  await administrator`select pg_reload_conf()`;
  await administrator.end();
  // The server follows its settings a moment later, before which the next test could not make a database.
  await expect.poll(() => failureOf(addUser(database, "cy"))).toBeUndefined();
});

test("closes its connections when opening fails after the upgrade of the tables", async () => {
  const url = await server.newDatabase();
  const administrator = postgres(url, { max: 1 });
  onTestFinished(() => administrator.end());
  const name = administrator(new URL(url).pathname.slice(1));
  // A clock that cannot be read: this function comes before the system's own.
  await administrator.unsafe(
    "create function public.clock_timestamp() returns timestamptz language plpgsql as $$ begin raise 'no clock'; end $$",
  );
  await administrator`alter database ${name} set search_path = public, pg_catalog`;
  expect(String(await failureOf(open(url)))).toContain("no clock");
  const others = () =>
    administrator`select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await others()).length).toBe(0);
});

test("opening names a refused login, a missing database and a closed port, without the password", async () => {
  const { url } = await newDatabase();
  const wrong = new URL(url);
  wrong.password = "not-this-one";
  const refused = await failureOf(open(wrong.href));
  expect(String(refused)).toContain("password authentication failed");
  const absent = await failureOf(open(server.url("absent")));
  expect(String(absent)).toContain('database "absent" does not exist');
  await server.shutDown();
  onTestFinished(() => server.start());
  const unreachable = await failureOf(open(url));
  expect(isPostgresUnavailable(unreachable)).toBe(true);
  expect(String(unreachable)).toContain("ECONNREFUSED");
  for (const error of [refused, absent]) expect(isPostgresUnavailable(error), String(error)).toBe(true);
  for (const error of [refused, absent, unreachable])
    expect(error instanceof Error && `${JSON.stringify(error)}${error.stack}`).not.toMatch(/not-this-one/);
});
