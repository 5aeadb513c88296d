import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { inspectPostgres } from "../../db/dialects/postgres/inspect.ts";
import type { Database } from "../../db/index.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import { runChild } from "../../testing/child-process.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { createRating, withdrawRating } from "../ratings/index.ts";
import { settledAt } from "../ratings/score/settled-score.ts";
import { scoringDefaults } from "../ratings/tally/tally.ts";
import { removeAll } from "../removals/index.ts";
import type { User } from "../users/index.ts";
import { accountsMaximum, changeSelected, latestChanges, moveSomeRatings, setDisabled } from "./index.ts";

const address = "192.0.2.1";
const minute = 60_000;
const limits = limitsWith({ LIMITS: '{"rating.post": {"mode": "off"}}', RATING_LIMITER: "none" });
const now = morning + 90 * minute;
const input = { disabled: true, why: "A raid." };

/**
 * Two posts, each rated by twenty users; odd ones give 5 and even ones 0.
 * A minute apart.
 */
async function blog(database: Database = temporaryDatabase()) {
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const users = await addUsers(database, 20);
  const context = contextOf(database, limits);
  const posts = [await addPost(database, keeper), await addPost(database, keeper)];
  const rate = (user: User, score: number, slug = posts[0]?.slug ?? "", at = now) =>
    createRating(context, { slug, user, address, input: { score }, now: at });
  for (const { slug } of posts)
    for (const [index, user] of users.entries())
      await rate(user, index % 2 ? 5 : 0, slug, morning + index * minute);
  const zeros = users.filter((_, index) => index % 2 === 0);
  return {
    database,
    context,
    keeper,
    users,
    zeros,
    posts,
    rate,
    /** Both posts' counters and settled scores. */
    async scores() {
      const found = [];
      for (const { slug } of posts) {
        const post = await database.posts.bySlug(slug);
        if (!post) throw new Error("The post is gone.");
        found.push({ counts: post.counts, settled: post.settled });
      }
      return found;
    },
    /** By the operator. */
    change: async (users: readonly User[], disabled: boolean, { dryRun = false } = {}) => {
      const usernames = users.map(({ username }) => username);
      const input = { usernames, disabled, why: "A raid.", dryRun };
      return changeSelected(context, { actor: null, input, now });
    },
    move: () => removeAll(context, () => now, { pauseMs: 0 }),
    days: async () => (await database.ratings.days(posts[0]?.id ?? 0)).map(({ counts }) => counts),
  };
}

test("disabled accounts leave no trace in counters and scores, and enabling restores them", async () => {
  const { database, zeros, users, scores, change, move, days, context, keeper } = await blog();
  const before = await scores();
  expect(await change(zeros, true)).toMatchObject({ ratings: 20, posts: 2, refused: [] });
  expect((await latestChanges(context, keeper)).changes[0]).toMatchObject({
    ratings: 20,
    ratingsMoved: 0,
    waiting: 10,
  });
  await move();
  const honest = await blog();
  await honest.database.transaction(async () => {
    for (const { id } of honest.zeros) await honest.database.users.markDeleted(id, now);
  });
  await honest.move();
  const expected = await honest.scores();
  expect((await scores()).map(({ counts }) => counts)).toEqual(expected.map(({ counts }) => counts));
  expect((await scores()).map(({ settled }) => settled.score)).toEqual([5, 5]);
  expect(await days()).toEqual([[0, 0, 0, 0, 0, 10]]);
  expect(await database.ratings.find(1, users[0]?.id ?? 0)).toBeUndefined();
  expect(await integrityFaults(temporaryDatabase(urlOf(database)))).toEqual([]);

  expect(await change(zeros, false)).toMatchObject({ ratings: 20, posts: 2 });
  await move();
  expect((await scores()).map(({ counts }) => counts)).toEqual(before.map(({ counts }) => counts));
  // To the last bit, as of the same moment.
  expect(await scores()).toEqual(
    before.map(({ counts, settled }) => ({ counts, settled: settledAt(settled, now, counts) })),
  );
  expect((await latestChanges(context, keeper)).changes).toMatchObject([
    { kind: "enable", accounts: 10, ratings: 20, ratingsMoved: 20, waiting: 0 },
    {
      kind: "disable",
      accounts: 10,
      ratings: 20,
      ratingsMoved: 20,
      waiting: 0,
      why: "A raid.",
      actor: "operator",
    },
  ]);
});

