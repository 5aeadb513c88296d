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
  /** Ratings saved in a second meanwhile. */
  perSecond: number;
}

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
      // Of those that were under way or came meanwhile each may be in it or not.
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
    return { backups, whole, perSecond: saved / seconds };
  } finally {
    child.kill("SIGKILL");
    await child.ended;
  }
}
