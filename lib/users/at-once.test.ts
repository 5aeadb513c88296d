/**
 * Concurrent actions of one user.
 * SQLite serialises them; on PostgreSQL both transactions run, so these tests stop one where it would conflict with the
 * other.
 */
import postgres from "postgres";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { userNamed } from "../../db/contract/setting.ts";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { inspectPostgres } from "../../db/dialects/postgres/inspect.ts";
import type { FloodWindow } from "../../db/index.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import { address, password, sessionFor, solvedFor } from "../../testing/accounts.ts";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { openWindow } from "../ratings/floods/flood-window.ts";
import { createRating, updateRating, withdrawRating } from "../ratings/index.ts";
import { removeAll } from "../removals/index.ts";
import { endOtherSessions, sessionsOf } from "../sessions/index.ts";
import { decideAccounts } from "./approvals.ts";
import { changePassword, deleteAccount, logOutEverywhere, register } from "./index.ts";
import { invite } from "./invitations.ts";
import { createAccount } from "./manage.ts";
import { fillSkeletons } from "./skeletons.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

const now = morning;

/** A user who has rated one of two posts and acts in two sessions. */
async function setting() {
  const url = await server.newMigratedDatabase();
  const database = await openPostgres(url, { timeouts: patientTimeouts });
  onTestFinished(() => database.close());
  const context = contextOf(database);
  const join = async (username: string) => {
    const proof = await solvedFor(context, now);
    const input = { username, email: `${username}@example.org`, password, ...proof };
    const outcome = await register(context, { input, address, now });
    if (outcome.kind !== "registered") throw new Error(outcome.kind);
    return outcome.user;
  };
  const author = await join("alder");
  const user = await join("birch");
  const { id: postId, slug } = await addPost(database, author);
  const { slug: other } = await addPost(database, author);
  const request = { slug, user, address, input: { score: 5 }, now };
  expect(await createRating(context, request)).toMatchObject({ kind: "saved" });
  // So that a wrong count is noticed.
  expect(await createRating(context, { ...request, user: author })).toMatchObject({ kind: "saved" });
  const sql = postgres(url, { max: 2, onnotice: () => {} });
  onTestFinished(() => sql.end());

  const waiting = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    ).length;
  /** Starts each action when the one before waits for `lock`, then releases all. */
  async function whileLocked<T>(lock: string, begin: readonly (() => Promise<T>)[]) {
    let begun: Promise<PromiseSettledResult<T>[]> | undefined;
    await sql.begin(async (holding) => {
      await holding.unsafe(lock);
      const all: Promise<T>[] = [];
      for (const each of begin) {
        all.push(each());
        begun = Promise.allSettled(all);
        await expect.poll(waiting).toBe(all.length);
      }
    });
    return begun;
  }

  const remove = async () => {
    const input = { currentPassword: password };
    const session = await sessionFor(context, user);
    const outcome = await deleteAccount(context, { session, input, address, now });
    await removeAll(context, () => now, { pauseMs: 0 });
    return outcome;
  };
  const faults = async () => {
    const { query, close } = await inspectPostgres(url);
    try {
      return await countersThatDisagree(query);
    } finally {
      await close();
    }
  };
  return { context, database, user, request, postId, slug, other, whileLocked, remove, faults };
}

const windowOfOne: FloodWindow = {
  ...openWindow(1, now, 1_000, []),
  recentGapMs: 10,
  counts: [0, 0, 0, 0, 0, 1],
};

const lockPost = (slug: string) => `select 1 from posts where slug = '${slug}' for no key update`;

test("deleting an account removes a rating from the counters that changes meanwhile", async () => {
  const { context, request, slug, whileLocked, remove, faults } = await setting();
  const change = () => updateRating(context, { ...request, input: { score: 1 } });
  const [changed, removed] = (await whileLocked<unknown>(lockPost(slug), [change, remove])) ?? [];
  expect(changed).toMatchObject({ status: "fulfilled" });
  expect(removed).toEqual({ status: "fulfilled", value: { kind: "deleted" } });
  expect(await faults()).toEqual([]);
});

