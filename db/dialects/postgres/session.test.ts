import { afterAll, beforeAll, expect, test } from "vitest";
import { addPost, addUser } from "../../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import type { NewAttempt, SavedTally } from "../../index.ts";
import { openPostgres, type PostgresDatabase } from "./index.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
let database: PostgresDatabase;
let postId: number;
let slug: string;

beforeAll(async () => {
  server = await sharedPostgres();
  database = await openPostgres(await server.newMigratedDatabase(), { timeouts: patientTimeouts });
  ({ id: postId, slug } = await addPost(database, await addUser(database, "alder")));
});

afterAll(async () => {
  await database.close();
});

const attempt = (level: number): NewAttempt => ({
  postId,
  userId: null,
  at: 1,
  verb: "create",
  score: 5,
  allowed: true,
  held: false,
  policy: null,
  reason: null,
  level,
});

/** PostgreSQL refuses it. */
const impossible = (tally: SavedTally): SavedTally => ({ ...tally, counts: [-1, 0, 0, 0, 0, 0] });
const refused = expect.objectContaining({ code: "23514" });

async function recorded(): Promise<number> {
  return (await database.attempts.times(postId, 100)).length;
}

test("rejects a transaction with the failure of an unawaited statement, and saves nothing", async () => {
  const before = await recorded();
  const tally = await database.tallies.find(postId);
  const saving = database.transaction(async () => {
    await database.attempts.insert(attempt(1));
    await database.tallies.save(postId, impossible(tally));
    return "done";
  });
  await expect(saving).rejects.toEqual(refused);
  expect(await recorded()).toBe(before);
  expect(await database.tallies.find(postId)).toEqual(tally);
});

test("rejects with that failure, not with PostgreSQL's refusal of a later statement", async () => {
  const tally = await database.tallies.find(postId);
  const saving = database.transaction(async () => {
    await database.tallies.save(postId, impossible(tally));
    return database.tallies.find(postId);
  });
  await expect(saving).rejects.toEqual(refused);
});

test("rolls back a nested transaction alone after an unawaited failure", async () => {
  const before = await recorded();
  const tally = await database.tallies.find(postId);
  await database.transaction(async () => {
    await database.attempts.insert(attempt(1));
    const part = database.transaction(async () => {
      await database.attempts.insert(attempt(2));
      await database.tallies.save(postId, impossible(tally));
    });
    await expect(part).rejects.toEqual(refused);
    await database.attempts.insert(attempt(3));
  });
  expect(await recorded()).toBe(before + 2);
});

test("awaits every statement outside of a transaction", async () => {
  const tally = await database.tallies.find(postId);
  await expect(database.tallies.save(postId, impossible(tally))).rejects.toEqual(refused);
});

test("fails at the call when a statement cannot be sent, and saves nothing", async () => {
  const before = await recorded();
  // A copy of it lacks the reason, and a statement with a value too few is not sent.
  const unsendable = Object.defineProperty(attempt(2), "reason", { enumerable: false });
  const saving = database.transaction(async () => {
    await database.attempts.insert(attempt(1));
    await database.attempts.insert(unsendable);
  });
  await expect(saving).rejects.toThrow();
  expect(await recorded()).toBe(before);
});

test("keeps a locked post until another query runs", async () => {
  await database.transaction(async () => {
    const locked = await database.posts.lock(slug);
    expect(await database.posts.lock(slug)).toBe(locked);
    await database.run("select 1");
    expect(await database.posts.lock(slug)).not.toBe(locked);
  });
});

test("saves the last of two states whose keys PostgreSQL cannot tell apart", async () => {
  const { limiterStates } = database;
  const keys = ["a\ud800", "a\udc00", "a\ufffd"];
  await database.transaction(async () => {
    for (const [state, key] of keys.entries()) await limiterStates.save([{ key, state }], 0);
    expect(await limiterStates.load(keys, 0)).toEqual([2, 2, 2]);
  });
  expect(await limiterStates.load(keys, 0)).toEqual([2, 2, 2]);
});
