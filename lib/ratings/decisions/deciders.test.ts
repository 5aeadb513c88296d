import { expect, onTestFinished, test } from "vitest";
import { userNamed } from "../../../db/contract/setting.ts";
import { openPostgres } from "../../../db/dialects/postgres/index.ts";
import type { Database, FloodWindow } from "../../../db/index.ts";
import { password, sessionFor } from "../../../testing/accounts.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../../testing/content.ts";
import { temporaryDatabase } from "../../../testing/database.ts";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import { changeSelected, setDisabled } from "../../account-changes/index.ts";
import type { Limits } from "../../limits/index.ts";
import { dayMs } from "../../time/units.ts";
import { decideAccounts } from "../../users/approvals.ts";
import { deleteAccount } from "../../users/index.ts";
import { createAccount, listUsers, setRoleByOperator } from "../../users/manage.ts";
import { changeRole, type PersonRole } from "../../users/people.ts";
import type { User } from "../../users/types.ts";
import { createRating } from "../index.ts";
import { activityOf } from "./activity.ts";
import { decideWindow, floodsOf } from "./flood-window-decisions.ts";
import { requestedReviews, requestReview } from "./review-requests.ts";
import { undecidedFloods } from "./undecided-floods.ts";

const address = "192.0.2.1";
const held: FloodWindow = {
  number: 1,
  openedAt: morning,
  lastAt: morning,
  closedAt: morning,
  usualGapMs: 60_000,
  recentGapMs: 10,
  counts: [0, 0, 0, 0, 0, 0],
  status: "held",
  decidedBy: null,
  decisions: 0,
};

/** A post by an author with this role, and held windows on it. */
async function flooded(
  role: { isAdministrator?: boolean; isModerator?: boolean } = {},
  { database = temporaryDatabase() as Database, windows = 1, limits = limitsWith() as Limits } = {},
) {
  const author = await addUser(database, "author", role);
  const { id, slug } = await addPost(database, author);
  await database.transaction(async () => {
    const tally = await database.tallies.find(id);
    await database.tallies.save(id, { ...tally, windowCount: windows });
    for (let number = 1; number <= windows; number += 1)
      await database.floodWindows.save(id, { ...held, number });
  });
  const context = contextOf(database, limits);
  const post = async () => {
    const found = await database.posts.bySlug(slug);
    if (!found) throw new Error("The post is gone.");
    return found;
  };
  return {
    database,
    context,
    author,
    slug,
    decide: (user: User, { status = "excluded", after = 0, number = 1, now = morning + 1 } = {}) =>
      decideWindow(context, {
        slug,
        number,
        user,
        input: { status, why: "A channel called for zeros.", after },
        now,
      }),
    request: (user: User, { number = 1, why = "A raid.", now = morning + 1 } = {}) =>
      requestReview(context, { slug, number, user, address, input: { why }, now }),
    floods: async () => floodsOf(context, await post()),
    requests: async () => {
      const keeper = await addUser(database, "reader of requests", { isAdministrator: true });
      const { items } = await requestedReviews(context, keeper, { limit: 9 });
      return items.map(({ request }) => request);
    },
  };
}

/** Gives a user a role, as an administrator does. */
function setRole(
  context: Context,
  { role, ...request }: { actor: User; username: string; role: PersonRole; now: number },
) {
  return changeRole(context, { ...request, input: { role, why: "It helps." } });
}

test("an author of any role does not decide on a flood of their own post", async () => {
  for (const role of [{}, { isModerator: true }, { isAdministrator: true }]) {
    const { database, author, decide, floods } = await flooded(role);
    await addUser(database, "another", { isAdministrator: true });
    expect(await decide(author)).toEqual({ kind: "forbidden" });
    expect((await floods()).windows[0]).toMatchObject({ status: "held", decisions: 0 });
  }
});

test.each<[change: string, ChangeModerator]>([
  ["demotes", (context, actor, now) => setRole(context, { actor, username: "other", role: "reader", now })],
  [
    "disables",
    (context, actor, now) =>
      setDisabled(context, { actor, username: "other", input: { disabled: true, why: "I can." }, now }),
  ],
])(
  "an administrator who %s the only moderator does not decide on a flood of their own post",
  async (_, change) => {
    const begun = await flooded({ isAdministrator: true });
    await addUser(begun.database, "other", { isModerator: true });
    await change(begun.context, begun.author, morning + 1);
    expect(await begun.decide(begun.author)).toEqual({ kind: "forbidden" });
    expect(await begun.decide(begun.author, { now: morning + 400 * dayMs })).toEqual({ kind: "forbidden" });
    expect(await begun.request(begun.author)).toEqual({ kind: "requested" });
    // Not even when the moderator's account is gone.
    const gone = await begun.database.users.byUsernameKey("other");
    await begun.database.transaction(() => begun.database.users.remove(gone?.id ?? 0));
    expect(await begun.decide(begun.author)).toEqual({ kind: "forbidden" });

    for (const [days, expected] of [
      [29, "forbidden"],
      [31, "decided"],
    ] as const) {
      const later = await flooded({ isAdministrator: true });
      await addUser(later.database, "other", { isModerator: true });
      await change(later.context, later.author, morning - days * dayMs);
      expect((await later.decide(later.author)).kind, `${days} days before the flood`).toBe(expected);
    }
  },
);

