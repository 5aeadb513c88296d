import { expect, onTestFinished, test } from "vitest";
import { killRaters } from "../../bench/faults/kills.ts";
import { prepareRaters } from "../../bench/faults/raters.ts";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { inspect } from "../../db/inspect.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import { allRows, differences } from "../../testing/commit-order/rows.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { setDisabled } from "../account-changes/index.ts";
import { memoryStore } from "../limiter/index.ts";
import type { User } from "../users/index.ts";
import { createRating, updateRating, withdrawRating } from "./index.ts";

const raters = 30;

/** A blog on PostgreSQL, where ratings are given `together` or one after the other. */
async function blog(environment: Record<string, string>, isInMemory: boolean, together: boolean) {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const database = await openPostgres(url, { timeouts: patientTimeouts, poolSize: 1 });
  onTestFinished(() => database.close());
  const run = async (text: string) => (await database.run(text)).rows;
  /**
   * All rows.
   * Not the times from which limiter states may be pruned: they depend on which of them were written.
   */
  const rows = async () => {
    await run("update limiter_states set expires_at = 0");
    return allRows(run);
  };
  const store = isInMemory ? memoryStore({ clock: () => morning }) : undefined;
  const context = contextOf(database, limitsWith(environment), { store });
  const author = await addUser(database, "author", { isAdministrator: true });
  const { slug, id: postId } = await addPost(database, author);
  const users = await addUsers(database, raters);
  async function all(rate: typeof createRating, by: readonly User[], now: number) {
    const outcomes: Awaited<ReturnType<typeof rate>>[] = [];
    const ratings = by.map((user, index) => async () => {
      const input = { score: (user.id + now) % 6 };
      const address = `192.0.2.${index % 3}`;
      outcomes[index] = await rate(context, { slug, user, address, input, now: now + index * 100 });
    });
    if (together) await Promise.all(ratings.map((each) => each()));
    else for (const each of ratings) await each();
    return outcomes;
  }
  return { database, context, run, author, slug, postId, users, all, rows };
}

test.each([
  { environment: {}, states: "in the database" },
  { environment: { LEAKY_BUCKET_CAPACITY: "100" }, states: "in the database" },
  { environment: { LEAKY_BUCKET_CAPACITY: "100" }, states: "in memory" },
  { environment: { RATING_OVERFLOW: "hold", LEAKY_BUCKET_CAPACITY: "12" }, states: "in the database" },
  { environment: { RATING_OVERFLOW: "hold", LEAKY_BUCKET_CAPACITY: "12" }, states: "in memory" },
])(
  "ratings that share a commit leave the same rows as one after the other ($environment, states $states)",
  async ({ environment, states }) => {
    async function history(together: boolean) {
      const { database, context, run, author, slug, postId, users, all, rows } = await blog(
        environment,
        states === "in memory",
        together,
      );
      const outcomes = [await all(createRating, users, morning)];
      // A savepoint counts as one: a rating that queries others' ratings sends the rows of those before it.
      const transactions = (await run("select distinct xmin::text from ratings")).length;
      const [first, second, third, ...others] = users;
      if (!first || !second || !third) throw new Error("There are users");
      const input = { disabled: true, why: "" };
      const { username } = second;
      await setDisabled(context, { actor: author, username, input, now: morning + 60_000 });
      // With the states in memory a user's second rating waits until the first one is committed.
      const again = states === "in memory" ? [] : [first, third, third];
      outcomes.push(await all(updateRating, [first, ...others, second, third, ...again], morning + 90_000));
      for (const { id: userId } of [first, third])
        await withdrawRating(context, { slug, userId, now: morning + 3_600_000 });
      outcomes.push(
        await all(createRating, [...others, third, second, first, ...again], morning + 7_200_000),
      );
      await database.posts.setUnpublishedAt(postId, morning);
      outcomes.push(await all(updateRating, users, morning + 7_300_000));
      return { outcomes, transactions, rows: await rows() };
    }
    const [shared, single] = [await history(true), await history(false)];
    expect(shared.outcomes).toEqual(single.outcomes);
    expect(differences(shared.rows, single.rows)).toEqual([]);
    expect(shared.transactions).toBeLessThan(4);
    expect(single.transactions).toBeGreaterThan(10);
  },
);

test("loses no acknowledged rating of 32 concurrent ones of a post when the process is killed", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const database = await openPostgres(url, { timeouts: patientTimeouts });
  onTestFinished(() => database.close());
  const raters = await prepareRaters(database, url, { posts: 1, inFlight: 32 });
  const { query, close } = await inspect(url);
  onTestFinished(close);
  const result = await killRaters(database, raters, 3, () => countersThatDisagree(query));
  expect(result).toMatchObject({ lost: 0, faults: 0 });
  expect(result.acknowledged).toBeGreaterThan(0);
});