test("deleting an account removes a rating once that is withdrawn meanwhile", async () => {
  const { context, user, slug, whileLocked, remove, faults } = await setting();
  const withdraw = () => withdrawRating(context, { slug, userId: user.id, now });
  const [withdrawn, removed] = (await whileLocked<unknown>(lockPost(slug), [withdraw, remove])) ?? [];
  expect(withdrawn).toMatchObject({ status: "fulfilled" });
  expect(removed).toEqual({ status: "fulfilled", value: { kind: "deleted" } });
  expect(await faults()).toEqual([]);
});

test("deleting an account removes a rating from a flood window that it falls in meanwhile", async () => {
  const { database, user, slug, postId, whileLocked, remove, faults } = await setting();
  const fall = () =>
    database.transaction(async () => {
      await database.posts.lock(slug);
      const tally = await database.tallies.find(postId);
      await database.ratings.setWindow(postId, user.id, 1);
      await database.floodWindows.save(postId, windowOfOne);
      await database.tallies.save(postId, { ...tally, windowCount: 1, counts: [0, 0, 0, 0, 0, 1] });
    });
  const [fallen, removed] = (await whileLocked<unknown>(lockPost(slug), [fall, remove])) ?? [];
  expect(fallen).toMatchObject({ status: "fulfilled" });
  expect(removed).toEqual({ status: "fulfilled", value: { kind: "deleted" } });
  expect(await faults()).toEqual([]);
});

test("deleting an account removes a rating that is given meanwhile", async () => {
  const { context, request, other, whileLocked, remove, faults } = await setting();
  // The rating is there by then, and not committed.
  const give = () => createRating(context, { ...request, slug: other });
  const [, removed] = (await whileLocked<unknown>("lock table attempts in share mode", [give, remove])) ?? [];
  expect(removed).toEqual({ status: "fulfilled", value: { kind: "deleted" } });
  expect(await faults()).toEqual([]);
});

test("keeps the skeletons of accounts from before when two nodes compute them at the same moment", async () => {
  const { database, whileLocked } = await setting();
  const names = ["elm", "fir", "gorse"];
  const ids: number[] = [];
  for (const name of names) ids.push(await database.users.insert(userNamed(name)));
  const fill = () => fillSkeletons(database);
  await whileLocked(`select 1 from users where id = ${ids[0]} for update`, [fill, fill]);
  const filled = (await database.users.all()).slice(-names.length);
  expect(filled.map(({ usernameSkeleton }) => usernameSkeleton)).toEqual(names);
  expect(filled.map(({ lowerCaseSkeleton }) => lowerCaseSkeleton)).toEqual(names);
});

test.each([
  ["the same name", "Cedar", "cedar"],
  ["names that look alike as they are written", "aIder-2", "alder-2"],
  ["names that look alike in lower case", "ALICE", "al\u0131ce"],
  ["a name that looks as written like the other in lower case", "ALICE", "aIice"],
  ["a name that looks in lower case like the other as written", "aIice", "ALICE"],
])("of two accounts with %s that are made at the same moment one is made", async (_, ...names) => {
  const { context, database, whileLocked } = await setting();
  const before = (await database.users.all()).length;
  // Both are past their checks when they wait. A registration would wait for its limits first, where these are on.
  const create = (username: string, index: number) => () => {
    const input = { username, email: `${index}@example.org`, password };
    return createAccount(context, { input, isAdministrator: false, now });
  };
  const outcomes = await whileLocked("lock table users in share mode", names.map(create));
  const kinds = outcomes?.map((each) => (each.status === "fulfilled" ? each.value.kind : each.reason));
  expect(kinds?.toSorted()).toEqual(["registered", "taken"]);
  expect(await database.users.all()).toHaveLength(before + 1);
});

test("changes a password once when two sessions change it at the same moment", async () => {
  const { context, user, whileLocked } = await setting();
  const sessions = [await sessionFor(context, user), await sessionFor(context, user)];
  const change = (newPassword: string, index: number) => () => {
    const session = sessions[index] ?? expect.fail();
    return changePassword(context, {
      session,
      input: { currentPassword: password, newPassword },
      address,
      now,
    });
  };
  const outcomes = await whileLocked(`select 1 from users where id = ${user.id} for update`, [
    change("still water 9", 0),
    change("deep water 10", 1),
  ]);
  const kinds = outcomes?.map((each) => (each.status === "fulfilled" ? each.value.kind : each.reason));
  expect(kinds?.toSorted()).toEqual(["changed", "wrong"]);
});

