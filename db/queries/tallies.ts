/**
 * The data of a post's score, besides flood windows.
 * Six counters and the settled score's state.
 */
import { and, desc, eq, gte, isNull, lt, lte, sql } from "drizzle-orm";
import { type Counts, countColumns, counterColumnsOf, takeCounts } from "../counts.ts";
import type { Dialect, LockedValues } from "../dialect.ts";
import { takeSettled } from "../rows.ts";
import type { Tables } from "../schema/index.ts";
import type { DetectorState, SettledState } from "../types.ts";

const { placeholder } = sql;

export interface SavedTally {
  counts: Counts;
  settled: SettledState;
  windowCount: number;
  /** Null before the detector has seen a rating. */
  detector: DetectorState | null;
  /** When the post is due for an update even without a rating; null for never. */
  dueAt: number | null;
}

/** The values that a tally's row is saved with. */
type SavedColumns = { postId: number } & ReturnType<typeof columnsToSave>;

/** The columns of a tally. */
export type TallyRow = Pick<Tables["posts"]["$inferSelect"], keyof ReturnType<typeof savedTallyColumns>>;

/** The columns of a whole tally. */
export function savedTallyColumns(posts: Tables["posts"]) {
  const { windowCount, detector, dueAt } = posts;
  return { ...tallyColumns(posts), windowCount, detector, dueAt };
}

export function savedTallyFrom(row: TallyRow): SavedTally {
  const { counts, rest } = takeCounts(row);
  const { settled, rest: others } = takeSettled(rest);
  return { counts, settled, ...others, detector: detectorFrom(others.detector) };
}

/** The columns of the six counters and of a settled score's state. */
export function tallyColumns(posts: Tables["posts"]) {
  return {
    ...counterColumnsOf(posts),
    settledScore: posts.settledScore,
    settledVelocity: posts.settledVelocity,
    settledAt: posts.settledAt,
    raterCount: posts.raterCount,
    firstRatedAt: posts.firstRatedAt,
    lastRaterAt: posts.lastRaterAt,
  };
}

/** `lockedTallies` are by the posts' numbers. */
export function tallyQueries(
  { statements, tables: { posts }, session, ...dialect }: Dialect,
  lockedTallies: LockedValues<TallyRow>,
) {
  const ofPost = eq(posts.id, placeholder("postId"));
  const select = () => statements.select(savedTallyColumns(posts)).from(posts).where(ofPost);
  const find = select().prepare("tally");
  const lock = dialect.locking(select(), "no key update").prepare("lock tally");
  const given = (name: string) => sql`${placeholder(name)}`;
  const save = statements
    .update(posts)
    .set({
      count0: given("count0"),
      count1: given("count1"),
      count2: given("count2"),
      count3: given("count3"),
      count4: given("count4"),
      count5: given("count5"),
      settledScore: given("settledScore"),
      settledVelocity: given("settledVelocity"),
      settledAt: given("settledAt"),
      raterCount: given("raterCount"),
      firstRatedAt: given("firstRatedAt"),
      lastRaterAt: given("lastRaterAt"),
      windowCount: given("windowCount"),
      detector: given("detector"),
      dueAt: given("dueAt"),
    })
    .where(ofPost)
    .prepare("save tally");
  const saveTally = session.rowWriter<SavedColumns>({
    table: "posts",
    keyOf: ({ postId }) => postId,
    merged: (_, later) => later,
    statement: save,
  });
  const selectDue = () =>
    statements
      .select({ id: posts.id })
      .from(posts)
      .where(and(lte(posts.dueAt, dialect.opaque("now")), isNull(posts.deletedAt)))
      .orderBy(posts.dueAt)
      .limit(placeholder("limit"));
  const due = selectDue().prepare("due posts");
  const lockDue = dialect
    .locking(selectDue(), "no key update", { skipLocked: true })
    .prepare("lock due posts");

  const examples = statements
    .select({
      ...counterColumnsOf(posts),
      raters: posts.raterCount,
      firstAt: posts.firstRatedAt,
      lastRaterAt: posts.lastRaterAt,
      detector: posts.detector,
    })
    .from(posts)
    .where(
      and(
        gte(posts.ratingCount, placeholder("fewest")),
        lt(posts.firstRatedAt, placeholder("firstRatedBefore")),
        isNull(posts.deletedAt),
        sql`not exists (select 1 from posts newer where newer.author_id = posts.author_id and newer.id > posts.id and newer.rating_count >= ${placeholder("fewest")} and newer.first_rated_at < ${placeholder("firstRatedBefore")} and newer.deleted_at is null)`,
      ),
    )
    .orderBy(desc(posts.id))
    .limit(placeholder("limit"))
    .prepare("posts as examples");

  return {
    /**
     * Rejects when there is no such post.
     * In a transaction, locks the tally until it ends.
     */
    async find(postId: number): Promise<SavedTally> {
      const [row] = await (session.isInTransaction() ? lock : find).execute({ postId });
      if (!row) throw new Error(`There is no post ${postId}.`);
      return savedTallyFrom(row);
    },
    /**
     * Saves all of a tally but its windows.
     * Call it in a transaction, with the values that were read in it.
     */
    async save(postId: number, tally: SavedTally) {
      const columns = columnsToSave(tally);
      lockedTallies().set(postId, columns);
      await saveTally({ postId, ...columns });
    },
    // In the order of their numbers: two nodes that lock the same rows in different orders would deadlock.
    /**
     * Makes every post with a held window due for an update.
     * Under other settings its verdict may change.
     */
    async makeHeldDue() {
      await dialect.execute(
        sql`update posts set due_at = 0 where id in (select id from posts where id in (select post_id from flood_windows where status = 'held') and deleted_at is null order by id${dialect.lockClause("no key update")})`,
      );
    },
    /**
     * The newest post of each author, newest first, as examples of usual ratings.
     * Only posts with at least `fewest` ratings.
     */
    examples: async (wanted: { fewest: number; firstRatedBefore: number; limit: number }) =>
      (await examples.execute({ ...wanted })).map((row) => {
        const { counts, rest } = takeCounts(row);
        return { ...rest, counts, detector: detectorFrom(rest.detector) };
      }),
    /**
     * The posts due for an update by `now`, those that have waited longest first.
     * In a transaction, locks them, and skips rows that are locked.
     */
    due: async (now: number, limit: number) =>
      (await (session.isInTransaction() ? lockDue : due).execute({ now, limit })).map(({ id }) => id),
  };
}

function columnsToSave({ counts, settled, windowCount, detector, dueAt }: SavedTally) {
  return {
    ...countColumns(counts),
    settledScore: settled.score,
    settledVelocity: settled.velocity,
    settledAt: settled.at,
    raterCount: settled.raters,
    firstRatedAt: settled.firstAt,
    lastRaterAt: settled.lastRaterAt,
    windowCount,
    detector: detector && JSON.stringify(detector),
    dueAt,
  };
}

function detectorFrom(saved: string | null): DetectorState | null {
  return saved === null ? null : JSON.parse(saved);
}
