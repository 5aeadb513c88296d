/** PostgreSQL's transactions on several connections and nodes at once. */
import postgres from "postgres";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { makeHeldDue } from "../../../lib/ratings/tally/saved-tally.ts";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import {
  addPost,
  addUser,
  addUsers,
  countsOfRatings,
  morning,
  postOfAuthor,
  rate,
  tallyWith,
  userNamed,
} from "../../contract/setting.ts";
import type { FloodWindow } from "../../types.ts";
import { isPostgresUnavailable, openPostgres, type PostgresOptions } from "./index.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

async function open(url: string, options?: PostgresOptions) {
  const database = await openPostgres(url, { timeouts: patientTimeouts, ...options });
  onTestFinished(() => database.close());
  return database;
}

function connectTo(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  return sql;
}

/** Whether a transaction waits for a lock. */
function waitsOn(sql: ReturnType<typeof connectTo>) {
  return async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    ).length > 0;
}

const heldWindow: FloodWindow = {
  number: 1,
  openedAt: morning,
  lastAt: morning,
  closedAt: morning,
  usualGapMs: 1_000,
  recentGapMs: 10,
  counts: [0, 0, 0, 0, 0, 0],
  status: "held",
  decidedBy: null,
  decisions: 0,
};

/** A promise that resolves once this number of callers has come; each waits for it. */
function barrier(count: number): () => Promise<void> {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  let come = 0;
  return () => {
    come += 1;
    if (come >= count) open();
    return isOpen;
  };
}

test("200 who rate one post at once, on two nodes, all do", async () => {
  const url = await server.newMigratedDatabase();
  const nodes = [await open(url), await open(url)] as const;
  const { postId } = await postOfAuthor(nodes[0]);
  const users = await addUsers(nodes[0], 200);
  await Promise.all(users.map((userId, index) => rate(nodes[index % 2 ? 1 : 0], userId, index % 4 ? 5 : 1)));
  const expected = [0, 50, 0, 0, 0, 150];
  expect((await nodes[0].tallies.find(postId)).counts).toEqual(expected);
  expect(await countsOfRatings(nodes[1], postId)).toEqual(expected);
});

test("retries one of two transactions that deadlock, and both succeed", async () => {
  const reasons: string[] = [];
  const database = await open(await server.newMigratedDatabase(), {
    onRetry: (reason) => reasons.push(reason),
  });
  const { users, transaction } = database;
  const [one, two] = [await addUser(database, "one"), await addUser(database, "two")];
  const bothBegan = barrier(2);
  const disable = (first: number, second: number) =>
    transaction(async () => {
      await users.setDisabledAt(first, morning);
      await bothBegan();
      await users.setAdministrator(second, true);
    });
  await Promise.all([disable(one, two), disable(two, one)]);
  // More than once where the second run is quicker than the transaction that waited for the first to end.
  expect(new Set(reasons)).toEqual(new Set(["deadlock"]));
  for (const id of [one, two])
    expect(await users.byId(id)).toMatchObject({ disabledAt: morning, isAdministrator: true });
});

test("makes another user administrator when the last two delete their accounts at once", async () => {
  const database = await open(await server.newMigratedDatabase());
  const { users, transaction } = database;
  const stays = await addUser(database, "stays");
  const leaving = [
    await addUser(database, "one", { isAdministrator: true }),
    await addUser(database, "two", { isAdministrator: true }),
  ];
  const bothLeft = barrier(2);
  const leave = (id: number) =>
    transaction(async () => {
      await users.remove(id);
      await bothLeft();
      await users.keepAnAdministrator();
    });
  await Promise.all(leaving.map(leave));
  expect((await users.byId(stays))?.isAdministrator).toBe(true);
});

