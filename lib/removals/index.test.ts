import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { inspectPostgres } from "../../db/dialects/postgres/inspect.ts";
import type { SqliteDatabase } from "../../db/dialects/sqlite/index.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import { blogUrl } from "../../testing/blog.ts";
import { runChild } from "../../testing/child-process.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { setDisabled } from "../account-changes/index.ts";
import { createPost, deletePost, listPosts, readPost } from "../posts/index.ts";
import { createRating, updateRating, withdrawRating } from "../ratings/index.ts";
import { scoringDefaults } from "../ratings/tally/tally.ts";
import { dayMs } from "../time/units.ts";
import type { User } from "../users/index.ts";
import { profileOf } from "../users/index.ts";
import { removeAll, removeSome } from "./index.ts";

const address = "192.0.2.1";
const limits = limitsWith({ LIMITS: '{"rating.post": {"mode": "off"}, "post.user": {"mode": "off"}}' });
const atOnce = { pauseMs: 0 };
const clock = () => morning;

/** The tables that refer to posts or users, with the column that does. */
function referencesTo(target: "posts" | "users", { sqlite }: SqliteDatabase) {
  const tables = sqlite
    .prepare<[], string>("select name from sqlite_master where type = 'table'")
    .pluck()
    .all();
  return tables.flatMap((table) =>
    sqlite
      .prepare<[], { table: string; from: string }>(`pragma foreign_key_list("${table}")`)
      .all()
      .filter((key) => key.table === target)
      .map(({ from }) => ({ table, column: from })),
  );
}

/** Makes the removal of a row fail while rows of other tables still refer to it. */
function refuseCascades(database: SqliteDatabase) {
  for (const target of ["posts", "users"] as const)
    for (const { table, column } of referencesTo(target, database)) {
      if (table === "post_contents") continue; // one row each
      database.sqlite.exec(`
        create temp trigger "${target}_${table}_${column}" before delete on ${target}
        when exists (select 1 from ${table} where ${column} = old.id)
        begin select raise(abort, 'rows of ${table} are left'); end`);
    }
}

function everyRow({ sqlite }: SqliteDatabase, target: "posts" | "users", id: number): string[] {
  return referencesTo(target, { sqlite } as SqliteDatabase)
    .filter(({ table, column }) => sqlite.prepare(`select 1 from ${table} where ${column} = ?`).get(id))
    .map(({ table }) => table);
}

