/**
 * The cost of a rating through `lib/ratings` on PostgreSQL.
 * It is compared with the same statements through postgres.js.
 *
 * As `ratings.bench.ts` for SQLite: two databases of one server, each side on one connection, with the same ratings under
 * the default settings (`rating-sides.ts`); at the end both must hold the same.
 *
 * The server is durable (fsync, synchronous_commit): a commit waits for the disk. The lines without that wait show the
 * cost of the layers by themselves; they have no target.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgres } from "../db/dialects/postgres/index.ts";
import { startPostgres } from "../scripts/cluster/start-postgres.ts";
import { medianOf } from "./measure.ts";
import { addPost, addUsers, connect, type SqlClient, setWaitForDisk } from "./nodes/databases.ts";
import { saveMeasured } from "./nodes/measured.ts";
import { ratingSides, slug } from "./rating-sides.ts";
import { rawPostgresRatings } from "./raw-postgres-rating.ts";
import type { Figure } from "./table.ts";

export const title = "A rating through lib/ratings / the same statements through postgres.js (speed)";

export async function run(): Promise<Figure[]> {
  const { durable, unawaited } = await compareWithRaw(30);
  saveMeasured({ transactionMs: 1_000 / medianOf(durable.updatesPerSecond) });
  return [
    { name: "create", value: durable.create, target: { atLeast: 0.7 } },
    { name: "update", value: durable.update, target: { atLeast: 0.7 } },
    { name: "create, not waiting for the disk", value: unawaited.create },
    { name: "update, not waiting for the disk", value: unawaited.update },
    { name: "update through lib/ratings", value: medianOf(durable.updatesPerSecond), unit: "/s" },
  ];
}

/** Both sides' speeds over some rounds; throws when they have not written the same. */
export async function compareWithRaw(rounds: number) {
  const size = { rounds, perRound: 40 };
  const server = await startPostgres();
  try {
    const [appUrl, rawUrl] = [await server.newDatabase(), await server.newDatabase()];
    // One connection, as the other side has.
    const app = await openPostgres(appUrl, { poolSize: 1 });
    await (await openPostgres(rawUrl)).close();
    const [inApp, raw] = [connect(appUrl), connect(rawUrl)];
    for (const sql of [inApp, raw]) {
      await addUsers(sql, 20_000);
      await addPost(sql, slug);
      await sql`vacuum analyze`;
    }
    const compare = ratingSides(app, rawPostgresRatings(raw));
    const durable = await compare(1, size);
    await setWaitForDisk(raw, false);
    await untilNoneWaits([inApp, raw]);
    const unawaited = await compare(10_001, size);
    await requireSame(inApp, raw);
    await Promise.all([app.close(), inApp.end(), raw.end()]);
    return { durable, unawaited };
  } finally {
    await server.stop();
  }
}

/**
 * Waits until a session has read the server's new settings.
 * It reads them between two statements, soon after they were changed.
 */
async function untilNoneWaits(clients: readonly SqlClient[]): Promise<void> {
  for (const sql of clients)
    for (;;) {
      const [row] = await sql<{ synchronous_commit: string }[]>`show synchronous_commit`;
      if (row?.synchronous_commit === "off") break;
      await sleep(10);
    }
}

/**
 * Throws when the two sides have not written the same.
 * Then they have not been compared.
 */
async function requireSame(app: SqlClient, raw: SqlClient): Promise<void> {
  for (const table of ["posts", "ratings", "rating_days", "attempts", "attempt_counts", "limiter_states"]) {
    const [inApp, inRaw] = await Promise.all(
      [app, raw].map(async (sql) => JSON.stringify(await sql`select * from ${sql(table)} order by 1, 2, 3`)),
    );
    if (inApp !== inRaw) throw new Error(`The two sides have written different ${table}.`);
  }
}
