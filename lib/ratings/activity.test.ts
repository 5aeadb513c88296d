import { expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { activityOf } from "./activity.ts";
import { createRating } from "./index.ts";

async function blog(settings: Record<string, string> = {}) {
  const database = temporaryDatabase();
  const context = contextOf(database, limitsWith(settings));
  const author = addUser(database, "author");
  const { slug } = await addPost(database, author, { title: "Watched" });
  const raters = addUsers(database, 25);
  const flood = async (now: number) => {
    for (const user of raters)
      await createRating(context, { slug, user, address: "192.0.2.1", input: { score: 0 }, now });
  };
  return { database, author, slug, raters, flood };
}

test("Only the author sees a post's attempts, not even an administrator", async () => {
  const { database, slug, raters } = await blog();
  const [stranger] = raters;
  const administrator = addUser(database, "administrator", { isAdministrator: true });
  for (const user of stranger ? [stranger, administrator] : [])
    expect(activityOf({ database }, { slug, user, span: "all", now: morning })).toEqual({
      kind: "forbidden",
    });
  expect(
    activityOf({ database }, { slug: "nowhere", user: administrator, span: "all", now: morning }),
  ).toEqual({
    kind: "no-such-post",
  });
});

test("A flood shows as accepted and refused in its interval, with the bucket full, and the latest say why", async () => {
  const { database, author, slug, flood } = await blog();
  await flood(morning);
  const outcome = activityOf({ database }, { slug, user: author, span: "hour", now: morning + 600_000 });
  if (outcome.kind !== "activity") throw new Error(outcome.kind);
  const { intervals, intervalMs, latest } = outcome.activity;
  expect(outcome.title).toBe("Watched");
  expect(intervals.length * intervalMs).toBeGreaterThanOrEqual(3_600_000);
  expect(intervals.filter(({ highest }) => highest !== null)).toEqual([
    { from: morning, accepted: 20, refused: 5, lowest: 0, highest: 20 },
  ]);
  expect(latest[0]).toMatchObject({ allowed: false, reason: { algorithm: "leaky-bucket", level: 20 } });
});

test("Of a token bucket the lowest level in an interval tells that it ran empty", async () => {
  const { database, author, slug, raters, flood } = await blog({ RATING_LIMITER: "token-bucket" });
  await flood(morning);
  const outcome = activityOf({ database }, { slug, user: author, span: "hour", now: morning + 600_000 });
  if (outcome.kind !== "activity") throw new Error(outcome.kind);
  expect(outcome.activity.intervals.filter(({ lowest }) => lowest !== null)).toEqual([
    { from: morning, accepted: 20, refused: raters.length - 20, lowest: 0, highest: 20 },
  ]);
});

test("A span leaves out what was before it, and a post that nobody tried to rate has an empty chart", async () => {
  const { database, author, slug, flood } = await blog();
  const empty = activityOf({ database }, { slug, user: author, span: "all", now: morning });
  expect(empty.kind === "activity" && empty.activity.latest).toEqual([]);
  expect(empty.kind === "activity" && empty.activity.intervals.every(({ accepted }) => accepted === 0)).toBe(
    true,
  );
  await flood(morning);
  const later = { slug, user: author, now: morning + 2 * 3_600_000 };
  const accepted = (span: "hour" | "day" | "all") => {
    const outcome = activityOf({ database }, { ...later, span });
    return (
      outcome.kind === "activity" && outcome.activity.intervals.reduce((sum, each) => sum + each.accepted, 0)
    );
  };
  expect([accepted("hour"), accepted("day"), accepted("all")]).toEqual([0, 20, 20]);
});
