import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runChild } from "../../../testing/child-process.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../../../testing/database.ts";
import { integrityFaults } from "../../../testing/integrity.ts";
import {
  decideWindow,
  floodsOf,
  uncountedOf,
  windowDecisionsOf,
  windowsForDeciders,
} from "../decisions/flood-window-decisions.ts";
import { createRating, updateRating, withdrawRating } from "../index.ts";
import { publicScore } from "../tally/public-score.ts";
import { catchUp, makeHeldDue } from "../tally/saved-tally.ts";
import { scoringDefaults } from "../tally/tally.ts";
import type { WindowStatus } from "./flood-window.ts";

const minute = 60_000;
const day = 1_440 * minute;
const holding = limitsWith({ RATING_OVERFLOW: "hold" });
const liked = [5, 4, 5, 3, 5, 4, 2, 5, 4, 5];

function fail(error: unknown): never {
  throw error;
}

/**
 * A post liked by 60 users, and 60 more users who have not rated it yet.
 * The likes are ten minutes apart.
 */
async function likedPost(url = temporaryDatabaseUrl()) {
  const database = temporaryDatabase(url);
  database.sqlite.pragma("synchronous = OFF"); // no power failure is tested here
  const author = await addUser(database, "author");
  const { slug, id } = await addPost(database, author);
  const users = await addUsers(database, 160);
  const decider = await addUser(database, "decider", { isModerator: true });
  const context = contextOf(database, holding);
  let now = morning;
  const after = async (gapMs: number, index: number, score: number, act = createRating) => {
    now += gapMs;
    const user = users[index];
    if (!user) throw new Error(`There is no user ${index}.`);
    return (await act(context, { slug, user, address: "192.0.2.1", input: { score }, now })).kind;
  };
  for (let index = 0; index < 60; index += 1) await after(10 * minute, index, liked[index % 10] ?? 5);
  return {
    database,
    context,
    author,
    decider,
    users,
    slug,
    id,
    after,
    /** A flood of forty zeros, a tenth of a second apart. */
    async flood() {
      const kinds = [];
      for (let index = 60; index < 100; index += 1)
        kinds.push(await after(index === 60 ? 10 * minute : 100, index, 0));
      return kinds;
    },
    now: () => now,
    pass: async (ms: number) => {
      now += ms;
      await catchUp(database, now, scoringDefaults, fail);
    },
    decide: (input: unknown, { user = decider, number = 1 } = {}) =>
      decideWindow(context, { slug, number, user, input, now }),
    score: async () => {
      const post = await database.posts.bySlug(slug);
      if (!post) throw new Error("The post is gone.");
      return publicScore(post, now);
    },
    floods: async () => {
      const post = await database.posts.bySlug(slug);
      if (!post) throw new Error("The post is gone.");
      return floodsOf({ database }, post);
    },
  };
}

test("holds a flood with its run-up instead of refusing it, and keeps the score", async () => {
  const { database, flood, score, floods } = await likedPost();
  const before = await score();
  const kinds = await flood();
  expect(new Set(kinds)).toEqual(new Set(["saved", "held"]));
  expect(kinds.filter((kind) => kind === "held").length).toBeGreaterThan(25);
  expect(await score()).toMatchObject({ average: before.average, count: 60, histogram: before.histogram });
  expect(Math.abs(((await score()).settled ?? 0) - (before.settled ?? 9))).toBeLessThan(0.05);
  expect((await floods()).windows).toMatchObject([
    { number: 1, status: "held", decidedBy: null, closedAt: null, counts: [40, 0, 0, 0, 0, 0] },
  ]);
  expect((await floods()).everything[0]).toBe(40);
  expect((await floods()).days.reduce((sum, { counts }) => sum + counts[0], 0)).toBe(40);
  expect(await integrityFaults(database)).toEqual([]);
  const attempts = await database.attempts.latest(1, 50);
  expect(attempts.filter(({ held }) => held)).toHaveLength(kinds.filter((kind) => kind === "held").length);
  expect(attempts.every(({ allowed }) => allowed)).toBe(true);
  expect(await database.attempts.perInterval(1, 0, 3_650 * day)).toMatchObject([
    { refused: 0, held: kinds.filter((kind) => kind === "held").length },
  ]);
});

test("opens no window when the limiter refuses", async () => {
  const { database, users, slug } = await likedPost();
  const context = contextOf(database, limitsWith({ LEAKY_BUCKET_CAPACITY: "5" }));
  const kinds = [];
  for (const user of users.slice(60, 80)) {
    const request = { slug, user, address: "192.0.2.1", input: { score: 0 }, now: morning + day };
    kinds.push((await createRating(context, request)).kind);
  }
  expect(kinds.filter((kind) => kind === "limited")).toHaveLength(15);
  expect(await database.floodWindows.all(1)).toEqual([]);
});

