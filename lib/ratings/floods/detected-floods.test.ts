import { expect, test } from "vitest";
import type { Database } from "../../../db/index.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../../testing/content.ts";
import { temporaryDatabase } from "../../../testing/database.ts";
import { integrityFaults } from "../../../testing/integrity.ts";
import type { User } from "../../users/types.ts";
import { accountAgesOf } from "../decisions/account-ages.ts";
import { decideWindow, floodsOf } from "../decisions/flood-window-decisions.ts";
import { createRating, updateRating, withdrawRating } from "../index.ts";
import { dailyNetworkHasher } from "../networks.ts";
import { publicScore } from "../tally/public-score.ts";
import { scoringDefaults, type TallySettings } from "../tally/tally.ts";
import type { DecidedStatus } from "./flood-window.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const liked = [5, 4, 5, 3, 5, 4, 2, 5, 4, 5];

/** A post that 100 users with old accounts have rated, one in each hour. */
async function likedPost(
  scoring: TallySettings = scoringDefaults,
  { raters = 100, before = async (_: Database) => {} } = {},
) {
  const database = temporaryDatabase();
  database.sqlite.pragma("synchronous = OFF"); // no power failure to survive here
  await before(database);
  const author = await addUser(database, "author");
  const moderator = await addUser(database, "moderator", { isModerator: true });
  const { slug, id } = await addPost(database, author);
  const hashNetwork = dailyNetworkHasher(() => "a secret of the tests only");
  const context = { ...contextOf(database, limitsWith()), scoring, hashNetwork };
  const register = database.sqlite.prepare<[number, number]>("update users set created_at = ? where id = ?");
  let count = 0;
  let now = morning;
  const user = async (ageMs: number) => {
    count += 1;
    const added = await addUser(database, `user-${count}`);
    register.run(now - ageMs, added.id);
    return added;
  };
  const give = async (who: User, score: number, act = createRating, address = `192.0.${count % 250}.1`) =>
    (await act(context, { slug, user: who, address, input: { score }, now })).kind;
  for (let index = 0; index < raters; index += 1) {
    now += hour;
    await give(await user(((index * 37) % 900) * day), liked[index % 10] ?? 5);
  }
  return {
    database,
    context,
    slug,
    user,
    give,
    pass(ms: number) {
      now += ms;
    },
    async post() {
      const post = await database.posts.bySlug(slug);
      if (!post) throw new Error("The post is gone.");
      return post;
    },
    withdraw: (who: User) => withdrawRating(context, { slug, userId: who.id, now }),
    decide: (status: DecidedStatus) =>
      decideWindow(context, {
        slug,
        number: 1,
        user: moderator,
        input: { status, why: "A test", after: 0 },
        now,
      }),
    async windows() {
      return (await floodsOf({ database }, await this.post())).windows;
    },
    faults: () => integrityFaults(database),
    now: () => now,
    id,
  };
}

type Liked = Awaited<ReturnType<typeof likedPost>>;

/**
 * Zeros of day-old accounts, one every ten seconds, and some honest ratings.
 * One honest rating after every tenth zero.
 */
async function flood(post: Liked, zeros: number) {
  const puppets: User[] = [];
  const honest: string[] = [];
  for (let index = 0; index < zeros; index += 1) {
    post.pass(10_000);
    const puppet = await post.user(day / 2);
    puppets.push(puppet);
    await post.give(puppet, 0);
    if (index % 10 === 9)
      honest.push(await post.give(await post.user(500 * day), liked[Math.floor(index / 10) % 10] ?? 5));
  }
  return { puppets, honest };
}

test("holds the zeros of a flood by default, with those that led to it, and counts the ratings beside them", async () => {
  const post = await likedPost();
  const { settled } = publicScore(await post.post(), post.now());
  const { honest } = await flood(post, 250);
  expect(new Set(honest)).toEqual(new Set(["saved"]));
  const [window, ...others] = await post.windows();
  expect(others).toEqual([]);
  expect(window).toMatchObject({ status: "held", number: 1 });
  expect(window?.counts[0]).toBeGreaterThan(240);
  expect(window?.counts.slice(1)).toEqual([0, 0, 0, 0, 0]);
  const { counts } = await post.post();
  expect(counts[0]).toBeLessThan(10);
  expect(counts.slice(1).reduce((sum, some) => sum + some, 0)).toBe(125);
  const after = publicScore(await post.post(), post.now()).settled;
  expect(Math.abs((after ?? 0) - (settled ?? 9))).toBeLessThan(0.1);
  expect(await post.faults()).toEqual([]);
});