test("the ratings of disabled accounts leave the flood detector as withdrawn ones do", async () => {
  /**
   * A post with ten zeros at once; its detector's state before and after removal.
   */
  const detectorAround = async (
    takeAway: (made: Awaited<ReturnType<typeof blog>>, puppets: User[]) => unknown,
  ) => {
    const made = await blog();
    const { database, rate, posts } = made;
    const puppets: User[] = [];
    for (let number = 1; number <= 10; number += 1) puppets.push(await addUser(database, `puppet-${number}`));
    for (const puppet of puppets) await rate(puppet, 0);
    const detector = async () => (await database.tallies.find(posts[0]?.id ?? 0)).detector;
    const before = await detector();
    await takeAway(made, puppets);
    return { before, after: await detector() };
  };
  const disabled = await detectorAround(async ({ change, move }, puppets) => {
    await change(puppets, true);
    await move();
  });
  const withdrawn = await detectorAround(async ({ context, posts }, puppets) => {
    for (const { id } of puppets)
      await withdrawRating(context, { slug: posts[0]?.slug ?? "", userId: id, now });
  });
  expect(disabled).toEqual(withdrawn);
  expect(disabled.after).not.toEqual(disabled.before);
});

test("a dry run counts ratings and posts, and changes nothing", async () => {
  const { database, zeros, scores, change, move } = await blog();
  const before = await scores();
  expect(await change(zeros.slice(0, 3), true, { dryRun: true })).toMatchObject({ ratings: 6, posts: 2 });
  await move();
  expect(await scores()).toEqual(before);
  expect((await database.users.all()).every(({ disabledAt }) => disabledAt === null)).toBe(true);
  expect(await database.accountChanges.latest(9)).toEqual([]);
});

test("selects accounts by their time of registration, from one moment on and before another", async () => {
  const { context } = await blog();
  const between = (registeredFrom: string, registeredBefore: string) =>
    changeSelected(context, {
      actor: null,
      input: { disabled: true, dryRun: true, registeredFrom, registeredBefore },
      now,
    });
  expect(await between("2026-03-01", "2026-03-01T09:00Z")).toMatchObject({ usernames: [], ratings: 0 });
  expect(await between("2026-03-01T09:00Z", "2026-03-01T09:01Z")).toMatchObject({
    usernames: { length: 20 },
    ratings: 40,
    posts: 2,
    refused: ["keeper"],
  });
});

test("an account that is enabled while its ratings leave has all of them back", async () => {
  const { database, zeros, scores, change, move, context, rate } = await blog();
  const before = (await scores()).map(({ counts }) => counts);
  await change(zeros, true);
  await moveSomeRatings(context, now); // one post of two
  expect((await scores()).map(({ counts }) => counts)).not.toEqual(before);
  await change(zeros, false);
  // The user's actions before the rest is back replace their earlier ones.
  const [first, second] = zeros;
  if (!first || !second) throw new Error("There are users.");
  expect((await rate(first, 3)).kind).toBe("saved");
  expect((await rate(second, 4)).kind).toBe("saved");
  expect((await withdrawRating(context, { slug: "a-post", userId: second.id, now })).kind).toBe("withdrawn");
  await move();
  expect((await scores()).map(({ counts }) => counts)).toEqual([[8, 0, 0, 1, 0, 10], before[1]]);
  expect(await integrityFaults(temporaryDatabase(urlOf(database)))).toEqual([]);
});

test("an account that rates anew and is disabled before its ratings are back keeps the new rating", async () => {
  const { database, zeros, scores, change, move, rate } = await blog();
  const [user] = zeros;
  if (!user) throw new Error("There is a user.");
  await change([user], true);
  await move();
  await change([user], false);
  expect((await rate(user, 3)).kind).toBe("saved");
  await change([user], true);
  await move();
  expect((await scores()).map(({ counts }) => counts)).toEqual([
    [9, 0, 0, 0, 0, 10],
    [9, 0, 0, 0, 0, 10],
  ]);
  await change([user], false);
  await move();
  expect((await scores()).map(({ counts }) => counts)).toEqual([
    [9, 0, 0, 1, 0, 10],
    [10, 0, 0, 0, 0, 10],
  ]);
  expect(await integrityFaults(temporaryDatabase(urlOf(database)))).toEqual([]);
});

