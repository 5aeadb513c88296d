import { expect, test } from "vitest";
import { upgradedDatabases } from "../../testing/both-databases.ts";
import { scoringDefaults } from "../ratings/tally/tally.ts";
import { removeAll } from "../removals/index.ts";
import { changesPerPage } from "./index.ts";

const hour = 3_600_000;
const now = 500 * hour;
const raters = Array.from({ length: 20 }, (_, index) => index + 1);
/**
 * Accounts that an earlier version disabled.
 * It left their ratings, of 0 stars, in place.
 */
const disabledBefore = [1, 2, 3];
/** An account whose ratings are being moved, by the change with the number 7. */
const beingMoved = 4;
const isZero = (id: number) => disabledBefore.includes(id) || id === beingMoved;

/** A blog in SQL that both databases understand. */
function blog(): string {
  const users = raters.map((id) => {
    const disabledAt = isZero(id) ? hour : "null";
    const changeId = id === beingMoved ? 7 : "null";
    return `(${id}, 'u${id}', 'u${id}', 'u${id}', 'u${id}', 'x', 0, ${disabledAt}, ${changeId})`;
  });
  const ratings = raters.map((id) => `(1, ${id}, ${isZero(id) ? 0 : 5}, ${id * hour}, ${id * hour})`);
  const zeros = disabledBefore.length + 1;
  return `
    insert into users (id, username, username_key, email, email_key, password_hash, created_at, disabled_at, change_id)
      values ${users.join()};
    insert into posts (id, slug, title, author_id, created_at, updated_at, count_0, count_5, settled_score, settled_at,
      rater_count, first_rated_at, last_rater_at)
      values (1, 'rated', 'Rated', 20, 0, 0, ${zeros}, ${20 - zeros}, 4, ${20 * hour}, 20, ${hour}, ${20 * hour});
    insert into ratings (post_id, user_id, score, created_at, updated_at) values ${ratings.join()};
    insert into rating_days (post_id, day, count_0, count_5) values (1, 0, ${zeros}, ${20 - zeros});
    insert into account_changes (id, kind, at, why, ratings) values (7, 'disable', ${hour}, 'Recorded.', 1);
    insert into account_change_users (change_id, user_id) values (7, ${beingMoved});
  `;
}

/** The number of the next change is PostgreSQL's own. */
function numbered(database: string, text: string): string {
  return database === "PostgreSQL" ? `${text} select setval('account_changes_id_seq', 7);` : text;
}

test.each(upgradedDatabases)(
  "accounts that were disabled before an upgrade leave the scores after it, in %s",
  async (name, open) => {
    const database = await open("replay_claims", numbered(name, blog()));
    expect((await database.tallies.find(1)).counts[0]).toBe(4);
    expect(await database.accountChanges.latest(changesPerPage)).toMatchObject([
      {
        id: 8,
        kind: "disable",
        actor: "upgrade",
        by: null,
        accounts: 3,
        ratings: 3,
        ratingsMoved: 0,
        waiting: 3,
      },
      { id: 7, actor: null, accounts: 1, waiting: 1 },
    ]);
    await removeAll({ database, scoring: scoringDefaults }, () => now, { pauseMs: 0 });
    const { counts, settled } = await database.tallies.find(1);
    expect(counts).toEqual([0, 0, 0, 0, 0, 16]);
    expect(settled.score).toBe(5);
    expect(await database.accountChanges.latest(changesPerPage)).toMatchObject([
      { id: 8, ratingsMoved: 3, waiting: 0 },
      { id: 7, ratingsMoved: 1, waiting: 0 },
    ]);
  },
);

test("an upgrade of a blog without disabled accounts records no change", async () => {
  const [[, open]] = upgradedDatabases;
  const database = await open("replay_claims", "");
  expect(await database.accountChanges.latest(changesPerPage)).toEqual([]);
});

/** Changes by an earlier version: rejections and roles by an administrator, 1. */
const changesBefore = `
  insert into users (id, username, username_key, email, email_key, password_hash, created_at, is_moderator, pending_since)
    values (1, 'a', 'a', 'a', 'a', 'x', 0, false, null), (2, 'b', 'b', 'b', 'b', 'x', 0, true, ${hour}),
      (3, 'c', 'c', 'c', 'c', 'x', 0, false, ${hour});
  insert into account_changes (id, kind, at, by_user_id, deciders, removed_names)
    values (1, 'make-moderator', 1, 1, 1, null), (2, 'remove-moderator', 2, null, -1, null),
      (3, 'reject', 3, null, 0, 'x
y'), (4, 'disable', 4, 1, -1, null);
  insert into account_change_users (change_id, user_id) values (1, 2), (2, 3), (4, 1), (4, 2);
`;

test.each(upgradedDatabases)(
  "changes of accounts from before an upgrade keep their known fields, in %s",
  async (name, open) => {
    const database = await open("audit_of_accounts", numbered(name, changesBefore));
    const { accountChanges, users } = database;
    expect(await accountChanges.latest(changesPerPage)).toMatchObject([
      { id: 4, actor: "administrator", accounts: 2 },
      { id: 3, actor: "administrator", accounts: 2 },
      { id: 2, actor: null, accounts: 1 },
      { id: 1, actor: "administrator", accounts: 1 },
    ]);
    expect(await accountChanges.lastMadeDecider(2, 1)).toBe(1);
    // The last one took the right of an unknown user, so of another person.
    expect(await accountChanges.lastDeciderLost(1)).toBe(4);
    // A moderator no longer waits for approval; others do.
    expect((await users.pending(9)).map(({ id }) => id)).toEqual([3]);
  },
);
