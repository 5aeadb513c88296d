/** Backups while ratings are being saved, and their restores: each must be whole. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { backUp } from "../../db/backup.ts";
import { openDatabase } from "../../db/index.ts";
import { restore } from "../../db/restore.ts";
import { lostRatings } from "../../testing/integrity.ts";
import { type Raters, reportedBy } from "./raters.ts";

export interface BackupResult {
  backups: number;
  /** Sound, with every rating that was acknowledged before the backup began. */
  whole: number;
  /** Ratings saved in a second meanwhile, of those that were to be sent. */
  perSecond: number;
  /** Ratings saved in a second just before, without backups and as many as possible. */
  perSecondAlone: number;
}

/** Two for each rating. */
const aloneLines = 4_000;

interface BackupSettings {
  url: string;
  folder: string;
  backups: number;
  perSecond: number;
  /** The address of an empty database to restore to. */
  emptyDatabase: () => Promise<string>;
  faultsOf: (url: string) => Promise<string[]>;
}

export async function backUpWhileRating(
  raters: Raters,
  { url, folder, backups, perSecond, emptyDatabase, faultsOf }: BackupSettings,
): Promise<BackupResult> {
  const perSecondAlone = await fastest(raters);
  const child = raters.start({ perSecond });
  let whole = 0;
  try {
    await child.printed(2 * perSecond);
    const startedAt = performance.now();
    const savedBefore = reportedBy(child.lines).acknowledged.length;
    for (let number = 1; number <= backups; number += 1) {
      const before = child.lines.length;
      const file = join(folder, `backup-${number}`);
      await backUp(url, file);
      const after = child.lines.length;
      const restored = await emptyDatabase();
      await restore(restored, file, { now: Date.now() });
      const { acknowledged, unanswered } = reportedBy(child.lines.slice(0, before));
      // A rating that was in flight, or came meanwhile, may be in it or not.
      const possible = [...unanswered, ...reportedBy(child.lines.slice(before, after)).sent];
      const database = await openDatabase(restored);
      const faults = [
        ...(await lostRatings(database, acknowledged, possible)),
        ...(await faultsOf(restored)),
      ];
      await database.close();
      for (const line of faults) console.error(`backup ${number}: ${line}`);
      if (faults.length === 0) whole += 1;
      rmSync(file);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const saved = reportedBy(child.lines).acknowledged.length - savedBefore;
    return { backups, whole, perSecond: saved / seconds, perSecondAlone };
  } finally {
    child.kill("SIGKILL");
    await child.ended;
  }
}

/** How many ratings a process saves in a second when it sends as many as possible. */
async function fastest(raters: Raters): Promise<number> {
  const child = raters.start();
  await child.printed(aloneLines / 10);
  const [linesBefore, startedAt] = [child.lines.length, performance.now()];
  await child.printed(linesBefore + aloneLines);
  const seconds = (performance.now() - startedAt) / 1_000;
  child.kill("SIGKILL");
  const { acknowledged } = reportedBy(child.lines.slice(linesBefore));
  await child.ended;
  return acknowledged.length / seconds;
}
