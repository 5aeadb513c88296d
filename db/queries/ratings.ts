import { and, asc, count, desc, eq, gt, gte, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { type Counts, countColumns, countsFrom, takeCounts } from "../counts.ts";
import type { Dialect } from "../dialect.ts";
import { stateIn } from "../rows.ts";
import type { Tables } from "../schema/index.ts";
import type { Score } from "../types.ts";

const { placeholder } = sql;

const dayMs = 86_400_000;
/** Ratings moved by one statement. */
const chunkSize = 200;

type RatingRow = Tables["ratings"]["$inferSelect"];

export type RatingToSave = Pick<RatingRow, "postId" | "userId" | "score" | "window"> & { now: number };

/** A saved rating, with the fields that a withdrawal needs. */
export type SavedRating = Pick<RatingRow, "score" | "createdAt" | "window">;

/** A rating of an account that is disabled or enabled. */
export type MovableRating = Omit<RatingRow, "postId"> & {
  /** The change because of which it is moved. */
  changeId: number;
};

/**
 * Ratings.
 * A post's counters are kept by `tallies`, which follows in the same transaction.
 *
 * Statements that change something together are sent together: within a transaction they run one after the other.
 */
export function ratingQueries({
  statements,
  tables: {
    attempts,
    disabledRatings,
    floodWindows,
    formerRaters,
    limiterStates,
    ratingDays,
    ratings,
    users,
  },
  session,
  locking,
  opaque,
}: Dialect) {
  const { score } = ratings;
  const one = and(eq(ratings.postId, placeholder("postId")), eq(ratings.userId, placeholder("userId")));
  const find = statements
    .select({ score, createdAt: ratings.createdAt, updatedAt: ratings.updatedAt, window: ratings.window })
    .from(ratings)
    .where(one)
    .prepare("rating");
  const insert = statements
    .insert(ratings)
    .values({
      postId: placeholder("postId"),
      userId: placeholder("userId"),
      score: placeholder("score"),
      createdAt: placeholder("now"),
      updatedAt: placeholder("now"),
      window: placeholder("window"),
    })
    .prepare("insert rating");
  const update = statements
    .update(ratings)
    .set({
      score: sql`${placeholder("score")}`,
      updatedAt: sql`${placeholder("now")}`,
      window: sql`${placeholder("window")}`,
    })
    .where(one)
    .prepare("update rating");
  const setWindow = statements
    .update(ratings)
    .set({ window: sql`${placeholder("window")}` })
    .where(one)
    .prepare("set rating's window");
  const remove = statements.delete(ratings).where(one).prepare("remove rating");
  const anyRatedBy = statements
    .select({ postId: ratings.postId })
    .from(ratings)
    .where(eq(ratings.userId, placeholder("userId")))
    .limit(1)
    .prepare("any post rated by user");
  const recentInNoWindow = statements
    .select({ userId: ratings.userId, at: ratings.updatedAt, score, registeredAt: users.createdAt })
    .from(ratings)
    .innerJoin(users, eq(users.id, ratings.userId))
    .where(
      and(
        eq(ratings.postId, placeholder("postId")),
        isNull(ratings.window),
        ne(ratings.userId, placeholder("exceptUserId")),
      ),
    )
    // A flood's ratings come at one instant: which of them are its run-up must not depend on how they are stored.
    .orderBy(desc(ratings.updatedAt), desc(ratings.userId))
    .limit(placeholder("limit"))
    .prepare("recent ratings");

  const selectInOrder = (where: SQL) =>
    statements
      .select({ userId: ratings.userId, at: ratings.updatedAt, score })
      .from(ratings)
      .where(
        and(
          eq(ratings.postId, placeholder("postId")),
          where,
          // Written so that an index leads to the place.
          gte(ratings.updatedAt, placeholder("at")),
          or(gt(ratings.updatedAt, placeholder("at")), gt(ratings.userId, placeholder("userId"))),
        ),
      )
      .orderBy(asc(ratings.updatedAt), asc(ratings.userId))
      .limit(placeholder("limit"));
  const inNoWindowInOrder = selectInOrder(isNull(ratings.window)).prepare("ratings in no window in order");
  const inWindowInOrder = selectInOrder(eq(ratings.window, placeholder("window"))).prepare(
    "ratings in window in order",
  );

  const selectRaters = (where: SQL) =>
    statements
      .select({ at: ratings.updatedAt, registeredAt: users.createdAt, network: attempts.network })
      .from(ratings)
      .innerJoin(users, eq(users.id, ratings.userId))
      .leftJoin(
        attempts,
        and(
          eq(attempts.userId, ratings.userId),
          eq(attempts.postId, ratings.postId),
          // Written so that an index leads to the attempt that gave the rating.
          eq(attempts.minute, sql`${ratings.updatedAt} / 60000`),
          eq(attempts.at, ratings.updatedAt),
          eq(attempts.allowed, true),
        ),
      )
      .where(and(eq(ratings.postId, placeholder("postId")), where))
      .orderBy(desc(ratings.updatedAt))
      .limit(placeholder("limit"));
  const ratersInNoWindow = selectRaters(isNull(ratings.window)).prepare("raters in no window");
  const ratersInWindow = selectRaters(eq(ratings.window, placeholder("window"))).prepare("raters in window");

  const oneFormer = and(
    eq(formerRaters.postId, placeholder("postId")),
    eq(formerRaters.userId, placeholder("userId")),
  );
  const selectRater = () =>
    statements
      .select({
        registeredAt: users.createdAt,
        existing: {
          score,
          createdAt: ratings.createdAt,
          updatedAt: ratings.updatedAt,
          window: ratings.window,
        },
        former: { userId: formerRaters.userId, window: formerRaters.window },
        state: limiterStates.state,
      })
      .from(users)
      .leftJoin(ratings, and(eq(ratings.postId, opaque("postId")), eq(ratings.userId, users.id)))
      .leftJoin(
        formerRaters,
        and(eq(formerRaters.postId, opaque("postId")), eq(formerRaters.userId, users.id)),
      )
      .leftJoin(limiterStates, eq(limiterStates.key, opaque("stateKey")))
      .where(and(eq(users.id, opaque("userId")), isNull(users.deletedAt), isNull(users.disabledAt)));
  const rater = selectRater().prepare("rater");
  // Excludes transactions that would delete or disable the user.
  const lockRater = locking(selectRater(), "key share", { of: users }).prepare("lock rater");
  const removeFormer = statements.delete(formerRaters).where(oneFormer).prepare("remove former rater");
  const insertFormer = statements
    .insert(formerRaters)
    .values({
      postId: placeholder("postId"),
      userId: placeholder("userId"),
      window: placeholder("window"),
    })
    .prepare("insert former rater");

  const moveOnDay = statements
    .insert(ratingDays)
    .values({
      postId: placeholder("postId"),
      day: placeholder("day"),
      count0: placeholder("count0"),
      count1: placeholder("count1"),
      count2: placeholder("count2"),
      count3: placeholder("count3"),
      count4: placeholder("count4"),
      count5: placeholder("count5"),
    })
    .onConflictDoUpdate({
      target: [ratingDays.postId, ratingDays.day],
      set: {
        count0: sql`${ratingDays.count0} + excluded.count_0`,
        count1: sql`${ratingDays.count1} + excluded.count_1`,
        count2: sql`${ratingDays.count2} + excluded.count_2`,
        count3: sql`${ratingDays.count3} + excluded.count_3`,
        count4: sql`${ratingDays.count4} + excluded.count_4`,
        count5: sql`${ratingDays.count5} + excluded.count_5`,
      },
    })
    .prepare("move rating on its day");
  const days = statements
    .select()
    .from(ratingDays)
    .where(eq(ratingDays.postId, placeholder("postId")))
    .orderBy(asc(ratingDays.day))
    .prepare("days of post");
  const isCounted = or(isNull(ratings.window), eq(floodWindows.status, "counted"));
  const recount = statements
    .select({ score: ratings.score, count: count() })
    .from(ratings)
    .leftJoin(
      floodWindows,
      and(eq(floodWindows.postId, ratings.postId), eq(floodWindows.number, ratings.window)),
    )
    .where(and(eq(ratings.postId, placeholder("postId")), isCounted))
    .groupBy(ratings.score)
    .prepare("recount");

  function move(postId: number, givenAt: number, from: Score | null, to: Score | null) {
    const moved = countsFrom((score) => Number(to === score) - Number(from === score));
    const day = Math.floor(givenAt / dayMs);
    return session.runUnawaited(() => moveOnDay.execute({ postId, day, ...countColumns(moved) }));
  }

  /** Moves many ratings on their days at once. */
  async function moveAll(postId: number, moved: readonly MovableRating[], change: 1 | -1) {
    const byDay = Map.groupBy(moved, ({ createdAt }) => Math.floor(createdAt / dayMs));
    for (const [day, those] of byDay) {
      const counts = countsFrom((score) => change * those.filter((each) => each.score === score).length);
      await moveOnDay.execute({ postId, day, ...countColumns(counts) });
    }
  }

  const chunksOf = (moved: readonly MovableRating[]) =>
    Array.from({ length: Math.ceil(moved.length / chunkSize) }, (_, index) =>
      moved.slice(index * chunkSize, (index + 1) * chunkSize),
    );
  const rowOf = (postId: number, { userId, score, createdAt, updatedAt, window }: MovableRating) => ({
    postId,
    userId,
    score,
    createdAt,
    updatedAt,
    window,
  });

  return {
    /** Moves ratings from `ratings` to where they count nowhere. */
    async setAside(postId: number, moved: readonly MovableRating[]) {
      for (const chunk of chunksOf(moved)) {
        const ids = chunk.map(({ userId }) => userId);
        // A user who was enabled meanwhile, and rated anew, may have one there.
        await statements
          .insert(disabledRatings)
          .values(chunk.map((each) => rowOf(postId, each)))
          .onConflictDoUpdate({
            target: [disabledRatings.postId, disabledRatings.userId],
            set: {
              score: sql`excluded.score`,
              createdAt: sql`excluded.created_at`,
              updatedAt: sql`excluded.updated_at`,
              window: sql`excluded."window"`,
            },
          });
        await statements.delete(ratings).where(and(eq(ratings.postId, postId), inArray(ratings.userId, ids)));
      }
      await moveAll(postId, moved, -1);
    },
    /**
     * Moves them back, except those of users who rated or withdrew since.
     * Resolves to the restored ratings.
     */
    async restore(postId: number, moved: readonly MovableRating[]) {
      const back: MovableRating[] = [];
      for (const chunk of chunksOf(moved)) {
        const ids = chunk.map(({ userId }) => userId);
        const withdrawn = await statements
          .select({ userId: formerRaters.userId })
          .from(formerRaters)
          .where(and(eq(formerRaters.postId, postId), inArray(formerRaters.userId, ids)));
        const stay = chunk.filter(({ userId }) => !withdrawn.some((each) => each.userId === userId));
        const inserted =
          stay.length === 0
            ? []
            : await statements
                .insert(ratings)
                .values(stay.map((each) => rowOf(postId, each)))
                .onConflictDoNothing()
                .returning({ userId: ratings.userId });
        const known = new Set(inserted.map(({ userId }) => userId));
        back.push(...stay.filter(({ userId }) => known.has(userId)));
        await statements
          .delete(disabledRatings)
          .where(and(eq(disabledRatings.postId, postId), inArray(disabledRatings.userId, ids)));
      }
      await moveAll(postId, back, 1);
      return back;
    },
    find: async (postId: number, userId: number) => (await find.execute({ postId, userId }))[0],
    /**
     * A user who may act, with their rating of a post; undefined when they may not.
     *
     * `former` is the window to which a withdrawn rating returns when it is given again. `state` is the limiter state under
     * `stateKey`, not locked. In a transaction, the user is not deleted or disabled before it ends. Call it after
     * `posts.lock`, which keeps the ratings as they are.
     */
    async findRater(postId: number, userId: number, stateKey: string, now: number) {
      const found = await (session.isInTransaction() ? lockRater : rater).execute({
        postId,
        userId,
        stateKey,
      });
      const [row] = found;
      return row && { ...row, state: stateIn(row.state ?? undefined, now) };
    },
    /**
     * Saves a new rating, or one that replaces a former one.
     * When there is one already, the transaction fails.
     */
    async insert(rating: RatingToSave, { replacesFormer = false } = {}) {
      const { postId, userId } = rating;
      await Promise.all([
        session.runUnawaited(() => insert.execute({ ...rating })),
        replacesFormer ? removeFormer.execute({ postId, userId }) : undefined,
        move(postId, rating.now, null, rating.score),
      ]);
    },
    /** Replaces a rating, `from` being the old one. */
    async update(rating: RatingToSave, from: SavedRating) {
      await Promise.all([
        session.runUnawaited(() => update.execute({ ...rating })),
        move(rating.postId, from.createdAt, from.score, rating.score),
      ]);
    },
    /** Withdraws a rating, and remembers that there was one. */
    async remove(postId: number, userId: number, from: SavedRating) {
      await Promise.all([
        remove.execute({ postId, userId }),
        insertFormer.execute({ postId, userId, window: from.window }),
        move(postId, from.createdAt, from.score, null),
      ]);
    },
    /** Puts a rating in a window. */
    async setWindow(postId: number, userId: number, window: number) {
      await setWindow.execute({ postId, userId, window });
    },
    /** Removes a rating without a trace. */
    async erase(postId: number, userId: number, from: SavedRating) {
      await Promise.all([remove.execute({ postId, userId }), move(postId, from.createdAt, from.score, null)]);
    },
    /** A post that a user has rated; undefined when there is none. */
    anyRatedBy: async (userId: number) => (await anyRatedBy.execute({ userId }))[0]?.postId,
    /**
     * The ratings of a post outside all windows, latest change first.
     * Without this user's.
     */
    recentInNoWindow: (postId: number, exceptUserId: number, limit: number) =>
      recentInNoWindow.execute({ postId, exceptUserId, limit }),
    /**
     * The ratings of a post in a window, or in none (null), after a place.
     * In the order of their last change, then of their users.
     */
    inOrder: (
      postId: number,
      window: number | null,
      { at, userId }: { at: number; userId: number },
      limit: number,
    ) =>
      window === null
        ? inNoWindowInOrder.execute({ postId, at, userId, limit })
        : inWindowInOrder.execute({ postId, window, at, userId, limit }),
    /**
     * The raters of a window's latest ratings, or of those in none (null).
     * When each rated and registered, and from which network.
     */
    raters: (postId: number, window: number | null, limit: number) =>
      window === null
        ? ratersInNoWindow.execute({ postId, limit })
        : ratersInWindow.execute({ postId, window, limit }),
    /**
     * How many ratings of each score were given on each day that had any.
     * A day is a number of UTC days since 1970.
     */
    days: async (postId: number) =>
      (await days.execute({ postId }))
        .map((row) => ({ day: row.day, counts: takeCounts(row).counts }))
        .filter(({ counts }) => counts.some((some) => some > 0)),
    /**
     * The counters as a scan of the ratings finds them.
     * The post's own must equal them.
     */
    recount: async (postId: number) => counted(await recount.execute({ postId })),
  };
}

function counted(rows: readonly { score: number; count: number }[]): Counts {
  return countsFrom((score) => rows.find((row) => row.score === score)?.count ?? 0);
}
