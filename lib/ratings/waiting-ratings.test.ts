import { expect, test } from "vitest";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import type { GuardedRequest } from "../limits/types.ts";
import { listPosts, readPost } from "../posts/index.ts";
import { hourMs } from "../time/units.ts";
import type { User } from "../users/index.ts";
import { createRating, updateRating, withdrawRating } from "./index.ts";
import { countWaiting } from "./waiting-ratings.ts";

const countsFrom = morning + 24 * hourMs;

/**
 * Two posts and a reader who registered in the morning.
 * On a site where accounts are new for a day.
 */
async function setting(limits = limitsWith()) {
  const database = temporaryDatabase();
  const context = { ...contextOf(database, limits), newAccountMs: 24 * hourMs };
  const author = await addUser(database, "author");
  const reader = await addUser(database, "reader");
  const [{ slug }, { slug: other }] = [await addPost(database, author), await addPost(database, author)];
  const request = (score: number, now: number, user: User = reader) => ({
    slug,
    user,
    address: "192.0.2.1",
    input: { score },
    now,
  });
  const mine = async () => (await readPost(context, slug, reader))?.myScore;
  const tally = async (of = slug) => {
    const post = await readPost(context, of, null);
    return { counts: post?.counts, settled: post?.settled };
  };
  return { database, context, reader, slug, other, request, mine, tally };
}

test("saves a new account's rating, shows it to its rater only, and counts it once the account is old enough", async () => {
  const { database, context, reader, request, mine, tally } = await setting();
  const before = await tally();
  expect(await createRating(context, request(0, morning))).toEqual({ kind: "waiting", score: 0, countsFrom });
  expect(await createRating(context, request(5, morning))).toEqual({ kind: "already-rated" });
  expect(await mine()).toBe(0);
  const list = await listPosts(context, { sort: "newest", limit: 5, viewerId: reader.id });
  expect(list?.items.map(({ myScore }) => myScore)).toEqual([null, 0]);
  expect(await countWaiting(context, countsFrom - 1)).toBe(0);
  // A clock that has jumped ahead.
  expect(await countWaiting(context, countsFrom + 24 * hourMs, countsFrom)).toBe(0);
  expect(await tally()).toEqual(before);
  expect(await countWaiting(context, countsFrom)).toBe(1);
  expect((await tally()).counts).toEqual([1, 0, 0, 0, 0, 0]);
  expect(await mine()).toBe(0);
  expect(await countWaiting(context, countsFrom)).toBe(0);
  expect(await updateRating(context, request(3, countsFrom))).toEqual({ kind: "saved", score: 3 });
  expect(await createRating(context, request(1, countsFrom))).toEqual({
    kind: "already-rated",
  });
  expect(await integrityFaults(database)).toEqual([]);
});

test("acts on the score as a rating that is given at the moment from which it counts", async () => {
  const { database, context, slug, other, request, tally } = await setting();
  const old = await addUser(database, "old");
  const grown = { ...context, newAccountMs: 0 };
  for (const post of [slug, other]) await createRating(grown, { ...request(5, morning, old), slug: post });
  await createRating(context, request(0, morning + 1));
  await countWaiting(context, countsFrom + 7);
  await createRating(grown, { ...request(0, countsFrom + 7), slug: other });
  expect(await tally()).toEqual(await tally(other));
});

test("a waiting rating can be changed and withdrawn, and keeps its time", async () => {
  const { context, reader, slug, request, mine, tally } = await setting();
  expect(await updateRating(context, request(4, morning))).toEqual({ kind: "not-rated" });
  await createRating(context, request(0, morning));
  expect(await updateRating(context, request(4, morning + hourMs))).toEqual({
    kind: "waiting",
    score: 4,
    countsFrom,
  });
  expect(await withdrawRating(context, { slug, userId: reader.id, now: morning })).toEqual({
    kind: "withdrawn",
  });
  expect(await mine()).toBeNull();
  await createRating(context, request(2, morning + hourMs));
  await countWaiting(context, countsFrom);
  expect((await tally()).counts).toEqual([0, 0, 1, 0, 0, 0]);
});

