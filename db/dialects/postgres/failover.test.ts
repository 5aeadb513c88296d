/**
 * A standby takes over, and the pool moves to it.
 * Both are behind an address that led to the primary.
 */
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../../scripts/cluster/start-postgres.ts";
import { addUser } from "../../../testing/content.ts";
import { patientTimeouts } from "../../../testing/postgres-server.ts";
import { startSwitch } from "../../../testing/switch.ts";
import { openPostgres } from "./index.ts";

/** A primary, its standby, and a pool of connections to the primary's address. */
async function replicated() {
  const primary = await stoppedAfterTest(startPostgres());
  const url = new URL(await primary.newDatabase());
  const name = url.pathname.slice(1);
  const standby = await stoppedAfterTest(startPostgres({ standbyOf: primary }));
  const address = await startSwitch();
  onTestFinished(() => address.stop());
  address.pointTo(primary.port);
  url.port = String(address.port);
  const database = await openPostgres(url.href, { poolSize: 3, timeouts: patientTimeouts });
  onTestFinished(() => database.close());
  await addUser(database, "before");
  await expect.poll(() => countUsers(standby.url(name))).toBe(1);
  const succeeds = (work: () => Promise<unknown>) =>
    work().then(
      () => true,
      () => false,
    );
  return {
    primary,
    standby,
    address,
    /** The check of `/readyz`. */
    isReady: () => succeeds(database.ping),
    /** Whether the user is saved; an answer may be lost. */
    writes: () =>
      succeeds(async () => {
        if (!(await database.users.byUsernameKey("after"))) await addUser(database, "after");
      }),
    usernames: async () => (await database.users.all()).map(({ username }) => username),
  };
}

async function stoppedAfterTest(starting: Promise<PostgresServer>): Promise<PostgresServer> {
  const server = await starting;
  onTestFinished(() => server.stop());
  return server;
}

/** Undefined as long as there is no such table. */
async function countUsers(url: string): Promise<number | undefined> {
  const sql = postgres(url, { max: 1 });
  const [row] = await sql`select count(*)::int as count from users`.catch(() => []);
  await sql.end();
  return row?.count;
}

test("is not ready from the primary's end until its standby is promoted, and writes to that one", async () => {
  const { primary, standby, address, isReady, writes, usernames } = await replicated();
  await expect.poll(isReady).toBe(true);
  await primary.kill9();
  expect(await isReady()).toBe(false);
  address.pointTo(standby.port);
  expect(await isReady()).toBe(false);
  await standby.promote();
  await expect.poll(isReady).toBe(true);
  await expect.poll(writes).toBe(true);
  expect(await usernames()).toEqual(["before", "after"]);
});

test("leaves an old primary that has become read-only, though its connections stay open", async () => {
  const { primary, standby, address, isReady, writes, usernames } = await replicated();
  const old = postgres(primary.url("postgres"), { max: 1 });
  await old`alter system set default_transaction_read_only = on`;
  await old`select pg_reload_conf()`;
  await old.end();
  await standby.promote();
  address.pointNewTo(standby.port);
  await expect.poll(isReady).toBe(true);
  await expect.poll(writes).toBe(true);
  expect(await usernames()).toEqual(["before", "after"]);
});
