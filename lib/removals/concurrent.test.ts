import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { addPost, addUser } from "../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";

test("rows that another removal removes meanwhile are not taken for the last ones", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const sql = postgres(url, { max: 2, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const database = await openPostgres(url, { timeouts: patientTimeouts });
  onTestFinished(() => database.close());
  const author = await addUser(database, "author");
  const rater = await addUser(database, "rater");
  const posts = [await addPost(database, author), await addPost(database, author)];
  for (const { id } of posts)
    await sql`insert into former_raters (post_id, user_id) values (${id}, ${rater.id})`;

  const other = await sql.reserve();
  onTestFinished(() => other.release());
  await other`begin`;
  // The row that a search without locks finds first.
  await other`delete from former_raters where ctid in (select ctid from former_raters where user_id = ${rater.id} limit 1)`;
  const removing = database.transaction(() => database.removals.removeOfUser(rater.id, 1));
  const waiting = () =>
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting()).length).toBe(1);
  await other`commit`;
  expect(await removing).toBe(1);
  expect(await sql`select 1 from former_raters`).toHaveLength(0);
});