test("removes every row of a deleted post and account in batches, none by a cascade", async () => {
  const database = temporaryDatabase(await blogUrl());
  refuseCascades(database);
  const post = { id: 1 };
  const author = { id: Number(database.sqlite.prepare("select min(user_id) from ratings").pluck().get()) };
  const ofAuthor = { userId: author.id, createdAt: morning, expiresAt: null };
  await database.apiTokens.insert({ ...ofAuthor, name: "x", tokenHash: "x", scopes: "read" });
  const session = { userId: author.id, tokenHash: "x", device: "x", createdAt: 0, lastUsedAt: 0 };
  await database.sessions.insert(session, 9);
  await database.secondFactors.startSetup(author.id, "x", 0);
  await database.secondFactors.setRecoveryCodes(author.id, ["x"]);
  const mail = {
    messageId: "x",
    kind: "password-changed",
    address: "x",
    addressKey: "x",
    locale: "en",
  } as const;
  await database.mails.insert({
    ...mail,
    userId: author.id,
    data: "{}",
    createdAt: 0,
    expiresAt: 0,
    dueAt: 0,
  });
  const link = { tokenHash: "x", kind: "password-reset", addressKey: "x" } as const;
  await database.mailLinks.insert({ ...link, userId: author.id, createdAt: 0, expiresAt: 0 });
  const subscription = { userId: author.id, addressKey: "x", locale: "en", confirmedAt: null };
  await database.floodSubscriptions.save(subscription);
  const decisions = { userId: author.id, locale: "en", afterDecision: 0, dueAt: 0 };
  await database.decisionSubscriptions.add(decisions);
  await database.deciderSubscriptions.add({ userId: author.id, locale: "en", dueAt: 0 });
  const newEmail = { userId: author.id, email: "x", emailKey: "x", tokenHash: "x" };
  await database.emailChanges.save({ ...newEmail, createdAt: 0, expiresAt: 0 });
  for (const postId of [1, 2]) await database.bookmarks.add(author.id, postId, 0);
  const image = {
    userId: author.id,
    width: 1,
    height: 1,
    isAnimated: false,
    bytes: 1,
    alt: "",
    createdAt: 0,
  };
  await database.media.insert({ ...image, name: "x" });
  const passkey = { userId: author.id, credentialId: "x", publicKey: "x", counter: 0 };
  await database.passkeys.insert({ ...passkey, name: "x", createdAt: 0 });
  database.sqlite
    .prepare(
      "insert into invitations (token_hash, note, created_by, used_by, created_at, expires_at) values ('x', 'x', ?, ?, 0, 0)",
    )
    .run(author.id, author.id);
  const by = { actor: "administrator", byUserId: author.id } as const;
  const change = { kind: "disable", at: morning, ...by, why: null } as const;
  await database.accountChanges.addUsers(await database.accountChanges.insert(change), [
    { userId: author.id, deciders: 0 },
  ]);
  const aside = { score: 1, createdAt: 0, updatedAt: 0, window: null, changeId: 1 } as const;
  const unrated = await addPost(database, await addUser(database, "one more"));
  await database.transaction(() =>
    database.ratings.insert({ postId: unrated.id, userId: author.id, score: 1, window: null, now: 0 }),
  );
  await database.ratings.setAside(unrated.id, [{ ...aside, userId: author.id }]);
  const byPerson = { window: 1, at: morning, status: "counted", decidedBy: "person", ratings: 1 } as const;
  await database.floodWindows.recordDecision(2, { ...byPerson, userId: author.id });
  const attempt = { postId: 2, verb: "create", score: 1, allowed: true, held: false } as const;
  const unmeasured = { policy: null, reason: null, level: null };
  await database.attempts.insert({ ...attempt, ...unmeasured, userId: author.id, at: morning });
  database.sqlite.exec(`
    insert or ignore into disabled_ratings values (1, ${author.id}, 1, 0, 0, null);
    insert or ignore into waiting_ratings values (1, ${author.id}, 1, 0, 0, null), (2, ${author.id}, 1, 0, 0, null);
    insert into former_raters (post_id, user_id) values (1, ${author.id}), (2, ${author.id});
    insert into flood_windows (post_id, number, opened_at, last_at, usual_gap_ms, recent_gap_ms, status, decisions)
      values (1, 99, 0, 0, 1, 1, 'held', 0);
    insert into former_slugs values ('x', 1, 0);
    insert into tags (id, slug, name) values (99, 'x', 'x');
    insert into post_tags values (1, 99);
    insert into post_revisions (post_id, title, content, saved_at) values (1, 'x', 'x', 0);
    insert into replay_claims values (1, 'x', 0, 0);
    insert or ignore into shadow_counts values (1, 60000, 0, 'p', 1, 0, 0);
    insert or ignore into attempt_counts values (1, 60000, 0, 1, 0, 0, null, null)`);
  await addPost(database, { ...author, username: "author", isAdministrator: false, isModerator: false });
  expect(everyRow(database, "posts", post.id)).toEqual(
    referencesTo("posts", database).map(({ table }) => table),
  );
  expect(everyRow(database, "users", author.id)).toEqual(
    referencesTo("users", database).map(({ table }) => table),
  );
  await database.transaction(() => database.posts.markDeleted(post.id, morning));
  await database.transaction(() => database.users.markDeleted(author.id, morning));
  await removeAll({ database, scoring: scoringDefaults }, clock, { batch: 50, pauseMs: 0 });
  expect(everyRow(database, "posts", post.id)).toEqual([]);
  expect(everyRow(database, "users", author.id)).toEqual([]);
  expect(await database.removals.all()).toEqual([]);
  expect(await integrityFaults(database)).toEqual([]);
});

/** A post of an author and one of another, both rated by ten users. */
async function blog(database: SqliteDatabase = temporaryDatabase()) {
  const author = await addUser(database, "author", { isAdministrator: true });
  const users = await addUsers(database, 10);
  const context = contextOf(database, limits);
  const posts = [await addPost(database, author), await addPost(database, users[0] ?? author)];
  const rate = (slug: string, user: User) =>
    createRating(context, { slug, user, address, input: { score: user.id % 6 }, now: morning });
  for (const { slug } of posts) for (const user of users) await rate(slug, user);
  const [mine, theirs] = posts;
  if (!mine || !theirs) throw new Error("There are two posts.");
  return { database, context, author, users, mine, theirs, rate };
}

