import type { Inspection } from "../../inspection.ts";
import { openConnection } from "./client.ts";
import { readClock } from "./clock.ts";
import { migrationState } from "./migrate.ts";

/** A scan of all ratings may take a while. */
const queryTimeoutMs = 600_000;

const wanted = [
  {
    name: "fsync",
    wanted: ["on"],
    advice: "Without it a power failure may destroy the database: set fsync = on.",
  },
  {
    name: "synchronous_commit",
    wanted: ["on", "remote_apply"],
    advice: "A commit may be lost after it was answered: set synchronous_commit = on.",
  },
  {
    name: "full_page_writes",
    wanted: ["on"],
    advice: "A power failure may leave half of a page: set full_page_writes = on.",
  },
  { name: "server_encoding", wanted: ["UTF8"], advice: "Make the database anew, with encoding UTF8." },
  {
    name: "default_transaction_read_only",
    wanted: ["off"],
    advice: "Nothing can be saved: this is a replica, or set to read-only.",
  },
];

export async function inspectPostgres(url: string): Promise<Inspection> {
  const connection = await openConnection(url, queryTimeoutMs);
  try {
    await connection.query(
      "set application_name = 'weir doctor'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0",
    );
    const one = async (text: string) => (await connection.query(text))[0]?.[0];
    const settings = [];
    for (const setting of wanted)
      settings.push({ ...setting, value: String(await one(`select current_setting('${setting.name}')`)) });
    const inspection: Inspection = {
      version: `PostgreSQL ${await one("select current_setting('server_version')")}`,
      bytes: Number(await one("select pg_database_size(current_database())")),
      migrations: await migrationState(connection),
      settings,
      now: Number(await one(readClock)),
      soundness: {},
      query: (text) => connection.query(text),
      close: () => connection.end(),
    };
    await connection.query("begin isolation level repeatable read read only");
    return inspection;
  } catch (error) {
    await connection.end();
    throw error;
  }
}
