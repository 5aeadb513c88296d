import { expect, test } from "vitest";
import { upgradedDatabases } from "../../testing/both-databases.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const at = Date.UTC(2026, 2, 1, 9);

const blog = `
  insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (1, 'a', 'a', 'a', 'a', 'x', 0), (2, 'b', 'b', 'b', 'b', 'x', 0);
  insert into posts (id, slug, title, author_id, created_at, updated_at) values (1, 'rated', 'Rated', 1, 0, 0);
  insert into attempts (id, post_id, user_id, at, verb, score, allowed, held, policy, reason, level) values
    (1, 1, 1, ${at - 90 * 24 * hourMs}, 'create', 5, true, false, 'p', '{"n":1}', 1.5),
    (2, 1, 2, ${at}, 'create', 1, true, false, 'p', '{"n":2}', 0.5),
    (3, 1, 2, ${at + 1_000}, 'update', 2, false, false, 'p', '{"n":3}', 3),
    (4, 1, 2, ${at + 31_000}, 'update', 3, false, false, 'p', '{"n":4}', 2),
    (5, 1, 2, ${at + 59_999}, 'update', 4, true, true, 'p', '{"n":5}', null),
    (6, 1, 2, ${at + minuteMs}, 'update', 5, false, false, null, null, null),
    (7, 1, null, ${at + minuteMs}, 'create', 0, false, false, null, null, null),
    (8, 1, null, ${at + minuteMs + 500}, 'create', 0, false, false, null, null, null);
  insert into shadow_decisions (attempt_id, policy, allowed, reason) values
    (1, 's', true, '{}'), (3, 's', true, '{"n":3}'), (4, 's', false, '{"n":4}'), (5, 's', true, '{}');
`;

test.each(upgradedDatabases)(
  "a blog on %s from before attempts were counted by minute keeps their numbers, reasons and charts",
  async (_, open) => {
    const database = await open("attempts_per_minute", blog);
    const { attempts } = database;
    const rows = await attempts.latest(1, 9);
    expect(
      rows.map(({ id, at: last, count, lastedMs, score }) => [id, last - at, count, lastedMs, score]),
    ).toEqual([
      [8, minuteMs + 500, 2, 500, 0],
      [6, minuteMs, 1, 0, 5],
      [5, 59_999, 1, 0, 4],
      [4, 31_000, 2, 30_000, 3],
      [2, 0, 1, 0, 1],
      [1, -90 * 24 * hourMs, 1, 0, 5],
    ]);
    expect(rows[3]).toMatchObject({
      username: "b",
      reason: { n: 4 },
      shadows: [{ allowed: false, reason: { n: 4 } }],
    });
    const tenYearsMs = 87_660 * hourMs;
    expect(await attempts.perInterval(1, 0, tenYearsMs)).toEqual([
      { interval: 5, accepted: 2, held: 1, refused: 5, lowest: 0.5, highest: 3 },
    ]);
    expect(await attempts.disagreements(1, 0, tenYearsMs)).toEqual([
      { policy: "s", interval: 5, wouldRefuse: 0, wouldAccept: 2, agreed: 2 },
    ]);
    // Minutes of the last two days.
    expect(await attempts.perInterval(1, 0, minuteMs)).toMatchObject([
      { accepted: 1, held: 1, refused: 2, lowest: 0.5, highest: 3 },
      { accepted: 0, held: 0, refused: 3, lowest: null },
    ]);
    expect(await attempts.disagreements(1, at, minuteMs)).toEqual([
      { policy: "s", interval: 0, wouldRefuse: 0, wouldAccept: 2, agreed: 1 },
    ]);
    // The next attempt joins the row of its minute.
    const next = {
      postId: 1,
      userId: 2,
      verb: "update",
      allowed: false,
      held: false,
      policy: "p",
      reason: null,
    } as const;
    await attempts.insert({ ...next, at: at + 59_000, score: 0, level: 9 });
    expect((await attempts.latest(1, 9)).find(({ id }) => id === 4)).toMatchObject({
      count: 3,
      lastedMs: 58_000,
    });
  },
);
