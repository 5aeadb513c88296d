import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { memoryStore } from "../limiter/index.ts";
import { accessRules } from "../limits/access-rules.ts";
import type { GuardSettings } from "../limits/guard.ts";
import { stateKey } from "../limits/types.ts";
import { backoffKey } from "./backoff.ts";
import { createRating, type RatingOutcome, updateRating } from "./index.ts";

/**
 * A post that takes one rating and one change, and then one every 100 ms.
 * Other accounts take all of them.
 */
async function blog(guard: Omit<Partial<GuardSettings>, "database"> = {}) {
  const database = temporaryDatabase();
  const bucket = { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 10 };
  const limits = limitsWith({
    LIMITS: JSON.stringify({ "rating.post": bucket, "rating.change": { ...bucket, leakPerSecond: 0.01 } }),
  });
  const context = contextOf(database, limits, guard);
  const { id, slug } = await addPost(database, await addUser(database, "author"));
  const [patient, ...others] = await addUsers(database, 16);
  if (!patient) throw new Error("There is no user.");
  const request = (afterMs: number, user = patient, of = slug) => {
    const now = morning + afterMs;
    return { slug: of, user, address: "192.0.2.1", input: { score: 3 }, now };
  };
  /** The account's try right after another account has taken the post's room. */
  const tryAt = async (afterMs: number) => {
    await createRating(context, request(afterMs, others.shift()));
    return createRating(context, request(afterMs));
  };
  return { context, database, id, slug, patient, request, tryAt };
}

function waitOf(outcome: RatingOutcome): number {
  if (outcome.kind !== "limited") throw new Error(`The try was not refused: ${outcome.kind}`);
  return outcome.refusal.decision.retryAfterMs;
}

/** Tries at these times, in milliseconds. */
async function waitsOf(tryAt: (afterMs: number) => Promise<RatingOutcome>, times: readonly number[]) {
  const waits: number[] = [];
  for (const time of times) waits.push(waitOf(await tryAt(time)));
  return waits;
}

test("forgets a wait when the clock was a year ahead and is set right", async () => {
  const { context, database, patient, request, tryAt } = await blog();
  const other = await addPost(database, await addUser(database, "another"));
  const yearMs = 365 * 86_400_000;
  for (let count = 0; count < 5; count += 1) waitOf(await tryAt(yearMs));
  expect((await createRating(context, request(0, patient, other.slug))).kind).toBe("saved");
});

