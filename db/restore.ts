/** Replaces the contents of a database with a backup. */
import { closeSync, existsSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  backUp,
  keptName,
  type OnStage,
  removeUnfinished,
  removeWithCompanions,
  unfinishedName,
} from "./backup.ts";
import { copyBetween } from "./copy/index.ts";
import { postgresTarget, requirePostgresUnused } from "./dialects/postgres/copy.ts";
import { openPostgres } from "./dialects/postgres/index.ts";
import {
  copySqliteFile,
  overwriteSqliteFile,
  removeTransientRows,
  requireSound,
  requireUnused,
  syncToDisk,
} from "./dialects/sqlite/backup.ts";
import { sqliteSource } from "./dialects/sqlite/copy.ts";
import { openSqlite } from "./dialects/sqlite/index.ts";
import { addMediaFiles, dropMediaFiles, restoreMediaFiles } from "./dialects/sqlite/media-files.ts";
import { openSqliteReaderOfAnyVersion } from "./dialects/sqlite/reader.ts";
import { Failure } from "./failure.ts";
import { databaseFile, isPostgresUrl } from "./index.ts";
import { isFolderOf } from "./media-folder-owner.ts";
import { makePrivate } from "./private-files.ts";
import { databaseIdFile } from "./types.ts";

interface RestoreOptions {
  /** Whether existing contents may be replaced. */
  replaces?: boolean;
  /** Milliseconds since 1970, for the name of the file that keeps it. */
  now: number;
  /** The folder for the files of images; without it they are left out. */
  mediaFolder?: string | undefined;
  onStage?: OnStage | undefined;
}

/**
 * Restores the backup `file` to the database at `url`, in one transaction.
 * `file` is an absolute path. Cut short anywhere, the database holds all of the old or all of the new. Rejects with a
 * `Failure`, and has changed nothing, when the backup is not sound, when another program uses the database, or when
 * it holds users or posts and these may not be replaced.
 *
 * Sessions are not restored: among them would be those that have been logged out since. Neither are mails, which may
 * have been sent since.
 *
 * A folder of images that belonged to the replaced database belongs to the restored one. Another database's stays its
 * own, so a start refuses it.
 *
 * Resolves to the backup of the replaced database, if there was one.
 */
export async function restore(
  url: string,
  file: string,
  options: RestoreOptions,
): Promise<string | undefined> {
  const { onStage = () => {} } = options;
  onStage("checking", 0, 1);
  await requireSound(file);
  makePrivate(file); // such as one made by hand
  onStage("checking", 1, 1);
  const mediaFolder = options.mediaFolder;
  const wasOwnFolder = mediaFolder !== undefined && (await isFolderOf(url, mediaFolder));
  const kept = await (isPostgresUrl(url)
    ? restorePostgres(url, file, options)
    : restoreSqlite(databaseFile(url), file, options));
  // The restored database claims the folder when a server starts on it.
  if (wasOwnFolder) rmSync(join(mediaFolder, databaseIdFile), { force: true });
  return kept;
}

async function restorePostgres(
  url: string,
  file: string,
  { replaces = false, now, mediaFolder, onStage }: RestoreOptions,
): Promise<string | undefined> {
  const holdsSomething = await holdsUsersOrPosts(url);
  if (holdsSomething && !replaces) throw holdsABlogAlready();
  await requirePostgresUnused(url);
  const kept = holdsSomething ? keptName(join(dirname(file), "weir.db"), "restore", now) : undefined;
  if (kept) await backUp(url, kept, { isChecked: false, mediaFolder });
  if (mediaFolder) restoreMediaFiles(file, mediaFolder);
  const folder = mkdtempSync(join(tmpdir(), "weir-restore-"));
  try {
    // Brought up to date where it is not, which leaves the backup as it is.
    const upToDate = join(folder, "weir.db");
    await copySqliteFile(file, upToDate);
    await openSqlite(`file:${upToDate}`).close();
    removeTransientRows(upToDate);
    const source = sqliteSource(`file:${upToDate}`);
    try {
      const target = await postgresTarget(url, { replaces: true });
      try {
        await copyBetween(source, target, { onProgress: onStage });
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return kept;
}

async function holdsUsersOrPosts(url: string): Promise<boolean> {
  const database = await openPostgres(url);
  try {
    return !(await database.users.isFirst()) || (await database.posts.recent(1)).length > 0;
  } finally {
    await database.close();
  }
}

async function restoreSqlite(
  target: string,
  file: string,
  { replaces = false, now, mediaFolder, onStage = () => {} }: RestoreOptions,
): Promise<string | undefined> {
  if (target === file) throw new Failure("That is the database itself.");
  const holdsSomething = existsSync(target) && statSync(target).size > 0 && holdsABlog(target);
  if (holdsSomething && !replaces) throw holdsABlogAlready();
  const kept = holdsSomething ? keptName(target, "restore", now) : undefined;
  requireUnused(target);
  if (kept) await keep(target, kept, mediaFolder);
  // Before the database: files that no row names do no harm.
  if (mediaFolder) restoreMediaFiles(file, mediaFolder);
  removeUnfinished(target);
  const unfinished = unfinishedName(target);
  try {
    // The sessions end in a copy: even if this process is killed, none of them gets into the database.
    closeSync(openSync(unfinished, "wx", 0o600)); // private from the first byte on
    await copySqliteFile(file, unfinished);
    removeTransientRows(unfinished);
    dropMediaFiles(unfinished);
    await overwriteSqliteFile(unfinished, target, (done, total) => onStage("copying", done, total));
  } finally {
    removeWithCompanions(unfinished);
  }
  await requireSound(target);
  return kept;
}

function holdsABlogAlready(): Failure {
  return new Failure(
    "The database holds users or posts already; --force replaces them, and keeps what there is in a file beside.",
  );
}

/** Whether there is any user or post, or something unreadable. */
function holdsABlog(target: string): boolean {
  try {
    const { sqlite, state } = openSqliteReaderOfAnyVersion(target);
    try {
      const anything = "select exists (select 1 from users) or exists (select 1 from posts)";
      return state.applied === 0 || sqlite.prepare<[], number>(anything).pluck().get() === 1;
    } finally {
      sqlite.close();
    }
  } catch {
    return true;
  }
}

/**
 * Copies an unused file as it is, sound or not.
 * One that is not a database is moved.
 */
async function keep(target: string, kept: string, mediaFolder: string | undefined): Promise<void> {
  if (isDatabase(target)) {
    try {
      closeSync(openSync(kept, "wx", 0o600)); // private from the first byte on
      await copySqliteFile(target, kept);
      if (mediaFolder) addMediaFiles(kept, mediaFolder, () => {});
      syncToDisk(kept);
    } catch (error) {
      // No room, for example. The database stays as it is.
      rmSync(kept, { force: true });
      throw error;
    }
  } else {
    renameSync(target, kept);
    makePrivate(kept);
  }
  syncToDisk(dirname(kept));
}

function isDatabase(file: string): boolean {
  try {
    openSqliteReaderOfAnyVersion(file).sqlite.close();
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
