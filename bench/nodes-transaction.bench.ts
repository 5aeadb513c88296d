/**
 * What a rating through `lib/ratings` costs on PostgreSQL, beside the same statements by hand through postgres.js: as
 * `ratings.bench.ts` for SQLite. Two databases of one server, each side on one connection, with the same ratings by the
 * same users at the same simulated times; at the end both must hold the same.
 *
 * The server is durable (fsync, synchronous_commit): a commit waits for the disk. What the layers cost by themselves shows
 * in the lines that do not wait, which have no target.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgres } from "../db/dialects/postgres/index.ts";
import type { Database } from "../db/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { createRating, type RatingRequest, updateRating } from "../lib/ratings/index.ts";
import { scores } from "../lib/ratings/scores.ts";
import { scoringFrom } from "../lib/ratings/scoring.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { startPostgres } from "../testing/postgres-server.ts";
import { morning } from "./databases.ts";
import { inTurns, medianOf, ratioOf, speedOf } from "./measure.ts";
import { addPost, addUsers, type Client, connect, setWaitForDisk } from "./nodes/databases.ts";
import { saveMeasured } from "./nodes/measured.ts";
import { rawPostgresRatings } from "./raw-postgres-rating.ts";
import type { RawRating } from "./raw-rating.ts";
import type { Figure } from "./table.ts";

export const title = "A rating through lib/ratings / the same statements through postgres.js (speed)";

const rounds = 30;
const ratingsPerRound = 40;
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

export async function run(): Promise<Figure[]> {
  const server = await startPostgres();
  try {
    const [appUrl, rawUrl] = [await server.newDatabase(), await server.newDatabase()];
    // One connection: that is what the other side has.
    const app = await openPostgres(appUrl, { poolSize: 1 });
    await (await openPostgres(rawUrl)).close();
    const [inApp, raw] = [connect(appUrl), connect(rawUrl)];
    for (const sql of [inApp, raw]) {
      await addUsers(sql, 20_000);
      await addPost(sql, slug);
      await sql`vacuum analyze`;
    }
    const durable = await compare(app, raw, 1);
    await setWaitForDisk(raw, false);
    await untilNoneWaits([inApp, raw]);
    const unawaited = await compare(app, raw, 10_001);
    await requireSame(inApp, raw);
    saveMeasured({ transactionMs: 1_000 / medianOf(durable.updatesPerSecond) });
    await Promise.all([app.close(), inApp.end(), raw.end()]);
    return [
      { name: "create", value: durable.create, target: { atLeast: 0.7 } },
      { name: "update", value: durable.update, target: { atLeast: 0.7 } },
      { name: "create, not waiting for the disk", value: unawaited.create },
      { name: "update, not waiting for the disk", value: unawaited.update },
      { name: "update through lib/ratings", value: medianOf(durable.updatesPerSecond), unit: "/s" },
    ];
  } finally {
    await server.stop();
  }
}

/** All first ratings, of users from `firstUser` on, and then a change of each. */
async function compare(app: Database, raw: Client, firstUser: number) {
  const saveRaw = rawPostgresRatings(raw, bucket);
  // The app's clock is read, and what that costs counts; but it stands still, so that both sides write the same times.
  const guard = createGuard({ database: app, clock: () => performance.now() * 0 });
  const saveInApp = async ({ verb, now, userId, score }: RawRating) => {
    const user = { id: userId, username: `user-${userId}` };
    const request: RatingRequest = { slug, user, address: "192.0.2.1", input: { score }, now };
    const rate = verb === "create" ? createRating : updateRating;
    const { kind } = await rate({ database: app, limits, guard, scoring }, request);
    if (kind !== "saved" && kind !== "held") throw new Error(`The rating was not saved: ${kind}`);
  };
  const side = (save: (rating: RawRating) => Promise<void>, verb: RawRating["verb"]) => {
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
  return {
    create: ratioOf(creations.app, creations.raw),
    update: ratioOf(updates.app, updates.raw),
    updatesPerSecond: updates.app,
  };
}

/** A session reads the server's new settings between two statements, soon after they were changed. */
async function untilNoneWaits(clients: readonly Client[]): Promise<void> {
  for (const sql of clients)
    for (;;) {
      const [row] = await sql<{ synchronous_commit: string }[]>`show synchronous_commit`;
      if (row?.synchronous_commit === "off") break;
      await sleep(10);
    }
}

/** Throws when the two sides have not written the same: then they have not been compared. */
async function requireSame(app: Client, raw: Client): Promise<void> {
  for (const table of ["posts", "ratings", "rating_days", "attempts", "attempt_counts", "limiter_states"]) {
    const [inApp, inRaw] = await Promise.all(
      [app, raw].map(async (sql) => JSON.stringify(await sql`select * from ${sql(table)} order by 1, 2, 3`)),
    );
    if (inApp !== inRaw) throw new Error(`The two sides have written different ${table}.`);
  }
}
