/**
 * Repairs rows that a clock ahead or a manual change left in a database.
 * It takes the right values from other rows (`npm run doctor -- --repair`).
 *
 * It takes `now` for the time: with a clock that is behind, it would date the whole blog back. So the command compares the
 * clock with a date that a person gives.
 *
 * A server may run meanwhile: rows are found without a lock and changed in batches with pauses between them, and a post
 * with more ratings than one transaction replays is left to the background replay. An event that was dated to the future
 * happened now at the latest; its real time is lost.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { aheadMs, dueColumns, pastColumns } from "../../db/future-times.ts";
import type { Database, TimeColumn } from "../../db/index.ts";
import type { TallySettings } from "../ratings/tally/tally.ts";
import { hourMs } from "../time/units.ts";
import { previousValidMs } from "../webhooks/manage.ts";
import { type RepairedPost, repairPost } from "./repair-post.ts";

export type { RepairedPost };

/** Repaired with their posts. */
const ofPosts = new Set(["posts", "ratings", "flood_windows", "window_decisions"]);
/** Records by their time, which mean nothing without it. */
export const records: ReadonlySet<string> = new Set(["attempts", "attempt_counts", "shadow_counts"]);
/** Rows per transaction, unless set. */
const usualBatch = 500;
/** Places in memory at a time. */
const placesMaximum = 100_000;
/** After each transaction, so that other processes find SQLite's lock free. */
const pauseMs = 20;

interface RepairOptions {
  now: number;
  scoring: TallySettings;
  newAccountMs: number;
  /** Posts whose counters disagree with their ratings. */
  miscounted: readonly number[];
  /** The most ratings of a post that are replayed at once. */
  ratingsPerTransaction?: number;
  /** Rows per transaction. */
  batch?: number;
  onProgress: (stage: string, done: number, total: number) => void;
}

export interface RepairReport {
  posts: RepairedPost[];
  /**
   * The number of rows dated to now, or removed, by column, as `users.created_at`.
   * Rows of posts are not among them.
   */
  dated: Record<string, number>;
  removed: Record<string, number>;
}

export async function repair(
  database: Database,
  {
    now,
    scoring,
    newAccountMs,
    miscounted,
    ratingsPerTransaction,
    batch = usualBatch,
    onProgress,
  }: RepairOptions,
): Promise<RepairReport> {
  const { repairs } = database;
  const after = now + aheadMs;
  const report: RepairReport = { posts: [], dated: {}, removed: {} };
  const others = pastColumns.filter(({ table }) => !ofPosts.has(table));
  for (const [index, { table, columns, expiry }] of others.entries()) {
    onProgress("records", index, others.length);
    for (const column of columns) {
      const isRecord = records.has(table);
      const time = { table, column, expiry: column === "created_at" ? expiry : undefined };
      const changed = await changeAfter(database, time, after, isRecord ? "removed" : now, batch);
      if (changed > 0) report[isRecord ? "removed" : "dated"][`${table}.${column}`] = changed;
    }
  }
  const counted = now + newAccountMs;
  await changeAfter(database, { table: "waiting_ratings", column: "counts_from" }, counted, counted, batch);
  // One that had failed and was to wait for longer is tried once more now.
  for (const { table } of dueColumns)
    await changeAfter(database, { table, column: "due_at" }, after, now, batch);
  const signsUntil = now + previousValidMs;
  await changeAfter(database, { table: "webhooks", column: "previous_until" }, signsUntil, signsUntil, batch);
  await changeAfter(
    database,
    { table: "limit_counts", column: "hour" },
    Math.floor(after / hourMs),
    "removed",
    batch,
  );
  const postIds = [...new Set([...(await repairs.postsAfter(after)), ...miscounted])].sort((a, b) => a - b);
  for (const [index, postId] of postIds.entries()) {
    onProgress("posts", index, postIds.length);
    const repaired = await repairPost(database, postId, now, scoring, {
      batch,
      pauseMs,
      ratingsPerTransaction,
    });
    if (repaired) report.posts.push(repaired);
  }
  return report;
}

/**
 * Sets the times of a column that are after `at` to `to`, or removes their rows.
 * Resolves to their number. Scans until nothing is found: a row may be moved between a scan and its change.
 */
async function changeAfter(
  { repairs, transaction }: Pick<Database, "repairs" | "transaction">,
  time: TimeColumn,
  at: number,
  to: number | "removed",
  batch: number,
): Promise<number> {
  for (let changed = 0; ; ) {
    const places = await repairs.placesAfter(time, at, placesMaximum);
    if (places.length === 0) return changed;
    for (let begin = 0; begin < places.length; begin += batch) {
      const some = places.slice(begin, begin + batch);
      changed += await transaction(() =>
        to === "removed" ? repairs.removeAfter(time, at, some) : repairs.clampTo(time, at, to, some),
      );
      await sleep(pauseMs);
    }
  }
}