describe("many accounts at once", () => {
  const names = (users: readonly User[]) => users.map(({ username }) => username);

  test("are disabled once each by an administrator, and not at all when a name is unknown", async () => {
    const { context, keeper, zeros, scores, move } = await blog();
    const by = (actor: User, also: object) =>
      changeSelected(context, { actor, input: { ...input, ...also }, now });
    const two = zeros.slice(0, 2);
    const usernames = names([...two, ...two]);
    const found = { usernames: names(two), ratings: 4, posts: 2, refused: [] };
    expect(await by(keeper, { usernames, dryRun: true })).toEqual({ kind: "done", dryRun: true, ...found });
    expect(await by(keeper, { usernames: [...usernames, "nobody-here", "nor-here"] })).toEqual({
      kind: "invalid",
      errors: { usernames: ["There are no users nobody-here, nor-here. Nothing was changed."] },
    });
    expect((await latestChanges(context, keeper)).changes).toEqual([]);
    expect(await by(keeper, { usernames: [...usernames, "USER-1"] })).toEqual({
      kind: "done",
      dryRun: false,
      ...found,
    });
    await move();
    expect((await scores())[0]?.counts).toEqual([8, 0, 0, 0, 0, 10]);
    expect(await by(keeper, { usernames })).toMatchObject({ usernames: [], ratings: 0, posts: 0 });
    expect((await latestChanges(context, keeper)).changes).toMatchObject([
      { by: "keeper", accounts: 2, ratings: 4 },
    ]);
  });

  test("are changed by administrators only, and no administrator's is", async () => {
    const { database, context, keeper, users, rate } = await blog();
    const other = await addUser(database, "other", { isAdministrator: true });
    await rate(keeper, 5);
    const [user] = users;
    if (!user) throw new Error("There are users.");
    const usernames = ["keeper", "other", "user-1"];
    const by = (actor: User, dryRun: boolean) =>
      changeSelected(context, { actor, input: { ...input, usernames, dryRun }, now });
    for (const actor of [user, { ...user, isAdministrator: true }])
      expect(await by(actor, false)).toEqual({ kind: "forbidden" });
    // The keeper's own rating is not among those that would leave.
    const changed = { usernames: ["user-1"], refused: ["keeper", "other"], ratings: 2, posts: 2 };
    expect(await by(keeper, true)).toMatchObject(changed);
    expect(await by(keeper, false)).toMatchObject(changed);
    const operator = { actor: null, input: { disabled: true, usernames: ["other"] }, now };
    expect(await changeSelected(context, operator)).toMatchObject({ usernames: ["other"] });
    expect(await by(other, false)).toEqual({ kind: "forbidden" });
    const enabled = { actor: keeper, input: { ...input, disabled: false, usernames }, now };
    expect(await changeSelected(context, enabled)).toMatchObject({
      usernames: ["user-1"],
      refused: ["other"],
    });
    expect((await database.users.byUsernameKey("other"))?.disabledAt).toBe(now);
  });

  test("do not count the ratings of the last administrator, whose account stays unchanged, with and without a dry run", async () => {
    const { database, context, keeper, rate } = await blog();
    await addUser(database, "other", { isAdministrator: true });
    await rate(keeper, 5);
    const all = { disabled: true, usernames: ["other", "keeper", "user-1"] };
    for (const dryRun of [true, false])
      expect(await changeSelected(context, { actor: null, input: { ...all, dryRun }, now })).toMatchObject({
        usernames: ["keeper", "user-1"],
        refused: ["other"],
        ratings: 3,
        posts: 2,
      });
  });

  test("are changed exactly as they were seen, also when one is registered at that moment", async () => {
    const database = temporaryDatabase();
    const { context, keeper } = await blog(database);
    const seen: string[][] = [];
    const spans = { registeredFrom: "2026-03-01T09:00Z", registeredBefore: "2026-03-01T09:01Z" };
    const disable = (isConfirmed: boolean) =>
      changeSelected(context, {
        actor: keeper,
        input: { ...input, ...spans },
        now,
        isConfirmed: ({ usernames }) => {
          seen.push(usernames);
          const name = `late-${seen.length}`;
          database.sqlite.exec(`insert into users (username, username_key, email, email_key, password_hash, created_at)
            values ('${name}', '${name}', '${name}', '${name}', 'none', ${morning})`);
          return isConfirmed;
        },
      });
    expect(await disable(false)).toMatchObject({ dryRun: true, usernames: { length: 20 } });
    expect((await latestChanges(context, keeper)).changes).toEqual([]);
    const changed = await disable(true);
    expect(changed).toMatchObject({ dryRun: false, usernames: seen[1], refused: ["keeper"] });
    const disabled = (await database.users.all()).filter(({ disabledAt }) => disabledAt !== null);
    expect(disabled.map(({ username }) => username)).toEqual(seen[1]);
    expect(seen[1]).toContain("late-1");
    expect(seen[1]).not.toContain("late-2");
  });

  test.each([
    [{}, "usernames"],
    [{ usernames: [] }, "usernames"],
    [{ usernames: "user-1" }, "usernames"],
    [{ usernames: [1] }, "usernames"],
    [{ usernames: ["x".repeat(1_000)] }, "usernames"],
    [{ usernames: Array.from({ length: accountsMaximum + 1 }, () => "user-1") }, "usernames"],
    [{ usernames: ["user-1"], registeredFrom: "2026-03-01", registeredBefore: "2026-03-02" }, "usernames"],
    [{ registeredFrom: "2026-03-01" }, "usernames"],
    [{ registeredFrom: "2026-02-31", registeredBefore: "2026-03-02" }, "registeredFrom"],
    [{ registeredFrom: "2026-03-01", registeredBefore: "soon" }, "registeredBefore"],
    [{ usernames: ["user-1"], why: "" }, "why"],
    [{ usernames: ["user-1"], dryRun: "yes" }, "dryRun"],
  ])("are not changed by %j, with an error for the field", async (also, field) => {
    const { context, keeper } = await smallBlog();
    const outcome = await changeSelected(context, { actor: keeper, input: { ...input, ...also }, now });
    expect(outcome).toEqual({ kind: "invalid", errors: { [field]: [expect.any(String)] } });
  });

  test("are at most 10,000 for an administrator, by name or by time", async () => {
    const { database, context, keeper } = await smallBlog();
    database.sqlite.exec(`with recursive number(n) as (select 1 union all select n + 1 from number where n <= ${accountsMaximum})
      insert into users (username, username_key, email, email_key, password_hash, created_at)
      select n, n, n, n, 'none', ${now} from (select 'raider-' || n as n from number)`);
    const spans = { registeredFrom: "2026-03-01T10:30", registeredBefore: "2026-03-01T10:31Z" };
    const by = (also: object) =>
      changeSelected(context, { actor: keeper, input: { ...input, ...also }, now });
    expect(await by(spans)).toMatchObject({
      kind: "invalid",
      errors: { registeredBefore: [expect.stringContaining("More than 10,000 accounts")] },
    });
    const usernames = Array.from({ length: accountsMaximum }, (_, index) => `raider-${index + 1}`);
    expect(await by({ usernames })).toMatchObject({ kind: "done", usernames: { length: accountsMaximum } });
    expect(await by({ ...spans, disabled: false })).toMatchObject({ kind: "invalid" });
    expect((await latestChanges(context, keeper)).changes).toMatchObject([{ accounts: accountsMaximum }]);
  });
});

