/** One PostgreSQL server for the tests of a process, with databases to use once. */
import type { Timeouts } from "../db/dialects/postgres/client.ts";
import { openPostgres } from "../db/dialects/postgres/index.ts";
import { type PostgresServer, startPostgres } from "../scripts/cluster/start-postgres.ts";

const patientMs = 600_000;
/** So long that a busy machine fails no query, for tests of something else. */
export const patientTimeouts: Timeouts = {
  connect: patientMs,
  query: patientMs,
  freeConnection: patientMs,
  lockKey: patientMs,
  joining: patientMs,
  work: patientMs,
  connectionLife: patientMs,
  server: {
    lock_timeout: patientMs,
    statement_timeout: patientMs,
    idle_in_transaction_session_timeout: patientMs,
  },
};

interface SharedPostgres extends Pick<PostgresServer, "url" | "newDatabase"> {
  /** A database with the app's empty tables, copied from one that was migrated once. */
  newMigratedDatabase(): Promise<string>;
}

let shared: Promise<SharedPostgres> | undefined;

/**
 * The server for all tests of a process that need only databases.
 * It has no settings of its own and no durable commits, and ends with the process.
 */
export function sharedPostgres(): Promise<SharedPostgres> {
  shared ??= start();
  return shared;
}

async function start(): Promise<SharedPostgres> {
  const { url, newDatabase } = await startPostgres({
    settings: { fsync: "off", full_page_writes: "off", synchronous_commit: "off" },
  });
  let template: Promise<string> | undefined;
  const migrated = async () => {
    const address = await newDatabase();
    await (await openPostgres(address, { timeouts: patientTimeouts })).close();
    return new URL(address).pathname.slice(1);
  };
  return {
    url,
    newDatabase,
    async newMigratedDatabase() {
      template ??= migrated();
      return newDatabase(await template);
    },
  };
}
