/** Undecided floods for authors and deciders, and uncounted ratings for raters. */
import type { Database, UncountedRating, UndecidedFlood } from "../../../db/index.ts";
import type { User } from "../../users/types.ts";
import { decidesOn, decisionRightOf, isDecider } from "./deciders.ts";

export type { UncountedRating };

export interface ListedFlood extends UndecidedFlood {
  /** Whether the user decides on it: an author does when no other user could. */
  mayDecide: boolean;
}

/** The most floods, and the most ratings, that are listed for a user. */
const listedFloodsMaximum = 10;

interface UndecidedFloods {
  floods: readonly ListedFlood[];
  /** Whether there are more than listed. */
  hasMore: boolean;
}

/**
 * The floods of a user's own posts that wait for a decision.
 * For deciders also the last one of each post on which they decide, those with a requested review included. One query
 * for any number of posts, and for deciders those that find their rights, once for each author.
 */
export async function undecidedFloods(
  { database }: { database: Pick<Database, "shownFloods" | "users" | "accountChanges"> },
  user: Pick<User, "id" | "isAdministrator" | "isModerator" | "lacksSecondFactor">,
): Promise<UndecidedFloods> {
  const all = isDecider(user);
  const found = await database.shownFloods.undecidedFor(user, { all, limit: listedFloodsMaximum + 1 });
  const listed = found.slice(0, listedFloodsMaximum);
  const authors = all ? [...new Set(listed.map(({ authorId }) => authorId))] : [];
  const rightAt = async (authorId: number) =>
    [authorId, await decisionRightOf(database, { authorId }, user)] as const;
  const rights = new Map(await Promise.all(authors.map(rightAt)));
  return {
    floods: listed
      .map((flood) => ({ ...flood, mayDecide: decidesOn(rights.get(flood.authorId) ?? null, flood.window) }))
      .filter(({ authorId, mayDecide }) => authorId === user.id || mayDecide),
    hasMore: found.length > listedFloodsMaximum,
  };
}

/** The user's latest ratings that do not count because of their flood. */
export function uncountedRatingsOf(
  { database }: { database: Pick<Database, "shownFloods"> },
  user: Pick<User, "id" | "isAdministrator">,
): Promise<UncountedRating[]> {
  return database.shownFloods.uncountedOf(user, listedFloodsMaximum);
}
