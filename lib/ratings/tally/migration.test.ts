import { expect, test } from "vitest";
import { upgradedDatabases } from "../../../testing/both-databases.ts";
import { emptyReplay, type ReplayedRating, withReplayed } from "../score/replay.ts";
import type { Score } from "../score/score.ts";
import { settledAt, settlingDefaults } from "../score/settled-score.ts";
import { replayRequested } from "./background-replay.ts";
import { scoringDefaults } from "./tally.ts";

const hour = 3_600_000;
const now = 500 * hour;
const ratings: ReplayedRating[] = Array.from({ length: 40 }, (_, index) => ({
  userId: index + 1,
  // Pairs come at one instant.
  at: Math.floor(index / 2) * hour + 1,
  score: ([5, 4, 0] as const)[index % 3] ?? 5,
}));
/**
 * The number of a rating's window; null for none.
 * The last six fell in a window that counts, the seventh from the end in one that is excluded.
 */
const windowOf = ({ userId }: ReplayedRating) => (userId > 34 ? 1 : userId === 34 ? 2 : null);
const counted = ratings.filter((rating) => windowOf(rating) !== 2);
const countOf = (some: readonly ReplayedRating[], score: Score) =>
  some.filter((rating) => rating.score === score).length;

/** A blog of the release before the second law, in SQL for both databases. */
function firstLaw(): string {
  const users = ratings.map(
    ({ userId }) => `(${userId}, 'u${userId}', 'u${userId}', 'u${userId}', 'u${userId}', 'x', 0)`,
  );
  const rows = ratings.map(
    (rating) =>
      `(1, ${rating.userId}, ${rating.score}, ${rating.at}, ${rating.at}, ${windowOf(rating) ?? "null"})`,
  );
  const window = (number: number, some: readonly ReplayedRating[], status: string) =>
    `(1, ${number}, 1, 2, 3, 1, 1, ${countOf(some, 0)}, ${countOf(some, 4)}, ${countOf(some, 5)}, '${status}', 1, 4.5)`;
  const inWindow = (number: number) => ratings.filter((rating) => windowOf(rating) === number);
  return `
    insert into users (id, username, username_key, email, email_key, password_hash, created_at) values ${users.join()};
    insert into posts (id, slug, title, author_id, created_at, updated_at, count_0, count_4, count_5, settled_score,
      settled_speed, settled_at, rater_count, first_rated_at, last_rater_at, window_count)
      values (1, 'rated', 'Rated', 1, 0, 0, ${countOf(counted, 0)}, ${countOf(counted, 4)}, ${countOf(counted, 5)}, 4.5,
      0.25, ${90 * hour}, 50, 1, ${80 * hour}, 2);
    insert into posts (id, slug, title, author_id, created_at, updated_at) values (2, 'unrated', 'Unrated', 1, 0, 0);
    insert into ratings (post_id, user_id, score, created_at, updated_at, "window") values ${rows.join()};
    insert into flood_windows (post_id, number, opened_at, last_at, closed_at, usual_gap_ms, recent_gap_ms, count_0,
      count_4, count_5, status, decisions, settled_before) values ${window(1, inWindow(1), "counted")},
      ${window(2, inWindow(2), "excluded")};
  `;
}

function fail(error: unknown): never {
  throw error;
}

const states: unknown[] = [];

test.each(upgradedDatabases)(
  "a blog of the first law in %s keeps its scores, and is replayed by the second",
  async (_, open) => {
    const database = await open("second_law", firstLaw());
    const before = (await database.tallies.find(1)).settled;
    // The mean lies below the score, so the speed towards it becomes a downward velocity.
    expect(before).toMatchObject({ score: 4.5, velocity: -0.25, raters: 50 });
    expect(await database.replays.waiting(9)).toEqual([{ postId: 1, at: 0 }]);

    expect(await replayRequested(database, () => now, scoringDefaults, fail)).toBe(1);
    const { settled, counts } = await database.tallies.find(1);
    const replayed = withReplayed(emptyReplay, counted, settlingDefaults);
    expect(counts).toEqual(replayed.counts);
    expect(settled).toEqual(settledAt(replayed.settled, now, counts));
    expect(settled.raters).toBe(counted.length);
    expect(await replayRequested(database, () => now, scoringDefaults, fail)).toBe(0);
    expect((await database.tallies.find(2)).settled.score).toBeNull();
    states.push(settled);
    // Bit for bit the same in both databases.
    for (const state of states) expect(state).toEqual(settled);
  },
);