test("a deleted post is gone for readers at once, its slug is free, and each step removes one batch", async () => {
  const { database, context, author, mine, rate, users } = await blog();
  const outcome = await deletePost(context, { user: author, slug: mine.slug, now: morning });
  expect(outcome).toEqual({ kind: "deleted" });
  expect(await readPost(context, mine.slug, author)).toBeNull();
  expect((await listPosts(context, { sort: "top", limit: 9 }))?.items).toHaveLength(1);
  expect(await database.posts.recent(9)).toHaveLength(1);
  expect(await rate(mine.slug, users[1] ?? author)).toEqual({ kind: "no-such-post" });
  const input = { title: "A post", content: "Some words." };
  expect(await createPost(context, { user: author, address, input, now: morning })).toMatchObject({
    kind: "created",
    slug: mine.slug,
  });
  expect(await database.removals.all()).toMatchObject([{ kind: "post", ratings: 10, ratingsRemoved: 0 }]);
  await removeSome(context, morning, { batch: 4 });
  expect(await database.removals.all()).toMatchObject([{ ratings: 10, ratingsRemoved: 4 }]);
  expect(await integrityFaults(database)).toEqual([]);
  await removeAll(context, clock, atOnce);
  expect(await database.removals.all()).toEqual([]);
  expect(await integrityFaults(database)).toEqual([]);
});

test("a removal that fails holds up no other and no disabling, and is tried again later", async () => {
  const { database, context, author, mine, theirs, rate } = await blog();
  const late = await addUser(database, "late");
  const other = await addPost(database, author);
  await rate(other.slug, late);
  for (const { id } of [mine, theirs])
    await database.transaction(() => database.posts.markDeleted(id, morning));
  const input = { disabled: true, why: "A raid." };
  await setDisabled(context, { actor: author, username: "late", input, now: morning });
  database.sqlite.exec(
    `create temp trigger fails before delete on ratings when old.post_id = ${mine.id} begin select raise(abort, 'broken'); end`,
  );
  await expect(removeAll(context, clock, atOnce)).rejects.toThrow("broken");
  expect(await database.removals.all()).toMatchObject([{ subjectId: mine.id }]);
  expect((await database.posts.bySlug(other.slug))?.counts).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await database.accountChanges.isWaiting()).toBe(false);
  database.sqlite.exec("drop trigger fails");
  await removeAll(context, clock, atOnce);
  expect(await database.removals.all()).toEqual([]);
});

test("a deleted account is gone at once with its posts and name, and its ratings leave the scores", async () => {
  const { database, context, mine, theirs, users, author } = await blog();
  const [gone = author] = users;
  await database.transaction(() => database.users.markDeleted(gone.id, morning));
  expect(await readPost(context, theirs.slug, author)).toBeNull();
  expect((await listPosts(context, { sort: "newest", limit: 9 }))?.items).toHaveLength(1);
  expect(await profileOf(context, gone.username)).toBeNull();
  expect(await profileOf(context, `deleted ${gone.id}`)).toBeNull();
  expect((await database.users.all()).map(({ username }) => username)).not.toContain("");
  expect((await database.attempts.latest(mine.id, 20)).map(({ username }) => username)).toContain(null);
  const again = await addUser(database, gone.username);
  expect(again.id).not.toBe(gone.id);
  await removeAll(context, clock, atOnce);
  expect((await database.posts.bySlug(mine.slug))?.counts.reduce((sum, some) => sum + some)).toBe(9);
  expect(await database.users.all()).toHaveLength(11);
  expect(database.sqlite.prepare("select count(*) from users").pluck().get()).toBe(11);
  expect(await integrityFaults(database)).toEqual([]);
});

test("the only account's deletion makes the next one to register the first", async () => {
  const database = temporaryDatabase();
  const only = await addUser(database, "only", { isAdministrator: true });
  await database.transaction(() => database.users.markDeleted(only.id, morning));
  expect(await database.users.isFirst()).toBe(true);
});

test("continues where it was after kill -9, with exact counters at any moment", async () => {
  const url = temporaryDatabaseUrl();
  const { database, users, mine, author } = await blog(temporaryDatabase(url));
  for (const { id } of users.slice(0, 3))
    await database.transaction(() => database.users.markDeleted(id, morning));
  await database.transaction(() => database.posts.markDeleted(mine.id, morning));
  const child = join(import.meta.dirname, "../../testing/removal-child.ts");
  for (let round = 0; round < 2; round += 1) {
    const running = runChild(child, [url]);
    await running.printed(4 + 3 * round);
    running.kill("SIGKILL");
    await running.ended;
    expect(await integrityFaults(database)).toEqual([]);
    expect(await database.removals.all()).not.toEqual([]);
  }
  await removeAll({ database, scoring: scoringDefaults }, clock, atOnce);
  expect(await database.removals.all()).toEqual([]);
  const left = users.slice(3).map(({ id }) => id);
  expect((await database.users.all()).map(({ id }) => id)).toEqual([author.id, ...left]);
  expect(await integrityFaults(database)).toEqual([]);
});

