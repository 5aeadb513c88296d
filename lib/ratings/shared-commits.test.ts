import { expect, test } from "vitest";
import { killRaters } from "../../bench/faults/kills.ts";
import { prepareRaters } from "../../bench/faults/raters.ts";
import { commitsIn } from "../../testing/commits.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { createRating } from "./index.ts";

test("saves 32 ratings at once, and refuses and records others among them, in one commit", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url, { joinWindowMs: Number.POSITIVE_INFINITY });
  const limits = limitsWith({ LEAKY_BUCKET_CAPACITY: "32" });
  const context = contextOf(database, limits);
  const { slug, id } = await addPost(database, await addUser(database, "author"));
  const raters = await addUsers(database, 40);
  const before = commitsIn(url);
  const outcomes = await Promise.all(
    raters.map((user) =>
      createRating(context, { slug, user, address: "192.0.2.1", input: { score: 5 }, now: morning }),
    ),
  );
  expect(commitsIn(url) - before).toBe(1);
  expect(outcomes.map(({ kind }) => kind)).toEqual([...Array(32).fill("saved"), ...Array(8).fill("limited")]);
  expect((await database.posts.bySlug(slug))?.counts).toEqual([0, 0, 0, 0, 0, 32]);
  expect(await database.attempts.latest(id, 50)).toHaveLength(40);
  expect(await integrityFaults(database)).toEqual([]);
});

test("loses no acknowledged rating of 32 concurrent ones when the process is killed", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const raters = await prepareRaters(database, url, { posts: 4, inFlight: 32 });
  const result = await killRaters(database, raters, 2, () => integrityFaults(database));
  expect(result).toMatchObject({ lost: 0, faults: 0 });
  expect(result.acknowledged).toBeGreaterThan(0);
});
