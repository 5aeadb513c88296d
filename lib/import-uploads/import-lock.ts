/**
 * Imports run one at a time, on all nodes.
 * Whether a page, the JSON API or a command begins one: its report shows that it runs.
 */
import { Failure } from "../../db/failure.ts";
import type { Database } from "../../db/index.ts";
import { startPeriodicTask } from "../../db/periodic-task.ts";
import {
  type ImportReport,
  type ImportsFolder,
  isAnyRunning,
  newArchiveFolder,
  newReport,
  removeArchive,
  removeBrokenOff,
  writeReport,
} from "./uploads.ts";

/** How often a running import writes its report. */
export const writeEveryMs = 2_000;

/**
 * Makes a function that begins an import, unless another one is running.
 * Call it in a transaction: until that ends, no other import begins.
 */
export function createImportStart(
  folder: ImportsFolder,
  id: string,
  report: ImportReport,
): (database: Pick<Database, "accountChanges">) => Promise<boolean> {
  // The database may run a transaction twice.
  let hasBegun = false;
  return async ({ accountChanges }) => {
    // With the lock no other node reads the reports before this one is written.
    await accountChanges.lockImports();
    if (!hasBegun && (await isAnyRunning(folder, report.at))) return false;
    await removeBrokenOff(folder, report.at);
    await writeReport(folder, id, report);
    hasBegun = true;
    return true;
  };
}

/**
 * Runs the import of a command, which has no uploaded archive.
 * Fails when another import is running.
 */
export async function* runExclusively<T>(
  { database, folder }: { database: Database; folder: ImportsFolder },
  task: Pick<ImportReport, "format" | "isTrial">,
  lines: AsyncIterable<T>,
): AsyncGenerator<T> {
  const report = newReport({ ...task, at: database.time() });
  const id = await newArchiveFolder(folder);
  const begin = createImportStart(folder, id, report);
  const write = () => writeReport(folder, id, { ...report, at: database.time() });
  let stopWriting: (() => Promise<void>) | undefined;
  try {
    if (!(await database.transaction(() => begin(database))))
      throw new Failure(
        "Another import is running, or one stopped unexpectedly less than a minute ago: try again in a minute.",
      );
    stopWriting = startPeriodicTask(write, console.error, { everyMs: writeEveryMs });
    yield* lines;
  } finally {
    await stopWriting?.();
    await removeArchive(folder, id);
  }
}
