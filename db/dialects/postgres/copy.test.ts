import { expect, test } from "vitest";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import { openConnection } from "./client.ts";
import { requirePostgresUnused } from "./copy.ts";

test("a database is unused when its last connection closes while this is checked", async () => {
  const url = await (await sharedPostgres()).newDatabase();
  const other = await openConnection(url, patientTimeouts.query, patientTimeouts);
  const observer = await openConnection(url, patientTimeouts.query, patientTimeouts);
  await observer.query("set application_name = 'observer'");
  const checking = requirePostgresUnused(url, Number.POSITIVE_INFINITY);
  checking.catch(() => {}); // awaited below
  const checks =
    "select 1 from pg_stat_activity where application_name = 'weir copy' and query like '%count(*)%'";
  await expect.poll(async () => (await observer.query(checks)).length).toBe(1);
  await other.end();
  await checking;
  await observer.end();
});
