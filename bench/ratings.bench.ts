/**
 * The cost of a rating through `lib/ratings`.
 * It is compared with the same statements on bare better-sqlite3.
 *
 * Find, decide, save the limiters' states, record the attempt, write the rating, move the counters, commit: each side has
 * a file of its own on disk, of the same tables, with the app's pragmas (WAL, synchronous=FULL), and gets the same ratings
 * (`rating-sides.ts`) under the default settings; at the end both files must hold the same.
 *
 * A commit waits for the disk, and that takes most of the time on either side. The lines without that wait
 * (synchronous=OFF) show the cost of the layers by themselves; they have no target.
 *
 * Of 32 ratings at once the app has one commit, and better-sqlite3 by itself 32, as it is given them one by one: how
 * much that gains depends on how long the disk takes, which is beside it.
 */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import { addPost, addUsers, fill, inFolder } from "./databases.ts";
import { ratingSides, slug } from "./rating-sides.ts";
import { rawRatings } from "./raw-rating.ts";
import type { Figure } from "./table.ts";

export const title = "A rating through lib/ratings / the same statements in raw better-sqlite3 (speed)";

export async function run(): Promise<Figure[]> {
  const { durable, atOnce, unawaited, unawaitedAtOnce } = await compareWithRaw(40);
  return [
    { name: "create", value: durable.create, target: { atLeast: 0.6 } },
    { name: "update", value: durable.update, target: { atLeast: 0.6 } },
    { name: "create, 32 at once / one by one", value: atOnce.create, target: { atLeast: 3 } },
    { name: "update, 32 at once / one by one", value: atOnce.update, target: { atLeast: 3 } },
    {
      name: "the wait for the disk, in a rating by hand",
      value: durable.rawMs - unawaited.rawMs,
      unit: "ms",
    },
    { name: "the rest of a rating by hand", value: unawaited.rawMs, unit: "ms" },
    { name: "create, not waiting for the disk", value: unawaited.create },
    { name: "update, not waiting for the disk", value: unawaited.update },
    { name: "create, 32 at once / one by one, not waiting for the disk", value: unawaitedAtOnce.create },
    { name: "update, 32 at once / one by one, not waiting for the disk", value: unawaitedAtOnce.update },
  ];
}

/** Both sides' speeds over some rounds; throws when they have not written the same. */
export function compareWithRaw(rounds: number) {
  return inFolder(async (folder) => {
    const [appFile, rawFile] = ["app.db", "raw.db"].map((name) => join(folder, name)) as [string, string];
    await prepare(appFile);
    await prepare(rawFile);
    const app = openSqlite(`file:${appFile}`);
    const raw = new Sqlite(rawFile);
    raw.pragma("journal_mode = WAL");
    raw.pragma("synchronous = FULL");
    raw.pragma("foreign_keys = ON");

    const compare = ratingSides(app, rawRatings(raw));
    const durable = await compare(1, { rounds, perRound: 50 });
    const atOnce = await compare(5_001, { rounds, perRound: 96, atOnce: 32 });
    for (const sqlite of [app.sqlite, raw]) sqlite.pragma("synchronous = OFF");
    const unawaited = await compare(10_001, { rounds, perRound: 500 });
    const unawaitedAtOnce = await compare(31_001, { rounds, perRound: 192, atOnce: 32 });
    requireSame(app.sqlite, raw);
    await app.close();
    raw.close();
    return { durable, atOnce, unawaited, unawaitedAtOnce };
  });
}

async function prepare(file: string): Promise<void> {
  const { sqlite, close } = openSqlite(`file:${file}`);
  fill(sqlite, () => {
    addUsers(sqlite, 40_000);
    addPost(sqlite, slug);
  });
  await close();
}

/**
 * Throws when the two sides have not written the same.
 * Then they have not been compared.
 */
function requireSame(app: Sqlite.Database, raw: Sqlite.Database): void {
  for (const table of ["posts", "ratings", "attempts", "attempt_counts", "limiter_states"]) {
    const [inApp, inRaw] = [app, raw].map((sqlite) =>
      JSON.stringify(sqlite.prepare(`select * from ${table} order by 1, 2, 3`).all()),
    );
    if (inApp !== inRaw) throw new Error(`The two sides have written different ${table}.`);
  }
}