test("counts a rating once when two processes count at the same moment", async () => {
  const { database, context, request, tally } = await setting();
  await createRating(context, request(1, morning));
  const counted = await Promise.all([countWaiting(context, countsFrom), countWaiting(context, countsFrom)]);
  expect(counted.toSorted()).toEqual([0, 1]);
  expect((await tally()).counts).toEqual([0, 1, 0, 0, 0, 0]);
  expect(await integrityFaults(database)).toEqual([]);
});

test("counts no rating of a disabled account, and none of an account or a post that is gone", async () => {
  const { database, context, reader, slug, request, tally } = await setting();
  await createRating(context, request(1, morning));
  await database.users.setDisabledAt(reader.id, morning);
  expect(await countWaiting(context, countsFrom)).toBe(0);
  await database.users.setDisabledAt(reader.id, null);
  expect(await countWaiting(context, countsFrom)).toBe(1);
  const late = await addUser(database, "late");
  await createRating(context, request(1, morning, late));
  await database.users.remove(late.id);
  expect(await countWaiting(context, countsFrom)).toBe(0);
  expect((await tally()).counts).toEqual([0, 1, 0, 0, 0, 0]);
  const last = await addUser(database, "last");
  await createRating(context, request(1, morning, last));
  await database.posts.remove((await database.posts.idOf(slug))?.id ?? 0);
  expect(await countWaiting(context, countsFrom)).toBe(0);
});

test("tries again later when the post's limit refuses a rating that has waited", async () => {
  const limits = limitsWith({ LEAKY_BUCKET_CAPACITY: "1", LEAKY_BUCKET_LEAK_PER_SECOND: "0.001" });
  const { database, context, request, tally } = await setting(limits);
  for (const name of ["a", "b", "c"])
    await createRating(context, request(1, morning, await addUser(database, `reader-${name}`)));
  expect(await countWaiting(context, countsFrom)).toBe(1);
  expect(await countWaiting(context, countsFrom + 1)).toBe(0);
  expect(await countWaiting(context, countsFrom + hourMs)).toBe(1);
  expect(await countWaiting(context, countsFrom + 3 * hourMs)).toBe(1);
  expect((await tally()).counts).toEqual([0, 3, 0, 0, 0, 0]);
});

test("tries a post over its limit once in a round, without a record of it", async () => {
  const limits = limitsWith({
    LEAKY_BUCKET_CAPACITY: "1",
    LEAKY_BUCKET_LEAK_PER_SECOND: "0.001",
    LIMITS: '{"rating.address": {"capacity": 1}}',
  });
  const { database, context, slug, other, request, tally } = await setting(limits);
  for (const [index, rated] of [slug, other].entries())
    for (let number = 1; number <= 4; number += 1) {
      const user = await addUser(database, `reader-${index}-${number}`);
      const address = `192.0.2.${10 * index + number}`;
      await createRating(context, { ...request(1, morning, user), slug: rated, address });
    }
  const post = (await database.posts.idOf(slug))?.id ?? 0;
  let plans = 0;
  const counting = {
    ...context.guard,
    run: <T>(given: GuardedRequest<T>) => {
      plans += 1;
      return context.guard.run(given);
    },
  };
  expect(await countWaiting({ ...context, guard: counting }, countsFrom)).toBe(2);
  expect(plans).toBe(4);
  expect((await tally()).counts).toEqual([0, 1, 0, 0, 0, 0]);
  expect((await database.attempts.latest(post, 20)).map(({ allowed }) => allowed)).toEqual([true]);
});

test("other work has its turn between two ratings that are counted", async () => {
  const { database, context, request } = await setting();
  for (const name of ["a", "b", "c"])
    await createRating(context, request(1, morning, await addUser(database, `reader-${name}`)));
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await countWaiting(context, countsFrom);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(3);
});

test("limits the ratings of a new account by its own limit", async () => {
  const { context, request } = await setting(limitsWith({ LIMITS: '{"rating.change": {"capacity": 1}}' }));
  await createRating(context, request(0, morning));
  expect((await updateRating(context, request(1, morning))).kind).toBe("waiting");
  expect(await updateRating(context, request(2, morning))).toMatchObject({
    kind: "limited",
    refusal: { policy: "rating.change" },
  });
});
