import fc from "fast-check";
import { expect, test } from "vitest";
import { anyScore, hour, minute, morning, seeded } from "../../../testing/settled-post.ts";
import { TalliedPost } from "../tally/tallied-post.ts";
import { scoringDefaults, withReplay } from "../tally/tally.ts";
import { emptyReplay, type ReplayedRating, replayOrder, withReplayed } from "./replay.ts";
import { settlingDefaults, unrated } from "./settled-score.ts";

const ratingsOf = fc.array(fc.record({ gapMs: fc.nat({ max: 6 * hour }), score: anyScore }), {
  maxLength: 60,
});

function timed(ratings: readonly { gapMs: number; score: ReplayedRating["score"] }[]): ReplayedRating[] {
  let at = morning;
  return ratings.map(({ gapMs, score }, userId) => {
    at += gapMs;
    return { at, score, userId };
  });
}

test("a replay of ratings that were only given is the state that they left, bit for bit", () => {
  fc.assert(
    fc.property(ratingsOf, (given) => {
      const post = new TalliedPost();
      for (const { at, userId, score } of timed(given)) post.rate(at, userId, score);
      const { settled, counts } = withReplayed(emptyReplay, timed(given), settlingDefaults);
      expect(settled).toEqual(post.tally.settled);
      expect(counts).toEqual(post.tally.counts);
    }),
    seeded,
  );
});

test("a replay in parts is the same as in one", () => {
  fc.assert(
    fc.property(ratingsOf, fc.nat({ max: 60 }), (given, cut) => {
      const ratings = timed(given);
      const first = withReplayed(emptyReplay, ratings.slice(0, cut), settlingDefaults);
      expect(withReplayed(first, ratings.slice(cut), settlingDefaults)).toEqual(
        withReplayed(emptyReplay, ratings, settlingDefaults),
      );
    }),
    seeded,
  );
});

test("ratings at one instant are replayed in the order of their users", () => {
  const rating = (at: number, userId: number): ReplayedRating => ({ at, userId, score: 1 });
  const [early, low, high] = [rating(1, 9), rating(2, 3), rating(2, 30)];
  expect([high, low, early].toSorted(replayOrder)).toEqual([early, low, high]);
});

test("a post without counted ratings is as if it had never been rated", () => {
  const post = new TalliedPost();
  post.rate(morning, 1, 0);
  post.withdraw(morning + hour, 1);
  expect(post.tally.settled).toEqual({ ...unrated, at: morning + hour });
  expect(withReplay(post.tally, morning + hour, [], scoringDefaults)).toEqual(post.tally);
});

test("a withdrawal leaves no trace while at most 500 ratings remain, and only moves the mean above that", () => {
  const post = new TalliedPost();
  for (let user = 0; user < 499; user += 1) post.rate(morning + user * minute, user, user % 2 ? 5 : 3);
  const without = post.copy();
  const now = morning + 500 * minute;
  for (const user of [1_000, 1_001]) post.rate(now, user, 0);
  post.withdraw(now, 1_000);
  expect(post.replays).toBe(1);
  post.withdraw(now, 1_001);
  without.replay(now);
  expect({ ...post.tally, detector: null }).toEqual({ ...without.tally, detector: null });
  for (const user of [1_000, 1_001, 1_002]) post.rate(now, user, 0);
  const { replays } = post;
  post.withdraw(now, 1_000);
  expect(post.replays).toBe(replays);
});

test("a changed rating acts in a replay when it was changed", () => {
  const post = new TalliedPost();
  for (let user = 0; user < 30; user += 1) post.rate(morning + user * hour, user, 5);
  for (let user = 0; user < 10; user += 1) post.rate(morning + 40 * hour, user, 0);
  post.rate(morning + 41 * hour, 99, 4);
  post.withdraw(morning + 41 * hour, 99);
  const arrivals = new TalliedPost();
  for (let user = 10; user < 30; user += 1) arrivals.rate(morning + user * hour, user, 5);
  for (let user = 0; user < 10; user += 1) arrivals.rate(morning + 40 * hour, user, 0);
  expect(post.scoreAt(morning + 50 * hour)).toBe(arrivals.scoreAt(morning + 50 * hour));
});