test("lists the ages of a flood's accounts beside those of the other raters", async () => {
  const post = await likedPost();
  await flood(post, 150);
  const [ages, ...others] = await accountAgesOf(post.database, post.id, await post.windows());
  expect(others).toEqual([]);
  expect(ages?.own[0]).toBeGreaterThan(140);
  expect(ages?.own.slice(1)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(ages?.others.at(-1)).toBeGreaterThan(50);
});

test("shows how many of a flood's ratings come from one network, and how many accounts were made within a day", async () => {
  const post = await likedPost();
  for (let index = 0; index < 150; index += 1) {
    post.pass(10_000);
    const address = index % 3 === 0 ? `198.51.100.${index}` : `203.0.${index}.1`;
    await post.give(await post.user(day / 2), 0, createRating, address);
  }
  const [ages] = await accountAgesOf(post.database, post.id, await post.windows());
  const { withNetwork = 0, inOneNetwork = 0, withAge, registeredWithinDay } = ages?.ownClusters ?? {};
  expect(withNetwork).toBeGreaterThan(140);
  expect(inOneNetwork).toBeGreaterThanOrEqual(withNetwork / 3 - 1);
  expect(inOneNetwork).toBeLessThanOrEqual(withNetwork / 3 + 1);
  expect(registeredWithinDay).toBe(withAge);
  expect(ages?.otherClusters.withNetwork).toBeGreaterThan(90);
  // One an hour, each from another network: of each day one.
  expect(ages?.otherClusters.inOneNetwork).toBeLessThan(10);
});

test("holds none of 300 people behind one network who rate as usual within an hour", async () => {
  const post = await likedPost();
  for (let index = 0; index < 300; index += 1) {
    post.pass(hour / 300);
    const user = await post.user(((index * 37) % 900) * day);
    expect(await post.give(user, liked[index % 10] ?? 5, createRating, "198.51.100.7")).toBe("saved");
  }
  expect(await post.windows()).toEqual([]);
});

test("holds a flood from a network that others rate from, and not the others' ratings", async () => {
  const post = await likedPost();
  const honest: string[] = [];
  for (let index = 0; index < 250; index += 1) {
    post.pass(10_000);
    await post.give(await post.user(day / 2), 0, createRating, "198.51.100.7");
    if (index % 10 === 9)
      honest.push(
        await post.give(
          await post.user(500 * day),
          liked[Math.floor(index / 10) % 10] ?? 5,
          createRating,
          "198.51.100.7",
        ),
      );
  }
  expect(new Set(honest)).toEqual(new Set(["saved"]));
  expect((await post.windows())[0]?.counts[0]).toBeGreaterThan(240);
});

test("holds a flood from birth on a site where ten accounts gave two authors' posts nothing but zeros", async () => {
  const limits = limitsWith({ LIMITS: '{"post.user": {"mode": "off"}, "rating.user": {"mode": "off"}}' });
  const before = async (database: Database) => {
    const context = contextOf(database, limits);
    const authors: User[] = [];
    for (let index = 0; index < 12; index += 1) authors.push(await addUser(database, `early-${index}`));
    const puppets = authors.splice(2);
    for (let index = 0; index < 50; index += 1) {
      const at = morning - 30 * day + index * hour;
      const author = authors[index % 2];
      if (!author) throw new Error("There are authors.");
      const { slug } = await addPost(database, author, { now: at, limits });
      for (const user of puppets)
        await createRating(context, {
          slug,
          user,
          address: "192.0.2.1",
          input: { score: 0 },
          now: at + minute,
        });
    }
  };
  const post = await likedPost(scoringDefaults, { raters: 0, before });
  // A few other scores from accounts of the same age would hide the zeros where zeros are usual.
  for (let index = 0; index < 400; index += 1) {
    post.pass(10_000);
    await post.give(await post.user(day / 2), index % 12 === 0 ? 5 : 0);
  }
  expect((await post.windows())[0]?.counts[0]).toBeGreaterThan(250);
});

test("counts a flood with RATING_FLOODS=count", async () => {
  const post = await likedPost({ ...scoringDefaults, detectsFloods: false });
  await flood(post, 150);
  expect(await post.windows()).toEqual([]);
  expect((await post.post()).counts[0]).toBe(150);
});

test("holds none of a hundred ratings that come at once", async () => {
  const post = await likedPost();
  for (let index = 0; index < 100; index += 1) {
    post.pass(200);
    expect(await post.give(await post.user(0), 0)).toBe("saved");
  }
});

test("a rating of an excluded flood may be given again outside it once it is closed, and stays in it until then", async () => {
  const post = await likedPost();
  const { puppets } = await flood(post, 200);
  const [one, two] = puppets.slice(-2);
  if (!one || !two) throw new Error("There are no puppets.");
  expect(await post.give(one, 1, updateRating)).toBe("held");
  expect(await post.decide("excluded")).toEqual({ kind: "decided" });
  const before = (await post.post()).counts;
  post.pass(10 * day);
  expect(await post.give(one, 3, updateRating)).toBe("saved");
  await post.withdraw(two);
  expect(await post.give(two, 3)).toBe("saved");
  expect((await post.post()).counts[3]).toBe((before[3] ?? 0) + 2);
  expect((await post.windows())[0]?.counts[0]).toBeGreaterThan(150);
  expect(await post.faults()).toEqual([]);
});