/** A database with an administrator and one user. */
async function smallBlog() {
  const database = temporaryDatabase();
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  await addUser(database, "user-1");
  return { database, context: { database }, keeper };
}

test("only an administrator disables, no administrator is disabled so, and it is recorded", async () => {
  const { database, context, keeper, users } = await blog();
  await addUser(database, "other", { isAdministrator: true });
  const [user] = users;
  if (!user) throw new Error("There are users.");
  const by = (actor: User, username: string, also: object = {}) =>
    setDisabled(context, { actor, username, input: { ...input, ...also }, now });
  expect(await by(user, "user-2")).toEqual({ kind: "forbidden" });
  expect(await by({ ...user, isAdministrator: true }, "user-2")).toEqual({ kind: "forbidden" });
  for (const username of ["keeper", "other"])
    expect(await by(keeper, username)).toEqual({ kind: "is-administrator" });
  expect(await by(keeper, "nobody-here")).toEqual({ kind: "no-such-user" });
  expect(await by(keeper, "user-2", { why: "" })).toMatchObject({ kind: "invalid" });
  expect(await by(keeper, "USER-2")).toEqual({ kind: "done", username: "user-2", ratings: 2 });
  expect((await latestChanges(context, user)).changes).toEqual([]);
  expect((await latestChanges(context, keeper)).changes).toMatchObject([
    { kind: "disable", by: "keeper", why: "A raid.", usernames: ["user-2"], accounts: 1 },
  ]);
});

