/**
 * First ratings of a post while 200 accounts try without pause.
 * One new person rates every half second: how many are accepted and counted at the first try. Default limits, simulated
 * times. Also the activity page of a post with a million attempts, beside that of a post with a thousand.
 */
import { join } from "node:path";
import { openSqlite, type SqliteDatabase } from "../db/dialects/sqlite/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { activityOf } from "../lib/ratings/decisions/activity.ts";
import { createRating, type RatingOutcome, updateRating, withdrawRating } from "../lib/ratings/index.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { addPost, addUsers, fill, inFolder, morning } from "./databases.ts";
import { inTurns, inverseOf, ratioOf, speedOf } from "./measure.ts";
import type { Figure } from "./table.ts";

export const title = "First ratings among 200 busy accounts, accepted and counted at the first try (share)";

const busy = 200;
const people = 200;
const personEveryMs = 500;
/** The scores that people give, in turn. */
const usualScores = [5, 4, 5, 5, 3, 5, 4, 5, 2, 5, 0, 4, 5, 5, 4, 5, 1, 5, 4, 3];
const slug = "rated";
const limits = limitsFrom(parseSettings({}));

interface Site {
  database: SqliteDatabase;
  rate: (verb: typeof createRating, userId: number, now: number, score?: number) => Promise<RatingOutcome>;
}
/** One try of a busy account. */
type Act = (site: Site, userId: number, now: number) => Promise<unknown>;

const change: Act = ({ rate }, userId, now) => rate(updateRating, userId, now);
const withdrawAndRate: Act = async ({ database, rate }, userId, now) => {
  await withdrawRating({ database, scoring: scoringDefaults }, { slug, userId, now });
  return rate(createRating, userId, now);
};
const rateThenChange: Act = async (site, userId, now) => {
  const { kind } = await site.rate(createRating, userId, now);
  return kind === "already-rated" ? change(site, userId, now) : undefined;
};

export function run(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const share = (name: string, act: Act, haveRated: boolean) =>
      withSite(join(folder, `${name}.db`), (site) => acceptedShare(site, act, haveRated));
    return [
      { name: "accounts that change their ratings", value: await share("change", change, true), target },
      { name: "that withdraw and rate again", value: await share("again", withdrawAndRate, true), target },
      {
        name: "that rate for the first time, and then change",
        value: await share("first", rateThenChange, false),
        target,
      },
      {
        name: "activity page, a million attempts / a thousand (time)",
        value: await withSite(join(folder, "activity.db"), activityRatio),
        target: { below: 1.5 },
      },
    ];
  });
}

const target = { atLeast: 0.99 };

async function withSite<T>(file: string, work: (site: Site) => Promise<T>): Promise<T> {
  const database = openSqlite(`file:${file}`);
  fill(database.sqlite, () => {
    addUsers(database.sqlite, busy + people);
    addPost(database.sqlite, slug);
  });
  database.sqlite.pragma("synchronous = OFF");
  const context = {
    database,
    limits,
    scoring: scoringDefaults,
    guard: createGuard({ database, clock: () => 0 }),
  };
  const rate: Site["rate"] = (verb, userId, now, score = now % 6) => {
    const user = { id: userId, username: `user-${userId}` };
    return verb(context, { slug, user, address: "192.0.2.1", input: { score }, now });
  };
  try {
    return await work({ database, rate });
  } finally {
    await database.close();
  }
}

/** Each busy account tries once a second, while people come. */
async function acceptedShare(site: Site, act: Act, haveRated: boolean): Promise<number> {
  for (let userId = 1; haveRated && userId <= busy; userId += 1)
    await site.rate(createRating, userId, morning - (busy + 1 - userId) * 1_000);
  let accepted = 0;
  for (let person = 1; person <= people; person += 1) {
    const now = morning + person * personEveryMs;
    for (let tried = 0; tried < busy / 2; tried += 1) {
      const userId = 1 + ((tried + (person % 2) * (busy / 2)) % busy);
      await act(site, userId, now - personEveryMs + tried * 5);
    }
    const score = usualScores[person % usualScores.length];
    const { kind } = await site.rate(createRating, busy + person, now, score);
    if (kind === "saved") accepted += 1;
  }
  return accepted / people;
}

async function activityRatio({ database }: Site) {
  const few = "few";
  fill(database.sqlite, () => {
    addAttempts(database, 1, 1_000_000);
    addAttempts(database, addPost(database.sqlite, few), 1_000);
  });
  const user = { id: 1, username: "user-1", isAdministrator: true, isModerator: false };
  const read = (post: string) => () =>
    speedOf(
      20,
      async () =>
        void (await activityOf(
          { database, scoring: scoringDefaults },
          { slug: post, user, span: "month", now: morning },
        )),
    );
  const speeds = await inTurns(10, { many: read(slug), few: read(few) });
  return inverseOf(ratioOf(speeds.many, speeds.few));
}

/**
 * Attempts spread over the last thirty days.
 * Each by a user of its own minute, and counted as the app counts them.
 */
function addAttempts({ sqlite }: SqliteDatabase, postId: number, count: number): void {
  const everyMs = (30 * 86_400_000) / count;
  sqlite.exec(
    `insert into attempts (post_id, user_id, at, verb, score, allowed, policy, reason)
     with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count})
     select ${postId}, null, cast(${morning} - n * ${everyMs} as integer), 'update', n % 6, n % 2, 'rating.post',
       '{"algorithm":"leaky-bucket","neverFits":false,"level":1,"capacity":20,"leakPerSecond":10}' from number;
     insert into attempt_counts (post_id, interval_ms, begins_at, accepted, held, refused, lowest, highest)
     select post_id, 3600000, at - at % 3600000, sum(allowed), 0, sum(not allowed), 0, 20
     from attempts where post_id = ${postId} group by 3;`,
  );
}