test("keeps counters exact when a held rating is changed, withdrawn, given again or deleted with its account", async () => {
  const { database, flood, after, context, slug, users, floods } = await likedPost();
  await flood();
  const held = async () => (await floods()).windows[0]?.counts;
  expect(await after(2 * day, 90, 3, updateRating)).toBe("held");
  expect(await held()).toEqual([39, 0, 0, 1, 0, 0]);
  const userId = users[91]?.id ?? 0;
  await withdrawRating(context, { slug, userId, now: morning + 9 * day });
  expect(await held()).toEqual([38, 0, 0, 1, 0, 0]);
  expect(await after(day, 91, 5)).toBe("held");
  expect(await held()).toEqual([38, 0, 0, 1, 0, 1]);
  expect(await integrityFaults(database)).toEqual([]);
});

describe("a decision on a window", () => {
  const counted = { status: "counted", why: "They are a school class.", after: 0 };
  const excluded = { status: "excluded", why: "A channel called for zeros.", after: 0 };

  test("counts or excludes a window, repeatedly, in one row and six counters", async () => {
    const { database, flood, decide, score, floods } = await likedPost();
    await flood();
    const before = await score();
    expect(await decide(counted)).toEqual({ kind: "decided" });
    expect(await score()).toMatchObject({ count: 100, histogram: (await floods()).everything });
    expect((await score()).settling).toBe(true);
    expect(await decide({ ...excluded, after: 1 })).toEqual({ kind: "decided" });
    expect(await score()).toMatchObject({ count: 60, histogram: before.histogram });
    expect(Math.abs(((await score()).settled ?? 0) - (before.settled ?? 9))).toBeLessThan(0.01);
    expect(await decide({ ...counted, after: 2 })).toEqual({ kind: "decided" });
    expect((await score()).count).toBe(100);
    expect(await integrityFaults(database)).toEqual([]);
  });

  test("is recorded with its maker and reason, beside automatic ones", async () => {
    const { database, decider, id, flood, decide, pass } = await likedPost();
    await flood();
    await pass(15 * day);
    await decide({ ...excluded, after: 1 });
    expect(await windowDecisionsOf({ database }, id)).toMatchObject([
      {
        window: 1,
        status: "excluded",
        decidedBy: "person",
        username: decider.username,
        role: "moderator",
        why: excluded.why,
        ratings: 40,
      },
      { window: 1, status: "counted", decidedBy: "time", username: null, why: null, ratings: 40 },
    ]);
  });

  test("is recorded with all ratings that arrived, also a withdrawn one", async () => {
    const { database, context, id, slug, users, flood, decide, now, floods } = await likedPost();
    await flood();
    await withdrawRating(context, { slug, userId: users[91]?.id ?? 0, now: now() });
    await decide(excluded);
    expect((await floods()).windows).toMatchObject([{ arrived: 40, withdrawn: 1 }]);
    expect(await windowDecisionsOf({ database }, id)).toMatchObject([{ ratings: 40 }]);
  });

  test("is refused when another decision was made meanwhile, by a person or a rule", async () => {
    const { flood, decide, pass, floods } = await likedPost();
    await flood();
    expect(await decide(excluded)).toEqual({ kind: "decided" });
    expect(await decide(counted)).toEqual({ kind: "already-decided" });
    expect((await floods()).windows[0]?.status).toBe("excluded");
    const other = await likedPost();
    await other.flood();
    await pass(15 * day);
    await other.pass(15 * day);
    expect(await other.decide(excluded)).toEqual({ kind: "already-decided" });
  });

  test("wins once when two processes decide at the same moment", async () => {
    const url = temporaryDatabaseUrl();
    const { database, flood, decider, slug, id, now } = await likedPost(url);
    await flood();
    const child = join(import.meta.dirname, "../../../testing/decision-child.ts");
    for (let round = 0; round < 3; round += 1) {
      const barrierFolder = temporaryFolder();
      const children = ["counted", "excluded"].map((status) =>
        runChild(child, [url, slug, String(decider.id), status, String(round), barrierFolder, String(now())]),
      );
      await Promise.all(children.map(({ ended }) => ended));
      expect(children.flatMap(({ lines }) => lines).toSorted()).toEqual(["already-decided", "decided"]);
      expect(await windowDecisionsOf({ database }, id)).toHaveLength(round + 1);
      expect(await integrityFaults(database)).toEqual([]);
    }
  });

  test("is for moderators and administrators, of existing windows, with a reason", async () => {
    const { database, users, flood, decide, context, decider, now } = await likedPost();
    await flood();
    const [stranger] = users;
    expect(await decide(excluded, { user: stranger })).toEqual({ kind: "forbidden" });
    expect(await decide({}, { user: stranger })).toEqual({ kind: "forbidden" });
    for (const number of [0, 2, -1, 1e9, 1.5])
      expect(await decide(excluded, { number })).toEqual({ kind: "no-such-window" });
    const nowhere = { slug: "nowhere", number: 1, user: decider, input: excluded, now: now() };
    expect(await decideWindow(context, nowhere)).toEqual({ kind: "no-such-post" });
    for (const input of [
      null,
      {},
      { ...excluded, why: " " },
      { ...excluded, status: "held" },
      { ...excluded, why: "x".repeat(501) },
      { ...excluded, after: "soon" },
    ])
      expect(await decide(input)).toMatchObject({ kind: "invalid" });
    expect(await windowDecisionsOf({ database }, 1)).toEqual([]);
    const administrator = await addUser(database, "keeper", { isAdministrator: true });
    expect(await decide(excluded, { user: administrator })).toEqual({ kind: "decided" });
  });

  test("is pending in the administrators' list, latest rated first", async () => {
    const { database, author, flood, decide, slug } = await likedPost();
    const keeper = await addUser(database, "keeper", { isAdministrator: true });
    await flood();
    const of = (status: WindowStatus, user = keeper) =>
      windowsForDeciders({ database }, user, { status, limit: 1 });
    expect(await of("held", author)).toEqual({ kind: "forbidden" });
    expect(await of("held")).toMatchObject({
      items: [{ slug, author: "author", window: { number: 1, status: "held" } }],
      nextCursor: null,
    });
    expect(await of("counted")).toMatchObject({ items: [] });
    await decide(excluded);
    expect(await of("held")).toMatchObject({ items: [] });
    expect(await of("excluded")).toMatchObject({ items: [{ slug }], nextCursor: null });
    const later = "9999999999999-9";
    for (const [cursor, count] of [
      ["1-1", 0],
      [later, 1],
      ["no cursor", 1],
    ] as const) {
      const page = await windowsForDeciders({ database }, keeper, { status: "excluded", limit: 1, cursor });
      expect(page.kind === "windows" && page.items.length, cursor).toBe(count);
    }
  });
});

