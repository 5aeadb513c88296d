import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { futureTimes } from "../../db/future-times.ts";
import { type Database, openDatabase } from "../../db/index.ts";
import { inspect } from "../../db/inspect.ts";
import { countersThatDisagree, postsThatDisagree, type RunQuery } from "../../db/recount.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabaseUrl } from "../../testing/database.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { openWindow } from "../ratings/floods/flood-window.ts";
import { createRating, updateRating } from "../ratings/index.ts";
import { replayRequested } from "../ratings/tally/background-replay.ts";
import { catchUp } from "../ratings/tally/saved-tally.ts";
import { scoringDefaults } from "../ratings/tally/tally.ts";
import { hourMs } from "../time/units.ts";
import type { User } from "../users/index.ts";
import { repair } from "./index.ts";

const fail = (error: unknown) => {
  throw error;
};
const yearMs = 365 * 24 * hourMs;
const limits = limitsWith({ LIMITS: '{"rating.post": {"mode": "off"}, "post.user": {"mode": "off"}}' });

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  postgres = await sharedPostgres();
});

const urls = {
  SQLite: async () => temporaryDatabaseUrl(),
  PostgreSQL: () => postgres.newMigratedDatabase(),
};

describe.each(Object.entries(urls))("on %s", (_, newUrl) => {
  /** Two posts with the same ratings, an hour apart; the first is to be spoilt. */
  async function blog() {
    const url = await newUrl();
    const database = await openDatabase(url, { timeouts: patientTimeouts });
    onTestFinished(() => database.close());
    const users = await addUsers(database, 20);
    const author = await addUser(database, "author");
    const [spoilt, sound] = [await addPost(database, author), await addPost(database, author)];
    const rate = (
      { slug }: { slug: string },
      user: User | undefined,
      score: number,
      now: number,
      act = createRating,
    ) => {
      if (!user) throw new Error("There is a user.");
      return act(contextOf(database, limits), { slug, user, address: "192.0.2.1", input: { score }, now });
    };
    for (const post of [spoilt, sound])
      for (const [index, user] of users.slice(0, 15).entries())
        await rate(post, user, index % 6, morning + index * hourMs);
    const now = morning + 15 * hourMs;
    const inspected = async <T>(query: (run: RunQuery) => Promise<T>) => {
      const inspection = await inspect(url);
      return query(inspection.query).finally(() => inspection.close());
    };
    return {
      url,
      database,
      users,
      spoilt,
      sound,
      rate,
      now,
      repaired: async (
        at = now,
        {
          placesAfter = database.repairs.placesAfter,
          ...bounds
        }: { ratingsPerTransaction?: number; batch?: number } & Partial<
          Pick<Database["repairs"], "placesAfter">
        > = {},
      ) =>
        repair(
          { ...database, repairs: { ...database.repairs, placesAfter } },
          {
            now: at,
            ...bounds,
            scoring: scoringDefaults,
            newAccountMs: 0,
            miscounted: await inspected(postsThatDisagree),
            onProgress: () => {},
          },
        ),
      faults: async (at = now) => [
        ...(await inspected(countersThatDisagree)),
        ...(await inspected((query) => futureTimes(query, at))),
      ],
      settledOf: async ({ id }: { id: number }, at: number) => {
        const { settled } = await database.tallies.find(id);
        return { ...settled, at };
      },
    };
  }

  const view = (database: Database, now: number) =>
    catchUp(database, now, scoringDefaults, (error) => {
      throw error;
    });

  test("restores a score that a page view dated a year later had stopped, and it moves again", async () => {
    const { database, spoilt, sound, rate, users, now, repaired, faults, settledOf } = await blog();
    await database.transaction(async () =>
      database.tallies.save(spoilt.id, { ...(await database.tallies.find(spoilt.id)), dueAt: now }),
    );
    const dueOfSound = (await database.tallies.find(sound.id)).dueAt;
    await database.transaction(async () =>
      database.tallies.save(sound.id, { ...(await database.tallies.find(sound.id)), dueAt: null }),
    );
    await view(database, now + yearMs);
    await database.transaction(async () =>
      database.tallies.save(sound.id, { ...(await database.tallies.find(sound.id)), dueAt: dueOfSound }),
    );
    expect((await database.tallies.find(spoilt.id)).settled.at).toBe(now + yearMs);
    expect(await faults()).toHaveLength(1);
    expect((await repaired()).posts).toMatchObject([{ postId: spoilt.id, dated: 0, heldAgain: [] }]);
    expect(await faults()).toEqual([]);
    for (const post of [spoilt, sound]) await rate(post, users[15], 5, now + hourMs);
    const [corrected, untouched] = [await settledOf(spoilt, now), await settledOf(sound, now)];
    expect(corrected.score).toBeCloseTo(untouched.score ?? 0, 9);
    expect(corrected).toEqual({
      ...untouched,
      score: corrected.score,
      velocity: expect.closeTo(untouched.velocity, 9),
    });
  });

  test("dates ratings from a year later to now, also one that changed an earlier rating", async () => {
    const { database, spoilt, rate, users, now, repaired, faults } = await blog();
    await rate(spoilt, users[15], 0, now + yearMs);
    await rate(spoilt, users[0], 5, now + yearMs, updateRating);
    expect((await faults()).length).toBeGreaterThan(3);
    const report = await repaired();
    expect(report.posts).toMatchObject([{ postId: spoilt.id, dated: 2 }]);
    expect(report.removed).toMatchObject({ "attempts.at": 2 });
    expect(await faults()).toEqual([]);
    expect(await database.ratings.find(spoilt.id, users[0]?.id ?? 0)).toMatchObject({
      score: 5,
      createdAt: morning,
      updatedAt: now,
    });
    expect((await database.tallies.find(spoilt.id)).settled).toMatchObject({
      at: now,
      lastRaterAt: now,
      raters: 16,
    });
    expect((await repaired()).posts).toEqual([]);
  });

  test("holds a flood again that a page view dated 15 days later had counted", async () => {
    const { database, spoilt, users, now, repaired, faults } = await blog();
    const { id } = spoilt;
    const flood = users.slice(10, 15);
    await database.transaction(async () => {
      const tally = await database.tallies.find(id);
      for (const user of flood) await database.ratings.setWindow(id, user.id, 1);
      const counts = [0, 0, 0, 0, 1, 1].map((some, score) => some + (score < 3 ? 1 : 0));
      const [c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0] = counts;
      const held = { ...openWindow(1, now, hourMs, []), counts: [c0, c1, c2, c3, c4, c5] as const };
      await database.floodWindows.save(id, held);
      const left = tally.counts.map((some, score) => some - (counts[score] ?? 0));
      const [l0 = 0, l1 = 0, l2 = 0, l3 = 0, l4 = 0, l5 = 0] = left;
      await database.tallies.save(id, {
        ...tally,
        counts: [l0, l1, l2, l3, l4, l5],
        windowCount: 1,
        dueAt: now,
      });
    });
    expect(await faults()).toEqual([]);
    const before = await database.floodWindows.all(id);
    await view(database, now + 15 * 24 * hourMs);
    expect(await database.floodWindows.all(id)).toMatchObject([{ status: "counted", decidedBy: "time" }]);
    expect(await repaired()).toMatchObject({ posts: [{ postId: id, heldAgain: [1] }] });
    expect(await database.floodWindows.all(id)).toEqual(before);
    expect(await database.floodWindows.decisionsOf(id, 9)).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test("recounts counters that were changed by hand", async () => {
    const { database, spoilt, now, repaired, faults } = await blog();
    const tally = await database.tallies.find(spoilt.id);
    await database.transaction(() =>
      database.tallies.save(spoilt.id, { ...tally, counts: [0, 0, 0, 0, 0, 99] }),
    );
    expect(await faults()).toHaveLength(1);
    expect((await repaired()).posts).toMatchObject([
      { postId: spoilt.id, counts: [[0, 0, 0, 0, 0, 99], tally.counts] },
    ]);
    expect(await faults(now)).toEqual([]);
  });

  test("leaves a post with more ratings than are replayed at once to the background, without times of the future", async () => {
    const { database, spoilt, sound, rate, users, now, repaired, faults, settledOf } = await blog();
    await rate(spoilt, users[15], 0, now + yearMs);
    await rate(sound, users[15], 0, now);
    const report = await repaired(now, { ratingsPerTransaction: 10 });
    expect(report.posts).toMatchObject([{ postId: spoilt.id, dated: 1, isReplayed: false }]);
    expect(await faults()).toEqual([]);
    expect(await database.replays.waiting(9)).toEqual([{ postId: spoilt.id, at: now }]);
    const replayed = (at: number, maximum: number) =>
      replayRequested(database, () => at, scoringDefaults, fail, { maximum });
    expect(await replayed(now, 10)).toBe(1);
    const [corrected, untouched] = [await settledOf(spoilt, now), await settledOf(sound, now)];
    expect(corrected.score).toBeCloseTo(untouched.score ?? 0, 9);
    expect(corrected).toMatchObject({ raters: 16, lastRaterAt: now });
  });

  test("replays ratings only once they are older than a minute where one transaction takes fewer", async () => {
    const { database, spoilt, rate, users, now, repaired, settledOf } = await blog();
    for (const user of users.slice(0, 15)) await rate(spoilt, user, 5, now + yearMs, updateRating);
    expect((await repaired(now, { ratingsPerTransaction: 10 })).posts).toMatchObject([
      { dated: 15, isReplayed: false },
    ]);
    const replayedAt = (at: number) =>
      replayRequested(database, () => at, scoringDefaults, fail, { maximum: 10 });
    expect(await replayedAt(now + 59_000)).toBe(0);
    expect(await replayedAt(now + 61_000)).toBe(1);
    expect(await settledOf(spoilt, now)).toMatchObject({ raters: 15, lastRaterAt: now });
  });

  test("dates more ratings of one post than fit in a batch, and replays them", async () => {
    const { database, spoilt, users, rate, now, repaired, faults } = await blog();
    for (const user of users.slice(0, 15)) await rate(spoilt, user, 5, now + yearMs, updateRating);
    expect((await repaired(now, { batch: 5 })).posts).toMatchObject([{ dated: 15, isReplayed: true }]);
    expect(await faults()).toEqual([]);
    expect((await database.tallies.find(spoilt.id)).settled).toMatchObject({ raters: 15, lastRaterAt: now });
  });

  test("counts the rows that it changed, and finds those that moved after the scan", async () => {
    const { database, now, repaired, faults } = await blog();
    const late: number[] = [];
    for (const name of ["late-1", "late-2", "late-3"])
      late.push((await addUser(database, name, { createdAt: now + yearMs })).id);
    let scans = 0;
    const { placesAfter, clampTo } = database.repairs;
    const report = await repaired(now, {
      /** Another process repairs one row and changes another before the changes. */
      async placesAfter(time, at, limit) {
        const places = await placesAfter(time, at, limit);
        if (time.table !== "users" || places.length === 0 || scans++ > 0) return places;
        await clampTo(time, at, now, places.slice(0, 1));
        await database.transaction(() => database.users.setModerator(late[2] ?? 0, true));
        return places;
      },
    });
    expect(report.dated).toEqual({ "users.created_at": 2 });
    expect(await faults()).toEqual([]);
  });

  test("dates more accounts than fit in a batch from a year later to now", async () => {
    const { database, now, repaired, faults } = await blog();
    for (let index = 0; index < 21; index += 1)
      await addUser(database, `late-${index}`, { createdAt: now + yearMs });
    expect(await faults()).toHaveLength(1);
    expect(await repaired(now, { batch: 10 })).toEqual({
      posts: [],
      dated: { "users.created_at": 21 },
      removed: {},
    });
    expect(await faults()).toEqual([]);
  });

  test("mails that were queued a year later are due now, and expire after their lifetime", async () => {
    const { database, now, repaired, faults } = await blog();
    const lifetimeMs = 24 * hourMs;
    const at = now + yearMs;
    const mail = {
      ...({ kind: "flood", userId: null, locale: "en", data: "{}" } as const),
      addressKey: "a@b.c",
    };
    const times = { createdAt: at, expiresAt: at + lifetimeMs, dueAt: at };
    await database.mails.insert({ ...mail, ...times, messageId: "late", address: "a@b.c" });
    expect(await faults()).toHaveLength(2);
    expect((await repaired()).dated).toEqual({ "mails.created_at": 1 });
    expect(await database.mails.all()).toMatchObject([
      { createdAt: now, expiresAt: now + lifetimeMs, dueAt: now },
    ]);
    expect(await faults()).toEqual([]);
  });

  test("webhooks, and mails about new posts and decisions, that were to wait a year are due now", async () => {
    const { database, users, now, repaired, faults } = await blog();
    const at = now + yearMs;
    const [first, second] = users.map(({ id }) => id);
    const dueAt = at + 24 * hourMs;
    const webhook = { url: "https://a.example/", events: " post.published ", encryptedSecret: "" };
    const webhookId = await database.webhooks.insert({ ...webhook, createdAt: now });
    const delivery = { messageId: "late", event: "post.published", body: "{}", createdAt: at } as const;
    await database.webhooks.queue(webhookId, delivery);
    await database.subscribers.add({ email: "a@b.c", emailKey: "a@b.c", locale: "en", createdAt: now });
    const subscriber = async () => await database.subscribers.byEmailKey("a@b.c");
    await database.subscribers.setMailed([(await subscriber())?.id ?? 0], { mailedUntil: now, dueAt });
    const subscription = { locale: "en", afterDecision: 0 };
    await database.decisionSubscriptions.add({ ...subscription, userId: first ?? 0, dueAt });
    await database.decisionSubscriptions.add({ ...subscription, userId: second ?? 0, dueAt: now });
    expect((await faults()).map((line) => line.slice(0, line.indexOf(":"))).sort()).toEqual([
      "decision_subscriptions.due_at",
      "subscribers.due_at",
      "webhook_deliveries.created_at",
      "webhook_deliveries.due_at",
    ]);
    await repaired();
    expect(await faults()).toEqual([]);
    expect(await database.webhooks.latest(9)).toMatchObject([{ createdAt: now, dueAt: now }]);
    expect(await subscriber()).toMatchObject({ dueAt: now });
    const due = database.transaction(() =>
      database.decisionSubscriptions.lockDue({ until: 9, now, limit: 9 }),
    );
    expect((await due).map(({ userId }) => userId)).toEqual([first, second]);
  });

  test("the former secret of a webhook that was renewed a year later signs for a day from now", async () => {
    const { database, now, repaired, faults } = await blog();
    const webhook = { url: "https://a.example/", events: " post.published ", createdAt: now };
    const dayMs = 24 * hourMs;
    const renewed = async (previousUntil: number) => {
      const id = await database.webhooks.insert({ ...webhook, encryptedSecret: "new" });
      await database.webhooks.update(id, { previousSecret: "old", previousUntil });
      return id;
    };
    const [late, usual] = [await renewed(now + yearMs + dayMs), await renewed(now + 5 * hourMs)];
    expect(await faults()).toEqual([expect.stringMatching(/^webhooks\.previous_until: 1, up to /)]);
    await repaired();
    expect(await faults()).toEqual([]);
    expect(await database.webhooks.byId(late)).toMatchObject({ previousUntil: now + dayMs });
    expect(await database.webhooks.byId(usual)).toMatchObject({ previousUntil: now + 5 * hourMs });
  });

  test("tokens and invitations that were made a year later expire after their lifetimes", async () => {
    const { database, users, now, repaired, faults } = await blog();
    const userId = users[0]?.id ?? 0;
    const lifetimeMs = 30 * 24 * hourMs;
    const made = { createdAt: now + yearMs, expiresAt: now + yearMs + lifetimeMs };
    const token = { userId, scopes: "posts:read", name: "late", tokenHash: "late" };
    await database.apiTokens.insert({ ...token, ...made });
    await database.apiTokens.insert({
      ...token,
      name: "endless",
      tokenHash: "endless",
      ...made,
      expiresAt: null,
    });
    await database.invitations.insert({ tokenHash: "late", note: "Late", createdBy: userId, ...made });
    expect((await repaired()).dated).toEqual({ "api_tokens.created_at": 2, "invitations.created_at": 1 });
    expect(await faults()).toEqual([]);
    const corrected = { createdAt: now, expiresAt: now + lifetimeMs };
    const tokens = await database.apiTokens.ofUser(userId);
    expect(tokens.find(({ name }) => name === "late")).toMatchObject(corrected);
    expect(tokens.find(({ name }) => name === "endless")).toMatchObject({ ...corrected, expiresAt: null });
    expect(await database.invitations.latest(9)).toMatchObject([corrected]);
  });
});