test("continues where it was after kill -9, with exact counters at any moment", async () => {
  const url = temporaryDatabaseUrl();
  const { database, zeros, scores, change, move } = await blog(temporaryDatabase(url));
  await change(zeros, true);
  const running = runChild(join(import.meta.dirname, "../../testing/moving-child.ts"), [url]);
  await running.printed(1);
  running.kill("SIGKILL");
  await running.ended;
  expect(await integrityFaults(temporaryDatabase(url))).toEqual([]);
  await move();
  expect((await scores()).map(({ counts }) => counts)).toEqual([
    [0, 0, 0, 0, 0, 10],
    [0, 0, 0, 0, 0, 10],
  ]);
  expect(await database.accountChanges.isWaiting()).toBe(false);
  expect(await integrityFaults(temporaryDatabase(url))).toEqual([]);
});

test("a deleted account takes along the ratings that were set aside", async () => {
  const { database, zeros, change, move } = await blog();
  await change(zeros.slice(0, 1), true);
  await move();
  await database.transaction(() => database.users.markDeleted(zeros[0]?.id ?? 0, now));
  await move();
  expect(await database.removals.all()).toEqual([]);
  expect(await integrityFaults(temporaryDatabase(urlOf(database)))).toEqual([]);
});

test("a rating that races its account's disabling is refused, and none stays behind on two nodes", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const open = () => openPostgres(url, { timeouts: patientTimeouts });
  const [database, other] = [await open(), await open()];
  onTestFinished(async () => {
    await database.close();
    await other.close();
  });
  const { zeros, scores, change, rate, keeper, context } = await blog(database);
  const late = await addUser(database, "late");
  let rated: ReturnType<typeof rate> | undefined;
  await other.transaction(async () => {
    const disabling = { actor: keeper, username: "late", input, now };
    expect((await setDisabled({ database: other }, disabling)).kind).toBe("done");
    rated = rate(late, 0);
    await expect.poll(() => database.poolFigures().busy).toBe(1);
  });
  expect(await rated).toEqual({ kind: "not-logged-in" });
  await change(zeros, true);
  const steps = { pauseMs: 1 };
  const toggling = (async () => {
    for (const user of zeros.slice(0, 4)) await change([user], false);
  })();
  await Promise.all([
    removeAll(context, () => now, steps),
    removeAll({ database: other, scoring: scoringDefaults }, () => now, steps),
    toggling,
  ]);
  await removeAll(context, () => now, steps);
  expect(await database.accountChanges.isWaiting()).toBe(false);
  expect((await scores()).map(({ counts }) => counts)).toEqual([
    [4, 0, 0, 0, 0, 10],
    [4, 0, 0, 0, 0, 10],
  ]);
  const { query, close } = await inspectPostgres(url);
  expect(await countersThatDisagree(query)).toEqual([]);
  await close();
});

/** The address of a SQLite database that a test has made. */
function urlOf(database: Database): string {
  if (!("sqlite" in database)) throw new Error("This is not SQLite.");
  const { sqlite } = database;
  if (typeof sqlite !== "object" || sqlite === null || !("name" in sqlite)) throw new Error("No file.");
  return `file:${sqlite.name}`;
}