test("makes a user who registers while the only administrator leaves the next administrator", async () => {
  const url = await server.newMigratedDatabase();
  const { users, transaction } = await open(url);
  const waits = waitsOn(connectTo(url));
  const only = await users.insert(userNamed("only", { isAdministrator: true }));
  const [hasInserted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const registering = transaction(async () => {
    const isAdministrator = await users.isFirst();
    await users.insert(userNamed("next", { isAdministrator }));
    hasInserted.resolve();
    await mayCommit.promise;
  });
  await hasInserted.promise;
  let hasLeft = false;
  const leaving = transaction(async () => {
    await users.remove(only);
    await users.keepAnAdministrator();
  }).then(() => {
    hasLeft = true;
  });
  await expect.poll(async () => hasLeft || (await waits())).toBe(true);
  mayCommit.resolve();
  await Promise.all([registering, leaving]);
  expect(await users.byUsernameKey("next")).toMatchObject({ isAdministrator: true });
});

test("retries a transaction whose unique value was taken meanwhile", async () => {
  const reasons: string[] = [];
  const { users, transaction } = await open(await server.newMigratedDatabase(), {
    onRetry: (reason) => reasons.push(reason),
  });
  const bothLooked = barrier(2);
  const register = () =>
    transaction(async () => {
      const isTaken = (await users.byUsernameKey("ada")) !== undefined;
      await bothLooked();
      return users.insert(userNamed(isTaken ? "ada-2" : "ada"));
    });
  await Promise.all([register(), register()]);
  expect(reasons).toEqual(["duplicate"]);
  expect(await users.byUsernameKey("ada-2")).toBeDefined();
});

test("retries a serialization failure, with at most five runs", async () => {
  const url = await server.newMigratedDatabase();
  const reasons: string[] = [];
  const { users, transaction } = await open(url, { onRetry: (reason) => reasons.push(reason) });
  const sql = connectTo(url);
  // A sequence also counts transactions that roll back.
  await sql`create sequence tries`;
  await sql`create table failures (least int)`;
  await sql`insert into failures values (2)`;
  await sql`create function fail_at_first() returns trigger language plpgsql as $$ begin
    if nextval('tries') <= (select least from failures) then raise exception 'not now' using errcode = '40001'; end if;
    return new;
  end $$`;
  await sql`create trigger fail_at_first before insert on users for each row execute function fail_at_first()`;
  await transaction(() => users.insert(userNamed("ada")));
  expect(reasons).toEqual(["serialization", "serialization"]);
  await sql`update failures set least = 1000`;
  const error: unknown = await transaction(() => users.insert(userNamed("bo"))).catch((error) => error);
  expect(isPostgresUnavailable(error)).toBe(true);
  expect(reasons).toHaveLength(6);
});

test("finds the posts that are due, and skips locked rows", async () => {
  const url = await server.newMigratedDatabase();
  const [database, other] = [await open(url), await open(url)];
  const { authorId, postId } = await postOfAuthor(database);
  const laterId = await addPost(database, authorId, "later");
  for (const id of [postId, laterId])
    await database.transaction(() => database.tallies.save(id, tallyWith({ dueAt: morning })));
  const due = () => database.tallies.due(morning, 9);
  await other.transaction(async () => {
    await other.tallies.find(postId);
    expect(await database.transactionNow(due)).toEqual([laterId]);
    expect(await due()).toEqual([postId, laterId]);
  });
  expect(await database.transactionNow(due)).toEqual([postId, laterId]);
});

test("rejects transactionNow at once while another transaction has locked the post", async () => {
  const url = await server.newMigratedDatabase();
  const [database, other] = [await open(url), await open(url)];
  const { postId } = await postOfAuthor(database);
  await database.transaction(async () => {
    await database.posts.lock("post");
    const error: unknown = await other
      .transactionNow(() => other.tallies.find(postId))
      .catch((error) => error);
    expect(isPostgresUnavailable(error)).toBe(true);
    // Plain reads do not wait either.
    expect(await other.posts.bySlug("post")).toBeDefined();
  });
  await other.transactionNow(() => other.tallies.find(postId));
});

test("makes held windows due at a start while one of their posts is being rated", async () => {
  const url = await server.newMigratedDatabase();
  const [database, other] = [await open(url), await open(url)];
  const waits = waitsOn(connectTo(url));
  const { postId } = await postOfAuthor(database);
  await database.floodWindows.save(postId, heldWindow);
  let isDone = false;
  let making: Promise<void> = Promise.resolve();
  await other.transaction(async () => {
    await other.posts.lock("post");
    making = makeHeldDue(database).then(() => {
      isDone = true;
    });
    await expect.poll(async () => isDone || (await waits())).toBe(true);
  });
  await making;
  expect(await database.tallies.due(morning, 9)).toEqual([postId]);
});

test("rolls back when a failed query was ignored", async () => {
  const database = await open(await server.newMigratedDatabase());
  const { users, transaction } = database;
  await addUser(database, "ada");
  const overlooking = transaction(async () => {
    await users.insert(userNamed("bo"));
    await users.insert(userNamed("ada")).catch(() => undefined);
  });
  await expect(overlooking).rejects.toThrow("duplicate key");
  expect(await users.byUsernameKey("bo")).toBeUndefined();
});

test("puts no saved value into an error", async () => {
  const database = await open(await server.newMigratedDatabase());
  const secret = "a-password-hash";
  await addUser(database, "ada");
  const error: unknown = await addUser(database, "ada", { passwordHash: secret }).catch((error) => error);
  const texts = [error, error instanceof Error && error.cause].map((part) =>
    part instanceof Error ? JSON.stringify(part) + part.message + part.stack : "",
  );
  expect(texts.join()).toContain("duplicate key");
  expect(texts.join()).not.toMatch(/a-password-hash|ada@example/);
});

test("limits concurrent connections, and reports how many callers wait", async () => {
  const database = await open(await server.newMigratedDatabase(), { poolSize: 2 });
  const allKnown = barrier(3);
  const hold = () => database.transaction(allKnown);
  const holding = [hold(), hold()];
  const waiting = database.ping();
  // The reading of the database's clock may wait, too.
  const atLeastOne = expect.toSatisfy((count: number) => count >= 1);
  await expect.poll(() => database.poolFigures()).toEqual({ size: 2, busy: 2, waiting: atLeastOne });
  await allKnown();
  await Promise.all([...holding, waiting]);
  await expect.poll(() => database.poolFigures()).toEqual({ size: 2, busy: 0, waiting: 0 });
});
