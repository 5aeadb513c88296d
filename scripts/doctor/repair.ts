/** Repairs the database after the checks. */
import { backUp, keptName } from "../../db/backup.ts";
import { Failure } from "../../db/failure.ts";
import { dateText, futureTimes } from "../../db/future-times.ts";
import { commandTimeouts, databaseFile, isPostgresUrl, openDatabase } from "../../db/index.ts";
import { type Inspection, inspect } from "../../db/inspect.ts";
import { countersThatDisagree, postsThatDisagree } from "../../db/recount.ts";
import { type RepairedPost, type RepairReport, records, repair } from "../../lib/repair/index.ts";
import { durationMs } from "../../lib/settings/durations.ts";
import { dayMs } from "../../lib/time/units.ts";
import { fileFrom } from "../operation.ts";
import type { DoctorCheck } from "./check.ts";

const repairable = new Set(["counters", "times"]);

interface RepairOutcome {
  /** Null where nothing was repaired. */
  report: RepairReport | null;
  lines: string[];
}

/**
 * Repairs the database; without a date, only reports the changes.
 *
 * `today` is the start of the day, in UTC, that a person gives: the rows of a year look the same whether the clock that
 * wrote them was a year ahead, or the clock of now is a year behind. A backup is made before. Rejects with a `Failure`
 * when the clock is of another day, or when there is another fault, which comes first.
 */
export async function repairDatabase(
  checks: readonly DoctorCheck[],
  today: number | undefined,
  onProgress: (stage: string, done: number, total: number) => void,
): Promise<RepairOutcome> {
  const first = checks.find(
    ({ name, status }) =>
      (status === "fault" && !repairable.has(name)) || (name === "migrations" && status !== "ok"),
  );
  if (first) throw new Failure(`Nothing was repaired; fix this first: ${first.name}: ${first.finding}`);
  const [{ env }, { scoring }] = await Promise.all([
    import("../../lib/settings/env.ts"),
    import("../../lib/ratings/tally/scoring-settings.ts"),
  ]);
  const inspection = await inspect(env.DATABASE_URL);
  let miscounted: number[];
  try {
    if (today === undefined) return { report: null, lines: await plan(inspection) };
    requireDay(inspection.now, today);
    miscounted = await postsThatDisagree(inspection.query);
  } finally {
    await inspection.close();
  }
  const kept = keptName(
    isPostgresUrl(env.DATABASE_URL) ? fileFrom("weir.db") : databaseFile(env.DATABASE_URL),
    "repair",
    inspection.now,
  );
  // Its counters may be wrong: the repair is for them.
  await backUp(env.DATABASE_URL, kept, { isChecked: false, onStage: onProgress });
  const database = await openDatabase(env.DATABASE_URL, { timeouts: commandTimeouts });
  try {
    const newAccountMs = durationMs(env.NEW_ACCOUNT_HOURS, "hours");
    const now = database.time();
    const report = await repair(database, { now, scoring, newAccountMs, miscounted, onProgress });
    return { report, lines: [`The database as it was is in ${kept}.`, ...linesOf(report, now)] };
  } finally {
    await database.close();
  }
}

function requireDay(now: number, today: number): void {
  const days = Math.floor((now - today) / dayMs);
  if (Math.abs(days) > 1)
    throw new Failure(
      `Nothing was repaired. It is ${dateText(now)} by the clock, and --today is ${dateText(today).slice(0, 10)}: set the clock right before.`,
    );
}

/** The changes of a repair at the clock's time, and how to permit it. */
async function plan({ query, now }: Inspection): Promise<string[]> {
  const [found, counters, [trusted]] = [
    await futureTimes(query, now),
    await countersThatDisagree(query),
    await query("select at from trusted_time"),
  ];
  const trustedAt = trusted ? ` The last time that a server trusted is ${dateText(Number(trusted[0]))}.` : "";
  return [
    ...found.map((line) => {
      const isRecord = records.has(line.slice(0, line.indexOf(".")));
      return `${line}, would be ${isRecord ? "removed" : `dated to ${dateText(now)} at the latest`}.`;
    }),
    ...counters.map((line) => `${line}: would be counted anew.`),
    `Nothing was repaired. It is ${dateText(now)} by the clock.${trustedAt}`,
    "If the clock is right, repeat this with --today and the date (UTC), as in --today 2026-03-01. If not, set it right: a repair takes what was written after its time for wrong.",
    "",
  ];
}

function linesOf({ posts, dated, removed }: RepairReport, now: number): string[] {
  const at = dateText(now);
  return [
    ...Object.entries(dated).map(([column, rows]) => `${column}: ${rows} dated to ${at}.`),
    ...Object.entries(removed).map(([column, rows]) => `${column}: ${rows} of the future removed.`),
    ...posts.map(lineOf),
    `Posts repaired: ${posts.length}.`,
    "",
  ];
}

function lineOf({ postId, dated, heldAgain, counts: [counted, recounted], score, isReplayed }: RepairedPost) {
  const [was, is] = score.map(scoreText);
  const parts = [
    dated > 0 ? [`${dated} rows dated to now`] : [],
    heldAgain.length > 0 ? [`floods held again: ${heldAgain.join(", ")}`] : [],
    counted.join() === recounted.join() ? [] : [`counters ${counted.join()}, now ${recounted.join()}`],
    [`score ${was}, ${isReplayed ? `now ${is}` : "which a running server recalculates"}`],
  ];
  return `post ${postId}: ${parts.flat().join("; ")}.`;
}

function scoreText(score: number | null): string {
  return score === null ? "none" : score.toFixed(3);
}
