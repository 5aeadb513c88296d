import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";

test("keeps a deleted post's image that another post begins to use meanwhile", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const open = async () => {
    const opened = await openPostgres(url, { timeouts: patientTimeouts });
    onTestFinished(() => opened.close());
    return opened;
  };
  const [database, other] = [await open(), await open()];
  const author = await addUser(database, "author");
  const [deleted, kept] = [await addPost(database, author), await addPost(database, author)];
  const file = { width: 1, height: 1, isAnimated: false, bytes: 1, alt: "", createdAt: morning };
  const id = await database.media.insert({ ...file, userId: author.id, name: "bell" });
  await database.media.saveUses(deleted.id, ["bell"]);

  const noted = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const using = other.transaction(async () => {
    await other.media.saveUses(kept.id, ["bell"]);
    noted.resolve();
    await gate.promise;
  });
  await noted.promise;
  const removing = database.transaction(() => database.removals.removeOfPost(deleted.id, 9));
  const waiting = () =>
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting()).length).toBe(1);
  gate.resolve();
  await using;
  await removing;
  expect(await database.media.byId(id)).toBeDefined();
  expect((await database.media.usesOf([id], { drafts: true })).map(({ slug }) => slug)).toContain(kept.slug);
});