/** A blog on PostgreSQL, with a second node and counters to check. */
async function nodes() {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const open = () => openPostgres(url, { timeouts: patientTimeouts });
  const [database, other] = [await open(), await open()];
  onTestFinished(async () => {
    await database.close();
    await other.close();
  });
  const author = await addUser(database, "author", { isAdministrator: true });
  const users = await addUsers(database, 8);
  const posts = [await addPost(database, author), await addPost(database, author)];
  const context = contextOf(database, limits);
  const rate = (user: User, slug = posts[0]?.slug ?? "") =>
    createRating(context, { slug, user, address, input: { score: 4 }, now: morning });
  for (const { slug } of posts) for (const user of users.slice(1)) await rate(user, slug);
  const faults = async () => {
    const { query, close } = await inspectPostgres(url);
    try {
      return await countersThatDisagree(query);
    } finally {
      await close();
    }
  };
  return { database, other, users, posts, rate, faults };
}

test("ratings and a post that their accounts' deletion overtakes are answered, not errors", async () => {
  const { database, other, users, posts, rate, faults } = await nodes();
  const [late, rater, leaver] = users;
  const [first, second] = posts;
  if (!late || !rater || !leaver || !first || !second) throw new Error("There are users and posts.");
  const context = contextOf(database, limits);
  const third = await addPost(database, await addUser(database, "another"));
  const request = (user: User, { slug }: { slug: string }) => {
    return { slug, user, address, input: { score: 5 }, now: morning };
  };
  const acts = [
    () => rate(late),
    () =>
      createPost(context, { user: late, address, input: { title: "Late", content: "Words." }, now: morning }),
    () => createRating({ ...context, newAccountMs: dayMs }, request(late, third)),
    () => updateRating(context, request(rater, second)),
    () => withdrawRating(context, { slug: second.slug, userId: leaver.id, now: morning }),
  ];
  let done: Promise<unknown>[] = [];
  await other.transaction(async () => {
    for (const { id } of [late, rater, leaver]) {
      await other.users.lock(id);
      await other.users.markDeleted(id, morning);
    }
    done = acts.map((act) => act());
    await expect.poll(() => database.poolFigures().busy).toBe(acts.length);
  });
  const overtaken = { kind: "not-logged-in" };
  expect(await Promise.all(done)).toEqual([...Array(4).fill(overtaken), { kind: "withdrawn" }]);
  await removeAll({ database, scoring: scoringDefaults }, clock, atOnce);
  expect(await rate(late)).toEqual(overtaken);
  expect(await faults()).toEqual([]);
});

test("a rating after its account's deletion in the same process is answered, not an error", async () => {
  const database = temporaryDatabase();
  const author = await addUser(database, "author", { isAdministrator: true });
  const { slug } = await addPost(database, author);
  const [user] = await addUsers(database, 1);
  if (!user) throw new Error("There is a user.");
  const context = contextOf(database, limits);
  const request = { slug, user, address, input: { score: 5 }, now: morning };
  const deleting = database.transaction(async () => {
    await database.users.lock(user.id);
    await database.users.markDeleted(user.id, morning);
  });
  const outcomes = [createRating(context, request), updateRating(context, request)];
  await deleting;
  expect(await Promise.all(outcomes)).toEqual(Array(2).fill({ kind: "not-logged-in" }));
  await removeAll({ database, scoring: scoringDefaults }, clock, atOnce);
  expect(await createRating(context, request)).toEqual({ kind: "not-logged-in" });
});

test("two nodes that remove at once share the work, and a removal that one works at holds up no other", async () => {
  const { database, other, users, posts, faults } = await nodes();
  for (const { id } of users.slice(0, 4))
    await database.transaction(async () => {
      await database.users.lock(id);
      await database.users.markDeleted(id, morning);
    });
  await database.transaction(() => database.posts.markDeleted(posts[1]?.id ?? 0, morning));
  await other.transaction(async () => {
    expect(await other.removals.claim()).toMatchObject({ kind: "post" });
    expect(await removeSome({ database, scoring: scoringDefaults }, morning)).toBe(true);
  });
  const small = { batch: 1, pauseMs: 1 };
  await Promise.all([
    removeAll({ database, scoring: scoringDefaults }, clock, small),
    removeAll({ database: other, scoring: scoringDefaults }, clock, small),
  ]);
  await removeAll({ database, scoring: scoringDefaults }, clock, small);
  expect(await database.removals.all()).toEqual([]);
  expect((await database.posts.bySlug(posts[0]?.slug ?? ""))?.counts).toEqual([0, 0, 0, 0, 4, 0]);
  expect(await faults()).toEqual([]);
});
