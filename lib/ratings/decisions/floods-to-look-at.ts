/** Floods of which authors and deciders are told, and ratings of which raters are. */
import type { Database, FloodToLookAt, UncountedRating } from "../../../db/index.ts";
import type { User } from "../../users/types.ts";
import { isDecider } from "./deciders.ts";

export type { FloodToLookAt, UncountedRating };

/** The most floods, and the most ratings, that are listed for a user. */
export const toLookAtMaximum = 10;

export interface FloodsToLookAt {
  floods: readonly FloodToLookAt[];
  /** Whether there are more than listed. */
  hasMore: boolean;
}

/**
 * The floods of a user's own posts that wait for a decision.
 * For deciders those of all posts, also with a requested review. One query, for any number of posts.
 */
export async function floodsToLookAt(
  { database }: { database: Pick<Database, "shownFloods"> },
  user: User,
): Promise<FloodsToLookAt> {
  const all = isDecider(user) && !user.lacksSecondFactor;
  const found = await database.shownFloods.toLookAt(user.id, { all, limit: toLookAtMaximum + 1 });
  return { floods: found.slice(0, toLookAtMaximum), hasMore: found.length > toLookAtMaximum };
}

/** The user's latest ratings that do not count because of their flood. */
export function uncountedRatingsOf(
  { database }: { database: Pick<Database, "shownFloods"> },
  { id }: Pick<User, "id">,
): Promise<UncountedRating[]> {
  return database.shownFloods.uncountedOf(id, toLookAtMaximum);
}
