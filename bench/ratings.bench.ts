/**
 * What a rating through `lib/ratings` costs, beside the same statements on bare better-sqlite3: find, decide, save
 * the limiter's state, record the attempt, write the rating, move the counters, commit.
 *
 * Each side has a file of its own on disk, of the same tables, with the app's pragmas (WAL, synchronous=FULL), and
 * gets the same ratings by the same users at the same simulated times; at the end both files must hold the same. The
 * limiter is the default one, on, with a bucket so large that it never refuses (LEAKY_BUCKET_CAPACITY); the second
 * limit, of one person's ratings, is off, so that both sides keep one state.
 *
 * A commit waits for the disk, and that takes most of the time on either side. What the layers cost by themselves
 * shows in the lines that do not wait (synchronous=OFF), which have no target.
 */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { openSqlite, type SqliteDatabase } from "../db/dialects/sqlite/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { createRating, type RatingRequest, updateRating } from "../lib/ratings/index.ts";
import { scores } from "../lib/ratings/scores.ts";
import { scoringFrom } from "../lib/ratings/scoring.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { addPost, addUsers, fill, inFolder, morning } from "./databases.ts";
import { inTurns, ratioOf, speedOf } from "./measure.ts";
import { type RawRating, rawRatings } from "./raw-rating.ts";
import type { Figure } from "./table.ts";

export const title = "A rating through lib/ratings / the same statements in raw better-sqlite3 (speed)";

const rounds = 40;
const bucket = { capacity: 1_000_000, leakPerSecond: 10 };
const slug = "rated";

// The bare side holds no floods.
const settings = parseSettings({
  RATING_FLOODS: "count",
  LEAKY_BUCKET_CAPACITY: String(bucket.capacity),
  LIMITS: '{"rating.user": {"mode": "off"}, "rating.change": {"mode": "off"}}',
});
const limits = limitsFrom(settings);
const scoring = scoringFrom(settings);

export function run(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const [appFile, rawFile] = ["app.db", "raw.db"].map((name) => join(folder, name)) as [string, string];
    await prepare(appFile);
    await prepare(rawFile);
    const app = openSqlite(`file:${appFile}`);
    const raw = new Sqlite(rawFile);
    raw.pragma("journal_mode = WAL");
    raw.pragma("synchronous = FULL");
    raw.pragma("foreign_keys = ON");

    const durable = await compare(app, raw, { firstUser: 1, ratingsPerRound: 50 });
    for (const sqlite of [app.sqlite, raw]) sqlite.pragma("synchronous = OFF");
    const unawaited = await compare(app, raw, { firstUser: 10_001, ratingsPerRound: 500 });
    requireSame(app.sqlite, raw);
    await app.close();
    raw.close();
    return [
      { name: "create", value: durable.create, target: { atLeast: 0.6 } },
      { name: "update", value: durable.update, target: { atLeast: 0.6 } },
      { name: "create, not waiting for the disk", value: unawaited.create },
      { name: "update, not waiting for the disk", value: unawaited.update },
    ];
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

/** All first ratings, of users from `firstUser` on, and then a change of each. */
async function compare(
  app: SqliteDatabase,
  raw: Sqlite.Database,
  { firstUser, ratingsPerRound }: { firstUser: number; ratingsPerRound: number },
) {
  const saveRaw = rawRatings(raw, bucket);
  // The app's clock is read, and what that costs counts; but it stands still, so that both sides write the same times.
  const guard = createGuard({ database: app, clock: () => performance.now() * 0 });
  const saveInApp = async ({ verb, now, userId, score }: RawRating) => {
    const user = { id: userId, username: `user-${userId}` };
    const request: RatingRequest = { slug, user, address: "192.0.2.1", input: { score }, now };
    const rate = verb === "create" ? createRating : updateRating;
    const { kind } = await rate({ database: app, limits, guard, scoring }, request);
    if (kind !== "saved" && kind !== "held") throw new Error(`The rating was not saved: ${kind}`);
  };
  const side = (save: (rating: RawRating) => void | Promise<void>, verb: RawRating["verb"]) => {
    let userId = firstUser;
    // One a millisecond. The changes come later than all first ratings.
    let now = morning + firstUser * 2 + (verb === "update" ? ratingsPerRound * (rounds + 1) : 0);
    return () =>
      speedOf(ratingsPerRound, () => {
        const saved = save({ verb, slug, userId, score: scores[now % 6] ?? 0, now });
        userId += 1;
        now += 1;
        return saved;
      });
  };
  const creations = await inTurns(rounds, { app: side(saveInApp, "create"), raw: side(saveRaw, "create") });
  const updates = await inTurns(rounds, { app: side(saveInApp, "update"), raw: side(saveRaw, "update") });
  return { create: ratioOf(creations.app, creations.raw), update: ratioOf(updates.app, updates.raw) };
}

/** Throws when the two sides have not written the same: then they have not been compared. */
function requireSame(app: Sqlite.Database, raw: Sqlite.Database): void {
  for (const table of ["posts", "ratings", "attempts", "attempt_counts", "limiter_states"]) {
    const [inApp, inRaw] = [app, raw].map((sqlite) =>
      JSON.stringify(sqlite.prepare(`select * from ${table} order by 1, 2, 3`).all()),
    );
    if (inApp !== inRaw) throw new Error(`The two sides have written different ${table}.`);
  }
}
