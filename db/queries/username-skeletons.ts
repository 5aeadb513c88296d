/** Skeletons of usernames, by which lookalikes are found. */
import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

const { placeholder } = sql;

/** A username's skeletons, as written and in lower case (lib/users/usernames.ts). */
export interface Skeletons {
  usernameSkeleton: string;
  lowerCaseSkeleton: string;
}

export function usernameSkeletonQueries({ statements, tables: { users }, lockByText }: Dialect) {
  const bySkeleton = statements
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        or(
          eq(users.usernameSkeleton, placeholder("skeleton")),
          eq(users.lowerCaseSkeleton, placeholder("skeleton")),
        ),
        ne(users.id, placeholder("exceptUserId")),
      ),
    )
    .prepare("user by skeleton");

  return {
    /** Whether another user's name has this skeleton, as written or in lower case. */
    skeletonTaken: async (skeleton: string, exceptUserId = 0) =>
      (await bySkeleton.execute({ skeleton, exceptUserId })).length > 0,
    /** Locks the choice of a name with one of these skeletons for the transaction. */
    async lockSkeletons({ usernameSkeleton, lowerCaseSkeleton }: Skeletons) {
      // Sorted: two transactions that share both must not wait for each other.
      for (const skeleton of [...new Set([usernameSkeleton, lowerCaseSkeleton])].toSorted())
        await lockByText(`skeleton ${skeleton}`);
    },
    /** Users whose skeletons have not been computed, the oldest first. */
    withoutSkeleton: (limit: number) =>
      statements
        .select({ id: users.id, username: users.username })
        .from(users)
        .where(and(isNull(users.lowerCaseSkeleton), isNull(users.deletedAt)))
        .orderBy(users.id)
        .limit(limit),
    /**
     * Sets missing skeletons; existing ones stay.
     * Rejects when another user has one of them.
     */
    async setSkeletons(id: number, skeletons: Skeletons) {
      // Of two nodes that compute it at once, the second waits, and would take the first one's for a lookalike.
      await statements
        .update(users)
        .set(skeletons)
        .where(and(eq(users.id, id), isNull(users.lowerCaseSkeleton)));
    },
  };
}
