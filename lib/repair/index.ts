/**
 * Repairs rows that a clock ahead or a change by hand has left in a database.
 * From its other rows (`npm run doctor -- --repair`).
 *
 * It takes `now` for the time: with a clock that is behind, it would date the whole blog back. So the command compares the
 * clock with a date that a person gives.
 *
 * A post is mended in one transaction, other rows in batches, so a server may run meanwhile. An event that was dated to
 * the future happened now at the latest; its real time is lost.
 */
import { aheadMs, pastColumns } from "../../db/future-times.ts";
import type { Database } from "../../db/index.ts";
import type { TallySettings } from "../ratings/tally/tally.ts";
import { type MendedPost, mendPost } from "./mend-post.ts";

export type { MendedPost };

/** Mended with their posts. */
const ofPosts = new Set(["posts", "ratings", "flood_windows", "window_decisions"]);
/** Records by their time, which say nothing without it. */
export const records: ReadonlySet<string> = new Set(["attempts", "attempt_counts", "shadow_counts"]);
const batch = 500;

export interface RepairOptions {
  now: number;
  scoring: TallySettings;
  newAccountMs: number;
  /** Posts whose counters disagree with their ratings. */
  miscounted: readonly number[];
  onProgress: (stage: string, done: number, total: number) => void;
}

export interface RepairReport {
  posts: MendedPost[];
  /**
   * The number of rows dated to now, or removed, such as `users.created_at`.
   * Of other tables than posts.
   */
  dated: Record<string, number>;
  removed: Record<string, number>;
}

export async function repair(
  database: Database,
  { now, scoring, newAccountMs, miscounted, onProgress }: RepairOptions,
): Promise<RepairReport> {
  const { repairs } = database;
  const after = now + aheadMs;
  const report: RepairReport = { posts: [], dated: {}, removed: {} };
  const others = pastColumns.filter(({ table }) => !ofPosts.has(table));
  for (const [index, { table, columns, expiry }] of others.entries()) {
    onProgress("records", index, others.length);
    for (const column of columns) {
      const isRecord = records.has(table);
      const step = () =>
        isRecord
          ? repairs.removeAfter(table, column, after, batch)
          : repairs.clampToNow(
              { table, column, expiry: column === "created_at" ? expiry : undefined },
              after,
              now,
              batch,
            );
      const found = await repairs.countAfter(table, column, after);
      for (let done = 0; done < found; done += batch) await database.transaction(step);
      if (found > 0) report[isRecord ? "removed" : "dated"][`${table}.${column}`] = found;
    }
  }
  await database.transaction(async () => {
    await repairs.clampWaiting(now + newAccountMs);
    await repairs.removeLimitCountsAfter(after);
  });
  const postIds = [...new Set([...(await repairs.postsAfter(after)), ...miscounted])].sort((a, b) => a - b);
  for (const [index, postId] of postIds.entries()) {
    onProgress("posts", index, postIds.length);
    const mended = await mendPost(database, postId, now, scoring);
    if (mended) report.posts.push(mended);
  }
  return report;
}
