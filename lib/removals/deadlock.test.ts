import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { scoringDefaults } from "../ratings/tally/tally.ts";
import { removeSome } from "./index.ts";

test("a step of a removal that PostgreSQL ends because of a deadlock runs again, as a whole and once", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const sql = postgres(url, { max: 4, onnotice: () => {} });
  onTestFinished(() => sql.end());
  await sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '20ms'`);
  const reasons: string[] = [];
  const database = await openPostgres(url, {
    timeouts: patientTimeouts,
    onRetry: (reason) => reasons.push(reason),
  });
  onTestFinished(() => database.close());
  const author = await addUser(database, "author");
  const posts = [
    await addPost(database, author),
    await addPost(database, author),
    await addPost(database, author),
  ];
  const [first, second, third] = posts.map(({ id }) => id);
  if (!first || !second || !third) throw new Error("There are three posts.");
  await database.transaction(() => database.users.markDeleted(author.id, morning));

  const lock = async (tx: postgres.ReservedSql, id: number) =>
    void (await tx`select 1 from posts where id = ${id} for update`);
  const waiting = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    ).length;
  const [other, gate] = [await sql.reserve(), await sql.reserve()];
  // Never the one that is ended: the removal is.
  await other`set deadlock_timeout = '10min'`;
  await other`begin`;
  await gate`begin`;
  await lock(other, third);
  await lock(gate, second);
  const failed = new Set<number>();
  const removing = removeSome({ database, scoring: scoringDefaults }, morning, { failed });
  await expect.poll(waiting).toBe(1); // the removal has the first post, and waits at the second
  const waits = lock(other, first);
  await expect.poll(waiting).toBe(2);
  await gate`commit`;
  // The removal now waits for the third post, and its owner for the first.
  await waits;
  await other`commit`;
  expect(await removing).toBe(true);
  expect(new Set(reasons)).toEqual(new Set(["deadlock"]));
  expect(failed).toEqual(new Set());
  const removals = await database.removals.all();
  expect(removals.map(({ kind, subjectId }) => [kind, subjectId])).toEqual([
    ["account", author.id],
    ...posts.map(({ id }) => ["post", id]),
  ]);
  other.release();
  gate.release();
});
