/**
 * The two sides of a comparison: ratings through `lib/ratings`, and by hand.
 *
 * Both get the same ratings by the same users at the same simulated times: one each 100 ms, as many as a post takes
 * under the default limits. The app has its default settings. Its flood detector counts against it: the side by hand is
 * given the detector's state, computed outside the measured time.
 */
import type { Database } from "../db/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { siteBaseline } from "../lib/ratings/floods/site-baseline.ts";
import { createRating, type RatingRequest, updateRating } from "../lib/ratings/index.ts";
import { type Score, scores } from "../lib/ratings/score/score.ts";
import { scoringFrom } from "../lib/ratings/tally/scoring-settings.ts";
import { emptyTally, type Tally } from "../lib/ratings/tally/tally.ts";
import { judge } from "../lib/ratings/tally/tally-floods.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { morning } from "./databases.ts";
import { inTurns, medianOf, ratioOf, speedOf } from "./measure.ts";
import type { RawRating } from "./raw-rating.ts";

const settings = parseSettings({});
const limits = limitsFrom(settings);
const scoring = scoringFrom(settings);
const gapMs = 100;
export const slug = "rated";

/** Compares the app on a database with `saveRaw`; call it again with later users. */
export function ratingSides(app: Database, saveRaw: (rating: RawRating) => void | Promise<void>) {
  let tally: Tally = emptyTally;
  let now = morning;
  const given = new Map<number, { score: Score; at: number; window: null }>();

  function nextRating(verb: RawRating["verb"], userId: number): RawRating {
    now += gapMs;
    const score = scores[(now / gapMs) % 6] ?? 0;
    const before = given.get(userId);
    given.set(userId, { score, at: now, window: null });
    const arriving = { now, score, before, registeredAt: morning, limitedGapMs: undefined };
    tally = judge(tally, arriving, siteBaseline([]), scoring).tally;
    return { verb, slug, userId, score, now, detector: JSON.stringify(tally.detector) };
  }

  // The app's clock is read, and the cost of that counts; but it is frozen, so that both sides write the same times.
  const guard = createGuard({ database: app, clock: () => performance.now() * 0 });
  const context = { database: app, limits, guard, scoring };
  async function saveInApp({ verb, now, userId, score }: RawRating) {
    const user = { id: userId, username: `user-${userId}` };
    const request: RatingRequest = { slug, user, address: "192.0.2.1", input: { score }, now };
    const { kind } = await (verb === "create" ? createRating : updateRating)(context, request);
    if (kind !== "saved") throw new Error(`The rating was not saved: ${kind}`);
  }

  async function saveAllInApp(ratings: readonly RawRating[]) {
    await Promise.all(ratings.map(saveInApp));
  }
  async function saveAllRaw(ratings: readonly RawRating[]) {
    for (const rating of ratings) await saveRaw(rating);
  }

  /**
   * All first ratings, of users from `firstUser` on, and then a change of each.
   * The app gets them `atOnce` at a time, the other side one by one.
   */
  return async (
    firstUser: number,
    { rounds, perRound, atOnce = 1 }: { rounds: number; perRound: number; atOnce?: number },
  ) => {
    const compare = async (verb: RawRating["verb"]) => {
      const lists: RawRating[][] = [];
      const side = (saveAll: (ratings: readonly RawRating[]) => Promise<void>) => {
        let round = 0;
        return async () => {
          const first = firstUser + round * perRound;
          // The side that comes first in a round makes its ratings for both.
          const ratings =
            lists[round] ?? Array.from({ length: perRound }, (_, index) => nextRating(verb, first + index));
          lists[round] = ratings;
          round += 1;
          const groups = Array.from({ length: perRound / atOnce }, (_, index) =>
            ratings.slice(index * atOnce, (index + 1) * atOnce),
          );
          return atOnce * (await speedOf(groups.length, (index) => saveAll(groups[index] ?? [])));
        };
      };
      return inTurns(rounds, { app: side(saveAllInApp), raw: side(saveAllRaw) });
    };
    const creations = await compare("create");
    const updates = await compare("update");
    return {
      create: ratioOf(creations.app, creations.raw),
      update: ratioOf(updates.app, updates.raw),
      updatesPerSecond: updates.app,
      /** Of a creation by hand. */
      rawMs: 1_000 / medianOf(creations.raw),
    };
  };
}