describe.each(["database", "memory"])("with the states in %s", (name) => {
  let now = 0;
  const setting = () => {
    now = 0;
    return blog(name === "memory" ? { store: memoryStore({ clock: () => morning + now }) } : {});
  };

  test("doubles an account's wait with each refusal in a row, up to a minute", async () => {
    const { tryAt } = await setting();
    const waits: number[] = [];
    while (waits.length < 10) {
      const waitMs = waitOf(await tryAt(now));
      waits.push(waitMs);
      now += waitMs;
    }
    // The first two refusals have the limit's own wait.
    expect(waits).toEqual([100, 100, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  test("refuses tries during a wait for the rest of it, with the reason of the last refusal", async () => {
    const { database, id, tryAt } = await setting();
    const tryThen = (afterMs: number) => {
      now = afterMs;
      return tryAt(afterMs);
    };
    const waits = await waitsOf(tryThen, [0, 0, 1, 500, 2_000, 2_001]);
    expect(waits).toEqual([100, 100, 2_000, 1_501, 1, 4_000]);
    const refused = (await database.attempts.latest(id, 20)).filter(({ username }) => username === "user-1");
    expect(refused).toMatchObject([
      { count: 6, policy: "rating.post", reason: { algorithm: "leaky-bucket" } },
    ]);
  });
});

test("accepts a try as soon as the wait is over and the limit has room", async () => {
  const { context, request, tryAt } = await blog();
  await waitsOf(tryAt, [0, 0, 1]);
  expect(waitOf(await createRating(context, request(2_000)))).toBe(1);
  expect((await createRating(context, request(2_001))).kind).toBe("saved");
});

test("forgets refusals after five minutes without one", async () => {
  const { tryAt } = await blog();
  const later = 6_001 + 300_000;
  expect(await waitsOf(tryAt, [0, 0, 1, 2_001, later, later, later + 1])).toEqual([
    100, 100, 2_000, 4_000, 100, 100, 2_000,
  ]);
});

test("refused changes delay no first rating of the same account", async () => {
  const { context, database, request } = await blog();
  const other = await addPost(database, await addUser(database, "other"));
  await createRating(context, request(0));
  expect((await updateRating(context, request(0))).kind).toBe("saved");
  for (const at of [1, 1, 2, 1_002]) waitOf(await updateRating(context, request(at)));
  expect((await createRating(context, request(1_003, undefined, other.slug))).kind).toBe("saved");
});

test("is not lengthened by tries that no limit decides", async () => {
  const { context, request, patient, slug, tryAt } = await blog();
  await waitsOf(tryAt, [0, 0, 1]);
  const invalid = { slug, user: patient, address: "192.0.2.1", input: { score: 6 }, now: morning + 2 };
  expect((await createRating(context, invalid)).kind).toBe("invalid");
  expect((await updateRating(context, request(2))).kind).toBe("not-rated");
  expect(await waitsOf(tryAt, [3])).toEqual([1_998]);
});

test("does not apply to an account that an access rule allows", async () => {
  const { context, database, request, tryAt } = await blog();
  await waitsOf(tryAt, [0, 0, 1]);
  const allowed = contextOf(database, context.limits, { rules: accessRules("allow user user-1") });
  expect((await createRating(allowed, request(2))).kind).toBe("saved");
});

test("3,000 refused tries within a minute are one row with their number and reason", async () => {
  const { context, database, id, request, tryAt } = await blog();
  await tryAt(0);
  await database.transaction(async () => {
    for (let tried = 1; tried < 3_000; tried += 1) await createRating(context, request(1));
  });
  const refused = (await database.attempts.latest(id, 5_000)).filter(({ allowed }) => !allowed);
  expect(refused).toMatchObject([
    { count: 3_000, policy: "rating.post", reason: { algorithm: "leaky-bucket" } },
  ]);
  expect(await database.attempts.perInterval(id, morning, 60_000)).toMatchObject([{ refused: 3_000 }]);
});

test("counts each of an account's refusals at several posts at once, on two nodes of PostgreSQL", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const open = async () => {
    const database = await openPostgres(url, { timeouts: patientTimeouts });
    onTestFinished(() => database.close());
    return database;
  };
  const nodes = [await open(), await open()] as const;
  const [database] = nodes;
  const limits = limitsWith({
    LIMITS: '{"rating.post": {"algorithm": "leaky-bucket", "capacity": 1, "leakPerSecond": 10}}',
  });
  const contexts = nodes.map((node) => contextOf(node, limits));
  const author = await addUser(database, "author");
  const [user, other] = await addUsers(database, 2);
  if (!user || !other) throw new Error("There are two users.");
  const request = (slug: string, by = user) => ({
    slug,
    user: by,
    address: "192.0.2.1",
    input: { score: 3 },
    now: morning,
  });
  const slugs: string[] = [];
  for (let number = 1; number <= 8; number += 1) {
    const { slug } = await addPost(database, author, { title: `Full ${number}` });
    await createRating(contextOf(database, limits), request(slug, other));
    slugs.push(slug);
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const waiting = async () =>
    (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`)
      .length;

  // Until all of them have found no refusal yet, none can be decided.
  const { promise: decisions, resolve: allow } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const [ofUser] = limits["rating.user"];
  if (!ofUser) throw new Error("There is a limit of each account's first ratings.");
  const holder = await open();
  const holds = holder.transaction(async () => {
    await holder.limiterStates.load([stateKey(ofUser, user.id)], morning);
    held.resolve();
    await decisions;
  });
  await held.promise;
  const tries = slugs.map((slug, index) =>
    createRating(contexts[index % 2] ?? contextOf(database, limits), request(slug)),
  );
  await expect.poll(waiting).toBe(slugs.length);
  allow();
  await holds;
  const waits = (await Promise.all(tries)).map(waitOf).toSorted((a, b) => a - b);
  expect(waits).toEqual([100, 100, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
  expect(await database.limiterStates.load([backoffKey(user.id)], morning)).toMatchObject([
    { first: { refusals: 8, waitsUntil: morning + 60_000 } },
  ]);
});