type Context = Awaited<ReturnType<typeof flooded>>["context"];
type ChangeModerator = (context: Context, actor: User, now: number) => Promise<{ kind: string }>;

test("an administrator who rejects the only moderator, named while waiting, does not decide on their own post", async () => {
  const { database, context, author, decide } = await flooded({ isAdministrator: true });
  const id = await database.users.insert(userNamed("other", { pendingSince: morning - dayMs }));
  await setRoleByOperator(context, { username: "other", role: "moderator", given: true, now: morning - 1 });
  const rejection = { actor: author, ids: [id], approve: false, now: morning + 1 };
  await decideAccounts(context, rejection);
  expect(await decide(author)).toEqual({ kind: "forbidden" });
  expect(await decide({ ...author, id })).toEqual({ kind: "decided" });
});

test("an administrator who was disabled together with the only moderator does not decide on their own post", async () => {
  const { database, context, author, decide } = await flooded();
  await addUser(database, "keeper", { isAdministrator: true });
  await addUser(database, "other", { isModerator: true });
  const change = (disabled: boolean, usernames: string[]) =>
    changeSelected(context, {
      actor: null,
      input: { disabled, why: "A raid.", usernames },
      now: morning + 1,
    });
  await setRoleByOperator(context, { username: "keeper", role: "administrator", given: true, now: morning });
  await change(true, ["author", "other"]);
  await change(false, ["author"]);
  await setRoleByOperator(context, {
    username: "author",
    role: "administrator",
    given: true,
    now: morning + 2,
  });
  await setRoleByOperator(context, {
    username: "keeper",
    role: "administrator",
    given: false,
    now: morning - 40 * dayMs,
  });
  expect(await decide(author)).toEqual({ kind: "forbidden" });
});

test("an administrator who takes over from a deleted administrator does not decide on their own post", async () => {
  const { database, context, author, decide } = await flooded();
  const account = { username: "keeper", email: "keeper@example.org", password };
  const made = await createAccount(context, { input: account, isAdministrator: true, now: morning });
  const user = made.kind === "registered" ? made.user : expect.fail(made.kind);
  const session = await sessionFor(context, user);
  const deletion = { session, input: { currentPassword: password }, address, now: morning + 1 };
  expect(await deleteAccount(context, deletion)).toEqual({ kind: "deleted" });
  expect((await database.users.byId(author.id))?.isAdministrator).toBe(true);
  expect(await decide(author)).toEqual({ kind: "forbidden" });
});

test("an author who lost and regained the role shortly before the flood may still decide alone", async () => {
  const { database, context, author, decide } = await flooded({ isAdministrator: true });
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  for (const isAdministrator of [false, true])
    await setRoleByOperator(context, {
      username: "author",
      role: "administrator",
      given: isAdministrator,
      now: morning - 1,
    });
  await setRoleByOperator(context, {
    username: "keeper",
    role: "administrator",
    given: false,
    now: morning - 31 * dayMs,
  });
  expect(await decide(keeper)).toEqual({ kind: "forbidden" });
  expect(await decide(author)).toEqual({ kind: "decided" });
});

