import { expect, test } from "vitest";
import { upgradedDatabases } from "../../testing/both-databases.ts";

const at = Date.UTC(2026, 2, 1, 9);

/** A counted rating, a waiting one and a pending account, all without a network. */
const blog = `
  insert into users (id, username, username_key, email, email_key, password_hash, created_at, pending_since)
    values (1, 'a', 'a', 'a', 'a', 'x', ${at}, null), (2, 'b', 'b', 'b', 'b', 'x', ${at}, null),
    (3, 'c', 'c', 'c', 'c', 'x', ${at}, ${at});
  insert into posts (id, slug, title, author_id, created_at, updated_at, count_5) values (1, 'rated', 'Rated', 1, 0, 0, 1);
  insert into ratings (post_id, user_id, score, created_at, updated_at) values (1, 1, 5, ${at}, ${at});
  insert into attempts (id, post_id, user_id, at, verb, score, allowed) values (1, 1, 1, ${at}, 'create', 5, true);
  insert into waiting_ratings (post_id, user_id, score, created_at, counts_from) values (1, 2, 4, ${at}, ${at + 1});
`;

test.each(upgradedDatabases)(
  "ratings and accounts on %s from before networks were kept have no network, and new ones have one",
  async (_, open) => {
    const database = await open("pending_networks", blog);
    const { attempts, ratings, transaction, users, waitingRatings } = database;
    expect(await ratings.raters(1, null, 9)).toMatchObject([{ at, registeredAt: at, network: null }]);
    expect(await waitingRatings.find(1, 2)).toEqual({
      score: 4,
      createdAt: at,
      countsFrom: at + 1,
      network: null,
    });
    expect(await waitingRatings.due(at + 1, 9)).toMatchObject([{ userId: 2 }]);
    expect(await users.pending(9)).toMatchObject([{ username: "c", network: null }]);
    expect(await users.countPending({ network: "n" })).toBe(0);

    // The change of an old rating, a minute later.
    const change = { postId: 1, userId: 1, verb: "update", score: 3, allowed: true, held: false } as const;
    const saved = { score: 5, createdAt: at, window: null } as const;
    await transaction(async () => {
      await ratings.update({ postId: 1, userId: 1, score: 3, window: null, now: at + 60_000 }, saved);
      await attempts.insert({
        ...change,
        at: at + 60_000,
        policy: null,
        reason: null,
        level: null,
        network: "n",
      });
    });
    expect(await ratings.raters(1, null, 9)).toMatchObject([
      { at: at + 60_000, registeredAt: at, network: "n" },
    ]);
    const waiting = {
      postId: 1,
      userId: 3,
      score: 2,
      createdAt: at,
      countsFrom: at + 2,
      network: "n",
    } as const;
    await waitingRatings.save(waiting);
    expect(await waitingRatings.find(1, 3)).toMatchObject({ network: "n" });
  },
);
