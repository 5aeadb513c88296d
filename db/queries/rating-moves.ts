/** The ratings of disabled or enabled accounts, which are moved post by post. */
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

const { placeholder } = sql;

export function ratingMoveQueries({
  statements,
  tables: { accountChanges, disabledRatings, ratings, users },
  locking,
}: Dialect) {
  const isDue = and(isNotNull(users.changeId), isNull(users.deletedAt));
  const claim = locking(
    statements
      .select({ userId: users.id, changeId: users.changeId, disabledAt: users.disabledAt })
      .from(users)
      .where(isDue)
      .orderBy(users.changeId, users.id)
      .limit(1),
    // Weaker than the locks of disabling and enabling, and no obstacle to the user's own ratings.
    "no key update",
    { skipLocked: true },
  ).prepare("claim account to change");
  const waiting = statements.select({ id: users.id }).from(users).where(isDue).limit(1).prepare("is waiting");

  /** A post's ratings to move: of disabled accounts out of `ratings`, of others back. */
  const toMove = (isDisabled: boolean) => {
    const from = isDisabled ? ratings : disabledRatings;
    const { userId, score, createdAt, updatedAt, window } = from;
    const columns = { userId, score, createdAt, updatedAt, window };
    return locking(
      statements
        .select({ ...columns, changeId: users.changeId, registeredAt: users.createdAt })
        .from(from)
        .innerJoin(users, eq(users.id, userId))
        .where(
          and(
            eq(from.postId, placeholder("postId")),
            isDue,
            isDisabled ? isNotNull(users.disabledAt) : isNull(users.disabledAt),
          ),
        )
        // The flood detector's state depends on the order of removals, in the last bits.
        .orderBy(userId),
      // Else an account that is enabled at this moment could keep a rating that was set aside just now.
      "key share",
      { of: users },
    ).prepare(`ratings to move ${isDisabled ? "out" : "back"}`);
  };
  const out = toMove(true);
  const back = toMove(false);

  return {
    /** Whether any user has ratings to be moved. */
    isWaiting: async () => (await waiting.execute()).length > 0,
    /**
     * Claims a user whose ratings are to be moved.
     * Locks the user until the transaction ends; skips users that another transaction has locked.
     */
    async claim() {
      const [row] = await claim.execute();
      if (!row || row.changeId === null) return undefined;
      return { userId: row.userId, changeId: row.changeId, isDisabled: row.disabledAt !== null };
    },
    /** A post with a rating of the user's to move. */
    async postToChange(userId: number, isDisabled: boolean) {
      const from = isDisabled ? ratings : disabledRatings;
      const [row] = await statements
        .select({ postId: from.postId })
        .from(from)
        .where(eq(from.userId, userId))
        .limit(1);
      return row?.postId;
    },
    /**
     * The ratings of a post that are to be moved the same way.
     * Their users stay unchanged until the transaction ends.
     */
    ratingsToMove: async (postId: number, isDisabled: boolean) =>
      (await (isDisabled ? out : back).execute({ postId })).flatMap(({ changeId, ...rating }) =>
        changeId === null ? [] : { ...rating, changeId },
      ),
    async addMoved(changeId: number, moved: number) {
      await statements
        .update(accountChanges)
        .set({ ratingsMoved: sql`${accountChanges.ratingsMoved} + ${moved}` })
        .where(eq(accountChanges.id, changeId));
    },
    /** Marks a user's ratings as moved, unless another change needs them moved again. */
    async end(userId: number, changeId: number) {
      await statements
        .update(users)
        .set({ changeId: null })
        .where(and(eq(users.id, userId), eq(users.changeId, changeId)));
    },
  };
}
