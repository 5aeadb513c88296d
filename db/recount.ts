/**
 * Whether the counters equal a count of the ratings.
 *
 * Checks every post, flood window and day, one scan each, in SQL that SQLite and PostgreSQL share.
 */

/** Runs a query and resolves to its rows, each an array. */
export type RunQuery = (text: string) => Promise<unknown[][]>;

const scores = [0, 1, 2, 3, 4, 5];
const counters = scores.map((score) => `count_${score}`).join(", ");
/** A rating as counters that take it away again. */
const taken = scores.map((score) => `case when r.score = ${score} then -1 else 0 end`).join(", ");
const window = 'r."window"';
/** Posts whose rows are being removed are left out. */
const shown = (postId: string) => `${postId} in (select id from posts where deleted_at is null)`;

const countersAndRatings = {
  post: {
    columns: "id",
    counted: `select id, ${counters} from posts where deleted_at is null`,
    ratings: `select r.post_id, ${taken} from ratings r left join flood_windows w on w.post_id = r.post_id and w.number = ${window} where (${window} is null or w.status = 'counted') and ${shown("r.post_id")}`,
  },
  window: {
    columns: "post_id, number",
    counted: `select post_id, number, ${counters} from flood_windows where ${shown("post_id")}`,
    ratings: `select r.post_id, ${window}, ${taken} from ratings r where ${window} is not null and ${shown("r.post_id")}`,
  },
  day: {
    columns: "post_id, day",
    counted: `select post_id, day, ${counters} from rating_days where ${shown("post_id")}`,
    ratings: `select r.post_id, r.created_at / 86400000, ${taken} from ratings r where ${shown("r.post_id")}`,
  },
};

/**
 * The counters that a recount disagrees with, one a line.
 * Such as `day 4, 20513: 0,0,1,0,0,0 too many`.
 */
export async function countersThatDisagree(query: RunQuery): Promise<string[]> {
  return (await disagreements(query)).map(
    ({ what, key, excess }) => `${what} ${key.join(", ")}: ${excess.join()} too many`,
  );
}

/** The posts with counters that a recount disagrees with, each at least once. */
export async function postsThatDisagree(query: RunQuery): Promise<number[]> {
  return (await disagreements(query)).flatMap(({ key }) => key.slice(0, 1));
}

async function disagreements(query: RunQuery) {
  const found: { what: string; key: number[]; excess: number[] }[] = [];
  for (const [what, { columns, counted, ratings }] of Object.entries(countersAndRatings)) {
    const sums = scores.map((score) => `sum(count_${score})`);
    const rows = await query(
      `select ${columns}, ${sums.join(", ")} from (${counted} union all ${ratings}) t group by ${columns} having ${sums.map((sum) => `${sum} <> 0`).join(" or ")} order by ${columns}`,
    );
    for (const row of rows) {
      const numbers = row.map(Number);
      found.push({ what, key: numbers.slice(0, -6), excess: numbers.slice(-6) });
    }
  }
  return found;
}
