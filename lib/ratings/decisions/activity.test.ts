import { expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../../testing/content.ts";
import { temporaryDatabase } from "../../../testing/database.ts";
import type { User } from "../../users/index.ts";
import { createRating } from "../index.ts";
import { scoringDefaults } from "../tally/tally.ts";
import { activityOf } from "./activity.ts";
import { decideWindow } from "./flood-window-decisions.ts";

async function blog(settings: Record<string, string> = {}) {
  const database = temporaryDatabase();
  const context = contextOf(database, limitsWith(settings));
  const author = await addUser(database, "author");
  const { slug } = await addPost(database, author, { title: "Watched" });
  const raters = await addUsers(database, 25);
  const rate = (user: User, score: number, now: number) =>
    createRating(context, { slug, user, address: "192.0.2.1", input: { score }, now });
  const flood = async (now: number, users = raters) => {
    for (const user of users) await rate(user, 0, now);
  };
  return { database, author, slug, raters, rate, flood };
}

test("shows a post's attempts to its author and administrators only", async () => {
  const { database, author, slug, raters } = await blog();
  const [stranger = author] = raters;
  const administrator = await addUser(database, "administrator", { isAdministrator: true });
  const seenBy = (user: User) =>
    activityOf({ database, scoring: scoringDefaults }, { slug, user, span: "all", now: morning });
  expect(await seenBy(stranger)).toEqual({ kind: "forbidden" });
  expect(await seenBy(author)).toMatchObject({ kind: "activity", isAuthor: true });
  expect(await seenBy(administrator)).toMatchObject({ kind: "activity", isAuthor: false });
  const nowhere = { slug: "nowhere", user: administrator, span: "all", now: morning } as const;
  expect(await activityOf({ database, scoring: scoringDefaults }, nowhere)).toEqual({ kind: "no-such-post" });
});

test("shows each rating's rater to deciders, and to the author neither names nor scores", async () => {
  const { database, author, slug, flood } = await blog();
  await flood(morning);
  const administrator = await addUser(database, "administrator", { isAdministrator: true });
  const seenBy = (user: User) =>
    activityOf({ database, scoring: scoringDefaults }, { slug, user, span: "hour", now: morning + 600_000 });
  const decider = await seenBy(administrator);
  if (decider.kind !== "activity") throw new Error(decider.kind);
  expect(decider.activity.latest[0]?.rater).toEqual({ username: "user-25", score: 0 });
  const outcome = await seenBy(author);
  if (outcome.kind !== "activity") throw new Error(outcome.kind);
  expect(outcome.activity.latest).toHaveLength(25);
  expect(outcome.activity.latest.every((attempt) => attempt.rater === undefined)).toBe(true);
  expect(JSON.stringify(outcome)).not.toMatch(/user-\d/);
});

test("shows a flood in its interval, with the full bucket and the reasons of the latest attempts", async () => {
  const { database, author, slug, flood } = await blog();
  await flood(morning);
  const outcome = await activityOf(
    { database, scoring: scoringDefaults },
    { slug, user: author, span: "hour", now: morning + 600_000 },
  );
  if (outcome.kind !== "activity") throw new Error(outcome.kind);
  const { intervals, intervalMs, latest } = outcome.activity;
  expect(outcome.title).toBe("Watched");
  expect(intervals.length * intervalMs).toBeGreaterThanOrEqual(3_600_000);
  expect(intervals.filter(({ highest }) => highest !== null)).toEqual([
    { from: morning, accepted: 20, held: 0, refused: 5, lowest: 0, highest: 20 },
  ]);
  expect(latest[0]).toMatchObject({ allowed: false, reason: { algorithm: "leaky-bucket", level: 20 } });
});

test("shows a token bucket's lowest level per interval", async () => {
  const { database, author, slug, raters, flood } = await blog({ RATING_LIMITER: "token-bucket" });
  await flood(morning);
  const outcome = await activityOf(
    { database, scoring: scoringDefaults },
    { slug, user: author, span: "hour", now: morning + 600_000 },
  );
  if (outcome.kind !== "activity") throw new Error(outcome.kind);
  expect(outcome.activity.intervals.filter(({ lowest }) => lowest !== null)).toEqual([
    { from: morning, accepted: 20, held: 0, refused: raters.length - 20, lowest: 0, highest: 20 },
  ]);
});

test("shows held attempts with their window and its decisions", async () => {
  const { database, author, slug, raters, rate, flood } = await blog({
    RATING_OVERFLOW: "hold",
    RATING_LIMITER: "leaky-bucket",
    LEAKY_BUCKET_CAPACITY: "5",
  });
  const [usual, many] = [raters.slice(0, 12), raters.slice(12)];
  for (const [index, user] of usual.entries()) await rate(user, 5, morning - (12 - index) * 3_600_000);
  await flood(morning, many);
  const now = morning + 600_000;
  const seen = async () => {
    const outcome = await activityOf(
      { database, scoring: scoringDefaults },
      { slug, user: author, span: "hour", now },
    );
    if (outcome.kind !== "activity") throw new Error(outcome.kind);
    return outcome;
  };
  const { activity, windows, counts, decisions } = await seen();
  expect(activity.intervals.filter(({ highest }) => highest !== null)).toMatchObject([
    { from: morning, accepted: 5, held: 8, refused: 0 },
  ]);
  expect(activity.latest[0]).toMatchObject({ allowed: true, held: true });
  // The run-up was within the limit and is in the window too.
  expect(windows).toMatchObject([{ number: 1, status: "held", counts: [13, 0, 0, 0, 0, 0] }]);
  expect(counts).toEqual([0, 0, 0, 0, 0, 12]);
  expect(decisions).toEqual([]);

  const input = { status: "excluded", why: "A raid.", after: 0 };
  const user = await addUser(database, "keeper", { isAdministrator: true });
  expect(
    await decideWindow({ database, scoring: scoringDefaults }, { slug, number: 1, user, input, now }),
  ).toEqual({
    kind: "decided",
  });
  expect(await seen()).toMatchObject({
    windows: [{ number: 1, status: "excluded" }],
    decisions: [{ window: 1, status: "excluded", username: "keeper", why: "A raid." }],
    accounts: [],
  });
  // A decider can change the decision, and still sees the raters.
  const asDecider = await activityOf(
    { database, scoring: scoringDefaults },
    { slug, user, span: "hour", now },
  );
  if (asDecider.kind !== "activity") throw new Error(asDecider.kind);
  const [accounts] = asDecider.accounts;
  expect(accounts?.raters.map(({ username }) => username).toSorted()).toEqual(
    many.map(({ username }) => username).toSorted(),
  );
});

test("leaves out attempts before the span, and is empty without attempts", async () => {
  const { database, author, slug, flood } = await blog();
  const empty = await activityOf(
    { database, scoring: scoringDefaults },
    { slug, user: author, span: "all", now: morning },
  );
  expect(empty.kind === "activity" && empty.activity.latest).toEqual([]);
  expect(empty.kind === "activity" && empty.activity.intervals.every(({ accepted }) => accepted === 0)).toBe(
    true,
  );
  await flood(morning);
  const later = { slug, user: author, now: morning + 2 * 3_600_000 };
  const accepted = async (span: "hour" | "day" | "all") => {
    const outcome = await activityOf({ database, scoring: scoringDefaults }, { ...later, span });
    return (
      outcome.kind === "activity" && outcome.activity.intervals.reduce((sum, each) => sum + each.accepted, 0)
    );
  };
  expect([await accepted("hour"), await accepted("day"), await accepted("all")]).toEqual([0, 20, 20]);
});
