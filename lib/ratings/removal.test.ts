import { describe, expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { removeAll } from "../removals/index.ts";
import type { User } from "../users/types.ts";
import { decideWindow } from "./decisions/flood-window-decisions.ts";
import type { DecidedStatus } from "./floods/flood-window.ts";
import { createRating, updateRating, withdrawRating } from "./index.ts";
import type { Score } from "./score/score.ts";
import { publicScore } from "./tally/public-score.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Posts on one database, each with a score that tests read and compare. */
async function blog(accounts: number, settings: Record<string, string> = {}) {
  const database = temporaryDatabase();
  database.sqlite.pragma("synchronous = OFF"); // no test here cuts the power
  const author = await addUser(database, "author");
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const users = await addUsers(database, accounts);
  const context = contextOf(
    database,
    limitsWith({ LIMITS: '{"rating.address": {"mode": "off"}}', ...settings }),
  );
  return {
    database,
    context,
    author,
    users,
    async post(title: string) {
      const { slug } = await addPost(database, author, { title });
      const request = (user: User, score: Score, now: number) => ({
        slug,
        user,
        address: "192.0.2.1",
        input: { score },
        now,
      });
      return {
        rate: async (user: User, score: Score, now: number) => {
          const { kind } = await createRating(context, request(user, score, now));
          expect(["saved", "held"]).toContain(kind);
          return kind;
        },
        change: (user: User, score: Score, now: number) => updateRating(context, request(user, score, now)),
        withdraw: (user: User, now: number) => withdrawRating(context, { slug, userId: user.id, now }),
        decide: async (number: number, status: DecidedStatus, now: number) => {
          const id = (await database.posts.idOf(slug))?.id ?? 0;
          const window = (await database.floodWindows.all(id)).find((each) => each.number === number);
          const input = { status, why: "A test decides.", after: window?.decisions };
          expect(await decideWindow(context, { slug, number, user: keeper, input, now })).toEqual({
            kind: "decided",
          });
        },
        windows: async () => database.floodWindows.all((await database.posts.idOf(slug))?.id ?? 0),
        async scoreAt(now: number) {
          const post = await database.posts.bySlug(slug);
          if (!post) throw new Error("The post is gone.");
          return publicScore(post, now);
        },
      };
    },
    /** Deletes an account with its ratings. */
    async remove(user: User, now: number) {
      await database.transaction(() => database.users.markDeleted(user.id, now));
      await removeAll(context, () => now, { pauseMs: 0 });
    },
  };
}

describe("ratings that are removed leave no trace", () => {
  test("of ten accounts that rate a new post 0 and leave", async () => {
    const { database, users, post, remove } = await blog(22);
    const rated = await post("Rated");
    for (const [index, user] of users.slice(0, 10).entries())
      await rated.rate(user, 0, morning + index * second);
    for (const [index, user] of users.slice(0, 10).entries())
      if (index % 2) await remove(user, morning + minute);
      else await rated.withdraw(user, morning + minute);
    for (const [index, user] of users.slice(10).entries())
      await rated.rate(user, 5, morning + hour + index * minute);
    expect(await rated.scoreAt(morning + 2 * hour)).toMatchObject({ average: 5, count: 12, settled: 5 });
    expect(await integrityFaults(database)).toEqual([]);
  });

  test("of accounts that hold the mean up for a minute again and again", async () => {
    const { users, post } = await blog(120);
    const [frozen, leftAlone] = [await post("Frozen"), await post("Left alone")];
    const [readers, holders] = [users.slice(0, 90), users.slice(90)];
    let now = morning;
    for (const [index, user] of readers.entries()) {
      now += 20 * minute;
      const score = index < 30 ? 5 : index % 4 === 0 ? 0 : 2;
      for (const each of [frozen, leftAlone]) await each.rate(user, score, now);
      if (index < 30 || index % 6 > 0) continue;
      for (const [place, holder] of holders.entries())
        await frozen.rate(holder, 5, now + minute + place * second);
      for (const holder of holders) await frozen.withdraw(holder, now + 2 * minute);
    }
    expect(await frozen.scoreAt(now)).toEqual(await leftAlone.scoreAt(now));
  });

  test("of forty earlier fives that are withdrawn at once", async () => {
    const { users, post } = await blog(80);
    const [left, leftAlone] = [await post("Left"), await post("Left alone")];
    const [readers, sleepers] = [users.slice(0, 40), users.slice(40)];
    for (const [index, user] of sleepers.entries()) await left.rate(user, 5, morning + index * minute);
    for (const [index, user] of readers.entries())
      for (const each of [left, leftAlone])
        await each.rate(user, index % 2 ? 2 : 3, morning + hour + index * hour);
    const now = morning + 50 * hour;
    expect((await left.scoreAt(now)).settled).toBeGreaterThan(3.2);
    for (const user of sleepers) await left.withdraw(user, now);
    expect((await left.scoreAt(now)).settled).toBe((await leftAlone.scoreAt(now)).settled);
  });
});

test("earlier fives that become zeros count like new zeros of that moment once a rating is removed", async () => {
  const { users, post } = await blog(81);
  const [rated, leftAlone] = [await post("Rated"), await post("Left alone")];
  const [readers, sleepers] = [users.slice(0, 40), users.slice(40, 80)];
  const leaver = users[80] as User;
  for (const [index, user] of readers.entries()) {
    for (const each of [rated, leftAlone]) await each.rate(user, index % 2 ? 4 : 5, morning + index * hour);
    await rated.rate(sleepers[index] as User, 5, morning + index * hour + minute);
  }
  await rated.rate(leaver, 4, morning + 41 * hour);
  const turn = morning + 1_000 * hour;
  for (const [index, user] of sleepers.entries()) await rated.change(user, 0, turn + index * second);
  const now = turn + hour;
  await rated.withdraw(leaver, now);
  const { settled, average } = await rated.scoreAt(now);
  expect(average).toBeLessThan(2.5);
  // 40 arrivals on 40 ratings move it by little more than their nudges.
  const before = (await leftAlone.scoreAt(turn)).settled ?? 0;
  expect(before - (settled ?? 0)).toBeLessThan(1.5 * (1 / Math.sqrt(40) - 1 / Math.sqrt(80)) + 0.01);
});

test("decisions by turns on windows end where the last ones alone would have led", async () => {
  const { database, users, post } = await blog(150, { RATING_OVERFLOW: "hold" });
  const [ratcheted, decidedOnce] = [await post("Ratcheted"), await post("Decided once")];
  const both = [ratcheted, decidedOnce];
  let now = morning;
  const rate = async (from: number, count: number, gapMs: number, score: Score) => {
    for (const user of users.slice(from, from + count)) {
      now += gapMs;
      for (const each of both) await each.rate(user, score, now);
    }
  };
  await rate(0, 40, 10 * minute, 4);
  await rate(40, 30, 100, 5);
  for (const each of both) await each.decide(1, "counted", now);
  await rate(70, 40, hour, 1);
  await rate(110, 30, 100, 5);
  expect((await ratcheted.windows()).length).toBe(2);
  for (const status of ["excluded", "counted", "excluded", "counted"] as const) {
    await ratcheted.decide(2, "counted", now);
    await ratcheted.decide(1, status, now);
    await ratcheted.decide(2, "excluded", now);
  }
  await decidedOnce.decide(2, "excluded", now);
  const [{ settled, count }, once] = [await ratcheted.scoreAt(now), await decidedOnce.scoreAt(now)];
  expect(settled).toBe(once.settled);
  expect(count).toBe(once.count);
  expect(await integrityFaults(database)).toEqual([]);
});