test("lists held windows before excluded ones, and none without ratings", async () => {
  const { flood, floods } = await likedPost();
  await flood();
  const [held] = (await floods()).windows;
  if (!held) throw new Error("There is no window.");
  const windows = [
    { ...held, number: 4, counts: [0, 0, 0, 0, 0, 0] as const },
    { ...held, number: 3, status: "counted" as const },
    { ...held, number: 2, status: "excluded" as const },
    held,
  ];
  expect(uncountedOf(windows).map(({ number }) => number)).toEqual([1, 2]);
});

test("applies a shorter hold time to held windows after a restart", async () => {
  const { database, flood, now, floods } = await likedPost();
  await flood();
  const later = now() + 3 * day;
  await catchUp(database, later, scoringDefaults, fail);
  const shorter = { ...scoringDefaults, holdMs: 2 * day };
  await catchUp(database, later, shorter, fail);
  expect((await floods()).windows[0]).toMatchObject({ status: "held" });
  await makeHeldDue(database);
  await catchUp(database, later, shorter, fail);
  expect((await floods()).windows[0]).toMatchObject({ status: "counted", decidedBy: "time" });
});

test("catches up at the next read, once", async () => {
  const { database, flood, pass, floods, score } = await likedPost();
  await flood();
  expect((await floods()).windows[0]?.closedAt).toBeNull();
  await pass(day);
  expect((await floods()).windows[0]).toMatchObject({ status: "held", closedAt: expect.any(Number) });
  await pass(14 * day);
  expect((await floods()).windows[0]).toMatchObject({ status: "counted", decidedBy: "time" });
  expect((await score()).count).toBe(100);
  await pass(0);
  expect(await windowDecisionsOf({ database }, 1)).toHaveLength(1);
  expect(await integrityFaults(database)).toEqual([]);
});

test("catches up without waiting for another writer or a post that fails", async () => {
  const url = temporaryDatabaseUrl();
  const { database, flood, slug, now, floods } = await likedPost(url);
  await flood();
  const later = now() + 20 * day;
  const writer = temporaryDatabase(url);
  writer.sqlite.exec("begin immediate");
  await catchUp(database, later, scoringDefaults, fail);
  expect((await floods()).windows[0]).toMatchObject({ status: "held" });
  writer.sqlite.exec("rollback");

  const author = await addUser(database, "another author");
  const broken = await addPost(database, author, { title: "Broken" });
  database.sqlite.exec(`update posts set due_at = 1 where id = ${broken.id}`);
  database.sqlite.exec(
    `create temp trigger fails before update on posts when old.id = ${broken.id} begin select raise(abort, 'broken'); end`,
  );
  const reported: unknown[] = [];
  await catchUp(database, later, scoringDefaults, (error) => reported.push(error));
  expect(reported).toMatchObject([{ message: "broken" }]);
  expect(await database.posts.bySlug(slug)).toMatchObject({ counts: [40, 0, 6, 6, 18, 30] });
});

test("orders the top list by scores that moved without a rating", async () => {
  const { database, after, score, pass, id, now } = await likedPost();
  // A change of opinion about a post that is not young any more gathers speed, and then nothing more.
  await pass(60 * day);
  for (let index = 60; index < 100; index += 1) await after(4 * 60 * minute, index, 1);
  const saved = async () => (await database.posts.list({ sort: "top", limit: 1 }))[0]?.rankScore ?? 0;
  const atLast = await saved();
  await pass(40 * day);
  const { settled, count } = await score();
  expect(await saved()).toBeCloseTo((25 + count * (settled ?? 0)) / (10 + count), 1);
  expect(Math.abs((await saved()) - atLast)).toBeGreaterThan(0.05);
  expect((await database.tallies.find(id)).dueAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now());
});