test.each([
  ["before", [0, 1]],
  ["after", [1, 0]],
])("no session outlives logging out everywhere %s a change of the password", async (_, order) => {
  const { context, user, whileLocked } = await setting();
  const session = await sessionFor(context, user);
  const input = { currentPassword: password, newPassword: "still water 9" };
  const both = [
    async () => logOutEverywhere(context, user),
    async () => void (await changePassword(context, { session, input, address, now })),
  ];
  const lock = `select 1 from users where id = ${user.id} for update`;
  const outcomes = await whileLocked(
    lock,
    order.map((index) => both[index] ?? expect.fail()),
  );
  expect(outcomes?.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await sessionsOf(context, session, now)).toEqual([]);
});

test.each([
  ["before", [0, 1]],
  ["after", [1, 0]],
])(
  "one session ends all others on request, %s another of them changes the password meanwhile",
  async (_, order) => {
    const { context, user, whileLocked } = await setting();
    const [own, other] = [await sessionFor(context, user), await sessionFor(context, user)];
    const input = { currentPassword: password, newPassword: "still water 9" };
    const both = [
      async () => endOtherSessions(context, own),
      async () => void (await changePassword(context, { session: other, input, address, now })),
    ];
    const lock = `select 1 from users where id = ${user.id} for update`;
    const outcomes = await whileLocked(
      lock,
      order.map((index) => both[index] ?? expect.fail()),
    );
    expect(outcomes?.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect((await sessionsOf(context, own, now)).filter(({ id }) => id !== own.id)).toEqual([]);
  },
);

/** Two connections to one new database, with an administrator. */
async function twoNodes() {
  const url = await server.newMigratedDatabase();
  const open = async () => {
    const node = await openPostgres(url, { timeouts: patientTimeouts });
    onTestFinished(() => node.close());
    return node;
  };
  const nodes = [await open(), await open()] as const;
  return { nodes, keeper: await addUser(nodes[0], "keeper", { isAdministrator: true }) };
}

test("an invitation that is used on two nodes at the same moment makes one account", async () => {
  const { nodes, keeper } = await twoNodes();
  const [database] = nodes;
  const input = { note: "For one person", days: "7" };
  for (let round = 0; round < 5; round += 1) {
    const invited = await invite({ database }, { actor: keeper, input, now });
    const invitation = invited.kind === "invited" ? invited.token : expect.fail(invited.kind);
    const outcomes = await Promise.all(
      nodes.map(async (node, index) => {
        const open = contextOf(node);
        const context = { ...open, registration: { ...open.registration, mode: "invitation" as const } };
        const username = `guest-${round}-${index}`;
        const account = { username, email: `${username}@example.org`, password, invitation };
        return register(context, { input: { ...account, ...(await solvedFor(context, now)) }, address, now });
      }),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["not-open", "registered"]);
  }
  expect(await database.users.all()).toHaveLength(6);
});

test("two administrators who decide on the same accounts on two nodes at the same moment decide on each once", async () => {
  const { nodes, keeper } = await twoNodes();
  const [database, other] = nodes;
  const ids: number[] = [];
  for (let number = 1; number <= 30; number += 1)
    ids.push(await database.users.insert(userNamed(`waiting-${number}`, { pendingSince: now })));
  const [first, second] = await Promise.all([
    decideAccounts({ database }, { actor: keeper, ids, approve: true, now }),
    decideAccounts({ database: other }, { actor: keeper, ids: ids.toReversed(), approve: false, now }),
  ]);
  if (first.kind !== "done" || second.kind !== "done") throw new Error("An administrator decides.");
  expect(first.decided + second.decided).toBe(30);
  expect(first.others + second.others).toBe(30);
  expect(await database.users.countPending()).toBe(0);
  expect(await database.users.all()).toHaveLength(1 + first.decided);
});
