/**
 * Backups: one SQLite file with the whole blog, for either database.
 * With its images. It is a copy of SQLite's file, or of PostgreSQL's rows as they were at one instant. The server keeps running
 * meanwhile.
 */
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyDatabase } from "./copy/index.ts";
import { copySqliteFile, requireSound, settleSqliteFile, syncToDisk } from "./dialects/sqlite/backup.ts";
import { addMediaFiles, type BackedUpMedia } from "./dialects/sqlite/media-files.ts";
import { errorCode } from "./error-code.ts";
import { Failure } from "./failure.ts";
import { databaseFile, isPostgresUrl } from "./index.ts";

export type OnStage = (stage: string, done: number, total: number) => void;

interface BackupOptions {
  /** Whether a file of that name may be replaced. */
  replaces?: boolean;
  /**
   * Whether the backup must be sound;
   * a backup of data about to be replaced need not be.
   */
  isChecked?: boolean;
  /** The folder with the files of images; without it they are left out. */
  mediaFolder?: string | undefined;
  onStage?: OnStage | undefined;
}

/**
 * Writes a checked backup of the database at `url` to `file`.
 * `file` is an absolute path. The backup gets this name after the check: a file of that name is a whole backup.
 * Rejects with a `Failure` when there is one already, unless that may be replaced. Resolves to its figures of images.
 */
export async function backUp(
  url: string,
  file: string,
  { replaces = false, isChecked = true, mediaFolder, onStage = () => {} }: BackupOptions = {},
): Promise<BackedUpMedia> {
  if (!existsSync(dirname(file))) throw new Failure(`There is no folder ${dirname(file)}.`);
  if (!isPostgresUrl(url) && databaseFile(url) === file) throw new Failure("That is the database itself.");
  const refuse = () => new Failure(`${file} exists already; --force replaces it.`);
  if (!replaces && existsSync(file)) throw refuse();
  removeUnfinished(file);
  const unfinished = unfinishedName(file);
  try {
    closeSync(openSync(unfinished, "wx", 0o600)); // private from the first byte on
    if (isPostgresUrl(url)) await copyDatabase(url, `file:${unfinished}`, { onProgress: onStage });
    else
      await copySqliteFile(databaseFile(url), unfinished, (done, total) => onStage("copying", done, total));
    const media =
      mediaFolder === undefined
        ? { files: 0, missingImages: 0 }
        : addMediaFiles(unfinished, mediaFolder, (done, total) => onStage("images", done, total));
    onStage("checking", 0, 1);
    settleSqliteFile(unfinished);
    if (isChecked) await requireSound(unfinished);
    onStage("checking", 1, 1);
    if (replaces) renameSync(unfinished, file);
    else nameNew(unfinished, file, refuse);
    syncToDisk(dirname(file));
    return media;
  } finally {
    removeWithCompanions(unfinished);
  }
}

/** The backup's name before `step`, as `weir.db.before-restore-20260301T090000Z`. */
export function keptName(target: string, step: "repair" | "restore", now: number): string {
  return `${target}.before-${step}-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
}

/** The name of a file that this process is to put in the place of another. */
export function unfinishedName(file: string): string {
  return `${file}.unfinished-${process.pid}`;
}

/** Removes the remains of killed backups and restores to this file. */
export function removeUnfinished(file: string): void {
  const beginning = `${basename(file)}.unfinished-`;
  for (const name of readdirSync(dirname(file))) {
    const pid = name.startsWith(beginning) ? name.slice(beginning.length) : "";
    if (/^\d+$/.test(pid) && !isRunning(Number(pid))) removeWithCompanions(join(dirname(file), name));
  }
}

export function removeWithCompanions(file: string): void {
  for (const ending of ["-wal", "-shm", "-journal", ""]) rmSync(`${file}${ending}`, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Unlike a rename, this replaces nothing that has come meanwhile. */
function nameNew(unfinished: string, file: string, refuse: () => Failure): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw refuse();
    renameSync(unfinished, file); // a file system without links
  }
}
