/** Repairs the database after the checks. */
import { Failure } from "../../db/failure.ts";
import { openDatabase } from "../../db/index.ts";
import { inspect } from "../../db/inspect.ts";
import { postsThatDisagree } from "../../db/recount.ts";
import { type MendedPost, type RepairReport, repair } from "../../lib/repair/index.ts";
import { durationMs } from "../../lib/settings/durations.ts";
import type { DoctorCheck } from "./check.ts";

const mendable = new Set(["counters", "times"]);

/** Rejects with a `Failure` when another fault has to be mended first. */
export async function repairDatabase(
  checks: readonly DoctorCheck[],
  onProgress: (stage: string, done: number, total: number) => void,
): Promise<{ report: RepairReport; lines: string[] }> {
  const first = checks.find(
    ({ name, status }) =>
      (status === "fault" && !mendable.has(name)) || (name === "migrations" && status !== "ok"),
  );
  if (first) throw new Failure(`Nothing was repaired; mend this first: ${first.name}: ${first.says}`);
  const [{ env }, { scoring }] = await Promise.all([
    import("../../lib/settings/env.ts"),
    import("../../lib/ratings/scoring-settings.ts"),
  ]);
  const inspection = await inspect(env.DATABASE_URL);
  const miscounted = await postsThatDisagree(inspection.query).finally(() => inspection.close());
  const database = await openDatabase(env.DATABASE_URL);
  try {
    const newAccountMs = durationMs(env.NEW_ACCOUNT_HOURS, "hours");
    const now = database.time();
    const report = await repair(database, { now, scoring, newAccountMs, miscounted, onProgress });
    return { report, lines: linesOf(report, now) };
  } finally {
    await database.close();
  }
}

function linesOf({ posts, dated, removed }: RepairReport, now: number): string[] {
  const at = new Date(now).toISOString();
  return [
    ...Object.entries(dated).map(([column, rows]) => `${column}: ${rows} dated to ${at}.`),
    ...Object.entries(removed).map(([column, rows]) => `${column}: ${rows} of the future removed.`),
    ...posts.map(lineOf),
    `Posts repaired: ${posts.length}.`,
    "",
  ];
}

function lineOf({ postId, dated, heldAgain, counts: [counted, recounted], score: [was, is] }: MendedPost) {
  const parts = [
    dated > 0 ? [`${dated} rows dated to now`] : [],
    heldAgain.length > 0 ? [`floods held again: ${heldAgain.join(", ")}`] : [],
    counted.join() === recounted.join() ? [] : [`counters ${counted.join()}, now ${recounted.join()}`],
    [`score ${scoreText(was)}, now ${scoreText(is)}`],
  ];
  return `post ${postId}: ${parts.flat().join("; ")}.`;
}

function scoreText(score: number | null): string {
  return score === null ? "none" : score.toFixed(3);
}
