/** One side of the comparisons of a post with many ratings and one with few. */
import type { Database } from "../db/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { createRating, updateRating, withdrawRating } from "../lib/ratings/index.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { morning } from "./databases.ts";
import { speedOf } from "./measure.ts";

export const few = 10;
const many = 1_000_000;
/** Of this many neighbouring users one has not rated. */
export const freeEvery = 11;
export const users = (many / (freeEvery - 1)) * freeEvery;

const limits = limitsFrom(
  parseSettings({
    LEAKY_BUCKET_CAPACITY: "1000000",
    LIMITS: '{"rating.user": {"mode": "off"}, "rating.change": {"mode": "off"}}',
  }),
);

/**
 * Makes a round of ratings by users spread over all that are free.
 * An update changes ratings made just before. `unmeasured` runs work whose time does not count.
 */
export function ratingSide(
  database: Database,
  {
    slug,
    verb,
    ratingsPerRound,
    userCount = users,
    unmeasured = (work) => work(),
  }: {
    slug: string;
    verb: "create" | "update";
    ratingsPerRound: number;
    userCount?: number;
    unmeasured?: (work: () => Promise<unknown>) => Promise<unknown>;
  },
): () => Promise<number> {
  const context = { database, limits, scoring: scoringDefaults, guard: createGuard({ database }) };
  const freeUsers = userCount / freeEvery;
  let now = morning + users;
  let round = 0;
  const rate = async (save: typeof createRating, userId: number, score: number) => {
    now += 1;
    const user = { id: userId, username: `user-${userId}` };
    const { kind } = await save(context, { slug, user, address: "192.0.2.1", input: { score }, now });
    if (kind !== "saved" && kind !== "held") throw new Error(`The rating was not saved: ${kind}`);
  };
  return async () => {
    // Strides of a prime number visit the free users far from each other, each once before any a second time.
    const raters = Array.from(
      { length: ratingsPerRound },
      (_, index) => freeEvery * (1 + (((round * ratingsPerRound + index) * 7_919) % freeUsers)),
    );
    round += 1;
    const rateAll = (save: typeof createRating, score: number) =>
      speedOf(ratingsPerRound, (index) => rate(save, raters[index] ?? 0, score));
    if (verb === "update") await unmeasured(() => rateAll(createRating, round % 6));
    const speed =
      verb === "create"
        ? await rateAll(createRating, round % 6)
        : await rateAll(updateRating, (round + 1) % 6);
    await unmeasured(async () => {
      for (const userId of raters)
        await withdrawRating({ database, scoring: scoringDefaults }, { slug, userId, now });
    });
    return speed;
  };
}