test("a moderator who was made one by the author after the flood began does not decide on it", async () => {
  const { database, context, author, slug, decide } = await flooded({ isAdministrator: true });
  // Windows without ratings are not listed.
  const postId = (await database.posts.idOf(slug))?.id ?? expect.fail("no post");
  await database.floodWindows.save(postId, { ...held, counts: [40, 0, 0, 0, 0, 0] });
  const puppet = await addUser(database, "puppet");
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const name = (actor: User, role: PersonRole, now: number) =>
    setRole(context, { actor, username: "puppet", role, now });
  await name(author, "moderator", morning + 1);
  expect(await decide(puppet)).toEqual({ kind: "forbidden" });
  const decidedOnBy = async (user: User) =>
    (await undecidedFloods(context, user)).floods.map(({ mayDecide }) => mayDecide);
  expect(await decidedOnBy({ ...puppet, isModerator: true })).toEqual([]);
  expect(await decidedOnBy(keeper)).toEqual([true]);
  expect(await decidedOnBy(author)).toEqual([false]);
  // A role that changes no right to decide takes no right away.
  await setRole(context, { actor: author, username: "keeper", role: "moderator", now: morning + 1 });
  expect(await decide(keeper)).toEqual({ kind: "decided" });
  await name(author, "reader", morning + 2);
  await name(author, "moderator", morning - 1);
  expect((await decide(puppet, { after: 1 })).kind).toBe("forbidden");
  const early = await flooded({ isAdministrator: true });
  const friend = await addUser(early.database, "friend");
  const naming = { actor: early.author, username: "friend", role: "moderator", now: morning - 1 } as const;
  await setRole(early.context, naming);
  expect(await early.decide(friend)).toEqual({ kind: "decided" });
});

test("a moderator made by the author after the flood sees only later attempts with their raters", async () => {
  const { database, context, author, slug } = await flooded({ isAdministrator: true });
  const puppet = await addUser(database, "puppet");
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  for (const [name, now] of [
    ["early", morning],
    ["late", morning + 2],
  ] as const) {
    const user = await addUser(database, name);
    await createRating(context, { slug, user, address, input: { score: 0 }, now });
  }
  const input = { role: "moderator", why: "Mine." };
  await changeRole(context, { actor: author, username: "puppet", input, now: morning + 1 });
  const ratersSeenBy = async (user: User) => {
    const seen = await activityOf(context, { slug, user, span: "day", now: morning + 3 });
    if (seen.kind !== "activity") return expect.fail(seen.kind);
    return seen.activity.latest.map(({ rater }) => rater?.username);
  };
  expect(await ratersSeenBy(keeper)).toEqual(["late", "early"]);
  expect(await ratersSeenBy({ ...puppet, isModerator: true })).toEqual(["late", undefined]);
});

test("a disabled account that the author made a moderator after the flood began does not decide on it", async () => {
  const { database, context, author, decide } = await flooded({ isAdministrator: true });
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const puppet = await addUser(database, "puppet");
  const change = (disabled: boolean) =>
    changeSelected(context, {
      actor: keeper,
      input: { disabled, why: "A raid.", usernames: ["puppet"] },
      now: morning + 2,
    });
  await change(true);
  await setRole(context, { actor: author, username: "puppet", role: "moderator", now: morning + 1 });
  await change(false);
  expect(await decide(puppet)).toEqual({ kind: "forbidden" });
});

test("an administrator decides on their own post when no other person can, and readers see that", async () => {
  const { author, decide, floods, request } = await flooded({ isAdministrator: true });
  expect(await request(author)).toEqual({ kind: "forbidden" });
  expect(await decide(author)).toEqual({ kind: "decided" });
  expect(await floods()).toMatchObject({
    decider: null, // no rating is excluded
    decisions: [{ role: "author-administrator", username: "author", why: "A channel called for zeros." }],
  });
});

test("a moderator decides on other authors' posts, and sees the activity of those with a flood only", async () => {
  const { database, context, decide, floods, slug } = await flooded();
  const moderator = await addUser(database, "moderator", { isModerator: true });
  const reader = await addUser(database, "reader");
  expect(await decide(reader)).toEqual({ kind: "forbidden" });
  const seen = (user: typeof reader) => activityOf(context, { slug, user, span: "day", now: morning });
  expect(await seen(reader)).toEqual({ kind: "forbidden" });
  expect(await seen(moderator)).toMatchObject({ kind: "activity", decisionRight: { role: "moderator" } });
  const calm = await addPost(database, await addUser(database, "calm author"), { title: "Calm" });
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const seenCalm = (user: typeof reader) =>
    activityOf(context, { slug: calm.slug, user, span: "day", now: morning });
  expect(await seenCalm(moderator)).toEqual({ kind: "forbidden" });
  expect((await seenCalm(keeper)).kind).toBe("activity");
  expect(await decide(moderator)).toEqual({ kind: "decided" });
  expect((await floods()).decisions).toMatchObject([{ role: "moderator", username: "moderator" }]);
});

