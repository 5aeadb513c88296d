import { and, type Column, eq, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { stateIn } from "../rows.ts";
import type { Tables } from "../schema/index.ts";
import { disabledRatingQueries } from "./disabled-ratings.ts";
import { ratingDayQueries } from "./rating-days.ts";
import { ratingListQueries } from "./rating-lists.ts";

const { placeholder } = sql;

type RatingRow = Tables["ratings"]["$inferSelect"];

export type RatingToSave = Pick<RatingRow, "postId" | "userId" | "score" | "window"> & { now: number };

/** A saved rating, with the fields that a withdrawal needs. */
export type SavedRating = Pick<RatingRow, "score" | "createdAt" | "window">;

/**
 * Ratings.
 * A post's counters are kept by `tallies`, which follows in the same transaction.
 *
 * Statements that change something together are sent together: within a transaction they run one after the other.
 */
export function ratingQueries(dialect: Dialect) {
  const {
    statements,
    tables: { formerRaters, limiterStates, posts, ratings, users },
    session,
    locking,
    opaque,
  } = dialect;
  const ratingDays = ratingDayQueries(dialect);
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
  /** A placeholder with its column's type, which PostgreSQL needs for several rows. */
  const given = (name: string, column: Column) => sql`${sql.param(placeholder(name), column)}`;
  const update = statements
    .update(ratings)
    .set({
      score: given("score", score),
      updatedAt: given("now", ratings.updatedAt),
      window: given("window", ratings.window),
    })
    .where(
      and(
        eq(ratings.postId, given("postId", ratings.postId)),
        eq(ratings.userId, given("userId", ratings.userId)),
      ),
    )
    .prepare("update rating");
  // By the user alone: the rater's statement has the post's slug.
  const keyOf = ({ userId }: RatingToSave) => userId;
  const insertRating = session.rowWriter({ table: "ratings", keyOf, statement: insert });
  const updateRating = session.rowWriter({ table: "ratings", keyOf, statement: update });
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
  const oneFormer = and(
    eq(formerRaters.postId, placeholder("postId")),
    eq(formerRaters.userId, placeholder("userId")),
  );
  // By the slug, so that it can be sent together with the statement that locks the post.
  const ratedPost = sql`(select ${posts.id} from ${posts} where ${posts.slug} = ${opaque("slug")})`;
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
      .leftJoin(ratings, and(eq(ratings.postId, ratedPost), eq(ratings.userId, users.id)))
      .leftJoin(formerRaters, and(eq(formerRaters.postId, ratedPost), eq(formerRaters.userId, users.id)))
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

  return {
    ...ratingListQueries(dialect),
    ...disabledRatingQueries(dialect, ratingDays),
    days: ratingDays.days,
    find: async (postId: number, userId: number) => (await find.execute({ postId, userId }))[0],
    /**
     * A user who may act, with their rating of a post; undefined when they may not.
     *
     * `former` is the window to which a withdrawn rating returns when it is given again. `state` is the limiter state under
     * `stateKey`, not locked. In a transaction, the user is not deleted or disabled before it ends. Call it after
     * `posts.lock`, without a wait for that: it is sent later, and finds the ratings of the locked post.
     */
    async findRater(slug: string, userId: number, stateKey: string, now: number) {
      const written = [
        ["ratings", userId],
        ["limiter_states", stateKey],
      ] as const;
      const query = session.isInTransaction() ? lockRater : rater;
      const [row] = await session.readRows(written, () => query.execute({ slug, userId, stateKey }));
      return row && { ...row, state: stateIn(row.state ?? undefined, now) };
    },
    /**
     * Saves a new rating, or one that replaces a former one.
     * The transaction fails when the user has a rating of the post already.
     */
    async insert(rating: RatingToSave, { replacesFormer = false } = {}) {
      const { postId, userId } = rating;
      await Promise.all([
        insertRating(rating),
        replacesFormer ? removeFormer.execute({ postId, userId }) : undefined,
        ratingDays.move(postId, rating.now, null, rating.score),
      ]);
    },
    /** Replaces a rating, `from` being the old one. */
    async update(rating: RatingToSave, from: SavedRating) {
      await Promise.all([
        updateRating(rating),
        ratingDays.move(rating.postId, from.createdAt, from.score, rating.score),
      ]);
    },
    /** Withdraws a rating, and records that there was one. */
    async remove(postId: number, userId: number, from: SavedRating) {
      await Promise.all([
        remove.execute({ postId, userId }),
        insertFormer.execute({ postId, userId, window: from.window }),
        ratingDays.move(postId, from.createdAt, from.score, null),
      ]);
    },
    /** Puts a rating in a window. */
    async setWindow(postId: number, userId: number, window: number) {
      await setWindow.execute({ postId, userId, window });
    },
    /** Removes a rating without a trace. */
    async erase(postId: number, userId: number, from: SavedRating) {
      await Promise.all([
        remove.execute({ postId, userId }),
        ratingDays.move(postId, from.createdAt, from.score, null),
      ]);
    },
    /** A post that a user has rated; undefined when there is none. */
    anyRatedBy: async (userId: number) => (await anyRatedBy.execute({ userId }))[0]?.postId,
  };
}
