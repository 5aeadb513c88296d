import { expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../../testing/content.ts";
import { temporaryDatabase } from "../../../testing/database.ts";
import type { DecidedStatus } from "../floods/flood-window.ts";
import { createRating } from "../index.ts";
import { publicScore } from "../tally/public-score.ts";
import { scoringDefaults } from "../tally/tally.ts";
import { activityOf } from "./activity.ts";
import { decideWindow } from "./flood-window-decisions.ts";

const minute = 60_000;
const liked = [5, 4, 5, 3, 5, 4, 2, 5, 4, 5];

/** A post with 60 ratings, ten minutes apart, and then 40 zeros in four seconds. */
async function floodedPost() {
  const database = temporaryDatabase();
  database.sqlite.pragma("synchronous = OFF"); // no power failure is tested here
  const author = await addUser(database, "author");
  const decider = await addUser(database, "decider", { isModerator: true });
  const { slug, id } = await addPost(database, author);
  const context = contextOf(database, limitsWith({ RATING_OVERFLOW: "hold" }));
  let now = morning;
  for (const [index, user] of (await addUsers(database, 100)).entries()) {
    now += index <= 60 ? 10 * minute : 100;
    const score = index < 60 ? (liked[index % 10] ?? 5) : 0;
    await createRating(context, { slug, user, address: "192.0.2.1", input: { score }, now });
  }
  const later = now + 1_440 * minute;
  return {
    previews: async (at: number) => {
      const outcome = await activityOf(
        { database, scoring: scoringDefaults },
        { slug, user: decider, span: "all", now: at },
      );
      if (outcome.kind !== "activity") throw new Error(outcome.kind);
      return outcome.previews;
    },
    decide: async (status: DecidedStatus, after: number, at: number) =>
      decideWindow(context, {
        slug,
        number: 1,
        user: decider,
        input: { status, why: "So.", after },
        now: at,
      }),
    score: async (at: number) => {
      const post = await database.posts.bySlug(slug);
      if (!post) throw new Error("The post is gone.");
      return publicScore(post, at, scoringDefaults);
    },
    request: () => database.reviewRequests.insert(id, { window: 1, at: later, why: "Look." }),
    later,
  };
}

test.each(["counted", "excluded"] as const)(
  "the preview of a held flood that is %s equals the score afterwards",
  async (status) => {
    const { previews, decide, score, later } = await floodedPost();
    const [preview] = await previews(later);
    expect(preview).toMatchObject({ window: 1, now: { score: (await score(later)).settled } });
    expect(await decide(status, 0, later)).toEqual({ kind: "decided" });
    const after = await score(later);
    expect(preview?.[status]).toMatchObject({ score: after.settled, average: after.average });
    const { arrivesAt } = preview?.[status] ?? {};
    if (status === "counted") {
      expect(preview?.counted.average).toBeCloseTo(2.52, 5);
      // There at the promised time, and not before.
      expect((await score((arrivesAt ?? 0) + 1)).settled).toBeCloseTo(after.average ?? 0, 6);
      expect((await score(later + ((arrivesAt ?? 0) - later) * 0.9)).settled).toBeGreaterThan(
        (after.average ?? 0) + 0.01,
      );
    } else expect(arrivesAt).toBeNull();
  },
);

test("a flood with a final decision has a preview only while a review is requested, and it is exact", async () => {
  const { previews, decide, score, request, later } = await floodedPost();
  await decide("excluded", 0, later);
  expect(await previews(later)).toEqual([]);
  await request();
  const [preview] = await previews(later + minute);
  expect(preview?.excluded).toEqual(preview?.now);
  await decide("counted", 1, later + minute);
  const after = await score(later + minute);
  expect(preview?.counted).toMatchObject({ score: after.settled, average: after.average });
});