test("a withdrawn role ends at once, also in running sessions", async () => {
  const { database, context, decide } = await flooded();
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const moderator = await addUser(database, "moderator", { isModerator: true });
  await setRole(context, { actor: keeper, username: "MODERATOR", role: "reader", now: morning });
  expect(await decide(moderator)).toEqual({ kind: "forbidden" });
  const second = await addUser(database, "second", { isAdministrator: true });
  await setRoleByOperator(context, { username: "keeper", role: "administrator", given: false, now: morning });
  expect(await decide(keeper)).toEqual({ kind: "forbidden" });
  const change = { actor: keeper, username: "moderator", role: "moderator", now: morning } as const;
  expect(await setRole(context, change)).toEqual({ kind: "forbidden" });
  expect(await setRole(context, { ...change, actor: second, username: "x" })).toEqual({
    kind: "no-such-user",
  });
  await setRoleByOperator(context, { username: "moderator", role: "moderator", given: true, now: morning });
  expect((await listUsers(context)).filter(({ isModerator }) => isModerator)).toMatchObject([
    { username: "moderator" },
  ]);
  expect(await decide(moderator)).toEqual({ kind: "decided" });
});

test("a decision that waits for a post counts the moderator's role as it is by then", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const open = () => openPostgres(url, { timeouts: patientTimeouts });
  const [database, other] = [await open(), await open()];
  onTestFinished(async () => {
    await database.close();
    await other.close();
  });
  const { decide, slug } = await flooded({}, { database });
  const moderator = await addUser(database, "moderator", { isModerator: true });
  let decided: ReturnType<typeof decide> | undefined;
  await other.transaction(async () => {
    await other.posts.lock(slug);
    await other.users.setModerator(moderator.id, false);
    decided = decide(moderator);
    await expect.poll(() => database.poolFigures().busy).toBe(1);
  });
  expect(await decided).toEqual({ kind: "forbidden" });
});

test("an author requests a review once for each window, and a decision answers it", async () => {
  const { database, author, request, requests, decide } = await flooded({}, { windows: 2 });
  const decider = await addUser(database, "decider", { isModerator: true });
  expect(await request(author)).toEqual({ kind: "requested" });
  expect(await request(author, { why: "Again." })).toEqual({ kind: "already-requested" });
  expect(await request(author, { number: 2, why: "Mine.", now: morning + 5 })).toEqual({ kind: "requested" });
  expect(await requests()).toEqual([
    { window: 2, at: morning + 5, why: "Mine." },
    { window: 1, at: morning + 1, why: "A raid." },
  ]);
  expect(await decide(decider)).toEqual({ kind: "decided" });
  // The status may stay as it is.
  expect(await request(author)).toEqual({ kind: "requested" });
  expect(await decide(decider, { after: 1 })).toEqual({ kind: "decided" });
  expect(await database.reviewRequests.openOf(1)).toMatchObject([{ window: 2 }]);
});

test("only the author requests a review, of existing windows, with a reason of at most 500 characters", async () => {
  const { database, author, request, requests } = await flooded();
  const reader = await addUser(database, "reader");
  expect(await request(reader)).toEqual({ kind: "forbidden" });
  for (const number of [0, 2, -1, 1.5])
    expect(await request(author, { number })).toEqual({ kind: "no-such-window" });
  for (const why of ["", " \n", "x".repeat(501)])
    expect(await request(author, { why })).toMatchObject({ kind: "invalid", errors: { why: [/Reason/] } });
  expect(await requests()).toEqual([]);
});

test("one account sends no more requests than its limit, and two at one moment open one", async () => {
  const limits = limitsWith({ LIMITS: '{"review.user": {"capacity": 2, "leakPerSecond": 0.001}}' });
  const { author, request, requests } = await flooded({}, { windows: 3, limits });
  const both = await Promise.all([request(author), request(author)]);
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(["already-requested", "requested"]);
  expect(await request(author, { number: 2 })).toEqual({ kind: "requested" });
  expect(await request(author, { number: 3 })).toMatchObject({ kind: "limited" });
  expect(await requests()).toHaveLength(2);
});

test("lists requests for administrators and moderators, without a decision on the viewer's own post", async () => {
  const { database, context, author, request } = await flooded({ isModerator: true });
  await addUser(database, "keeper", { isAdministrator: true });
  await request(author);
  expect((await requestedReviews(context, author, { limit: 9 })).items).toMatchObject([
    { mayDecide: false, author: "author" },
  ]);
  const reader = await addUser(database, "reader");
  expect((await requestedReviews(context, reader, { limit: 9 })).items).toEqual([]);
});

test("pages of requests reach all of them, also those of one moment", async () => {
  const { database, context, author, request } = await flooded({}, { windows: 5 });
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  for (const number of [1, 2, 3, 4, 5]) await request(author, { number });
  const numbers: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = await requestedReviews(context, keeper, { limit: 2, cursor });
    numbers.push(page.items.map(({ window }) => window.number));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(numbers).toEqual([[5, 4], [3, 2], [1]]);
});
