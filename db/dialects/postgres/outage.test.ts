/** PostgreSQL is gone, or hangs, in the middle of it. Each test has a server of its own. */
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../../testing/postgres-server.ts";
import { addUser, addUsers, postOfAuthor, rate, userNamed } from "../../contract/setting.ts";
import { isPostgresUnavailable, openPostgres } from "./index.ts";

async function serverWithDatabase() {
  const server = await startPostgres();
  onTestFinished(() => server.stop(), 60_000);
  const url = await server.newDatabase();
  const database = await openPostgres(url);
  onTestFinished(() => database.close(), 60_000);
  return { server, url, database };
}

/** What a promise rejects with; undefined when it does not. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error ?? "nothing",
  );
}

test.each(["shutDown", "kill9"] as const)(
  "After %s in the middle of ratings, all that was answered is there, and nothing by half",
  async (how) => {
    const { server, database } = await serverWithDatabase();
    const { postId } = await postOfAuthor(database);
    const users = await addUsers(database, 300);
    const answered: number[] = [];
    const failures: unknown[] = [];
    let enough = () => {};
    const someAnswered = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const ratings = users.map((userId) =>
      rate(database, userId, 5).then(
        () => {
          if (answered.push(userId) === 50) enough();
        },
        (error: unknown) => void failures.push(error),
      ),
    );
    await someAnswered;
    await server[how]();
    await Promise.all(ratings);
    expect(answered.length).toBeGreaterThanOrEqual(50);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter((error) => !isPostgresUnavailable(error))).toEqual([]);
    expect(isPostgresUnavailable(await failureOf(database.ping()))).toBe(true);

    await server.start();
    await expect.poll(() => failureOf(database.ping()), { timeout: 5_000 }).toBeUndefined();
    const { counts } = await database.tallies.find(postId);
    expect(await database.ratings.recount(postId)).toEqual(counts);
    expect(counts[5]).toBeGreaterThanOrEqual(answered.length);
    for (const userId of answered) expect(await database.ratings.find(postId, userId)).toBeDefined();
    // Who was told of a failure tries again: a rating that was saved nevertheless is refused as one given twice.
    await Promise.all(users.map((userId) => rate(database, userId, 5).catch(() => undefined)));
    expect((await database.tallies.find(postId)).counts).toEqual([0, 0, 0, 0, 0, users.length]);
  },
  120_000,
);

test("A server that hangs is given up on in time, what it was told is not gone on with, and it is used again", async () => {
  const { server, database } = await serverWithDatabase();
  const { users, transaction } = database;
  let stopped = () => {};
  const hasStopped = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const hanging = transaction(async () => {
    await users.insert(userNamed("ada"));
    server.pause();
    stopped();
    await users.insert(userNamed("bo"));
  });
  const hangingFails = failureOf(hanging);
  await hasStopped;
  const others = [users.isFirst(), database.ping(), transaction(() => users.insert(userNamed("cy")))];
  const failures = await Promise.all([hangingFails, ...others.map(failureOf)]);
  expect(failures.map(isPostgresUnavailable)).toEqual([true, true, true, true]);
  server.resume();
  await expect.poll(() => failureOf(database.ping()), { timeout: 5_000 }).toBeUndefined();
  expect(await users.isFirst()).toBe(true);
  await transaction(() => users.insert(userNamed("ada")));
  expect(database.poolFigures()).toMatchObject({ busy: 0, waiting: 0 });
});

test("A transaction that loses its connection ends there: the rest of it is not run on another", async () => {
  const { url, database } = await serverWithDatabase();
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

test("A transaction that stands still is ended by the server, and others go on", async () => {
  const { database } = await serverWithDatabase();
  const { authorId } = await postOfAuthor(database);
  let goOn = () => {};
  const standing = database.transaction(async () => {
    await database.posts.lock("post");
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await database.users.endSessions(authorId);
  });
  const standingFails = failureOf(standing);
  await expect.poll(() => failureOf(rate(database, authorId, 5)), { timeout: 20_000 }).toBeUndefined();
  goOn();
  expect(isPostgresUnavailable(await standingFails)).toBe(true);
  expect((await database.users.byId(authorId))?.sessionVersion).toBe(1);
});

test("Who waits too long for a connection is told so", async () => {
  const { url } = await serverWithDatabase();
  const database = await openPostgres(url, { poolSize: 1 });
  onTestFinished(() => database.close());
  let goOn = () => {};
  const holding = database.transaction(
    () =>
      new Promise<void>((resolve) => {
        goOn = resolve;
      }),
  );
  const failure = await failureOf(database.ping());
  goOn();
  await failureOf(holding);
  expect(isPostgresUnavailable(failure)).toBe(true);
  expect(String(failure)).toContain("No connection to PostgreSQL was free within");
});

test("A database that cannot be written to is unavailable for that, and read as before", async () => {
  const { url, database } = await serverWithDatabase();
  const administrator = postgres(url, { max: 1 });
  await addUser(database, "ada");
  await administrator`alter system set default_transaction_read_only = on`;
  await administrator`select pg_reload_conf()`;
  await expect
    .poll(async () => isPostgresUnavailable(await failureOf(addUser(database, "bo"))), { timeout: 5_000 })
    .toBe(true);
  expect(await database.users.byUsernameKey("ada")).toBeDefined();
  await administrator.end();
});

test("Where nobody listens, or the password is wrong, opening says so, and quotes no password", async () => {
  const { server, url } = await serverWithDatabase();
  const wrong = new URL(url);
  wrong.password = "not-this-one";
  const refused = await failureOf(openPostgres(wrong.href));
  expect(String(refused)).toContain("password authentication failed");
  const absent = await failureOf(openPostgres(server.url("absent")));
  expect(String(absent)).toContain('database "absent" does not exist');
  await server.shutDown();
  const unreachable = await failureOf(openPostgres(url));
  expect(isPostgresUnavailable(unreachable)).toBe(true);
  expect(String(unreachable)).toContain("ECONNREFUSED");
  for (const error of [refused, absent, unreachable])
    expect(error instanceof Error && `${JSON.stringify(error)}${error.stack}`).not.toMatch(/not-this-one/);
});
