/** Files and folders that only their owner can read, with any umask. */
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode } from "./error-code.ts";

/**
 * The default folder for data.
 * It holds nothing else, so an existing one is made private too.
 */
const ownFolder = "data";

/**
 * Creates a file's folder when it is absent, for its owner only.
 * Existing folders other than `data` stay as they are.
 */
export function makePrivateFolderOf(file: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (folder === resolve(/* turbopackIgnore: true */ ownFolder)) makePrivate(folder);
}

/**
 * Creates an SQLite file and its folder when absent.
 * Makes the file and its companions private. SQLite gives companions that it creates later the file's
 * own mode.
 */
export function makePrivateSqliteFile(file: string): void {
  makePrivateFolderOf(file);
  try {
    // Never opens one that exists: closing it would drop the locks that this process has on it.
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!isRefused(error)) throw error; // SQLite's error describes the file's fault
  }
  const target = targetOf(file);
  for (const ending of ["", "-wal", "-shm", "-journal"]) makePrivate(`${target}${ending}`);
}

/** The file behind symbolic links; SQLite keeps its companions beside that one. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return file;
  }
}

/**
 * Makes a file or folder private to its owner.
 * One of another user stays as it is, as does any on a system without modes.
 */
export function makePrivate(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}

const refusals = new Set(["EEXIST", "ENOENT", "EACCES", "EPERM", "EROFS", "ENOTSUP", "EINVAL"]);

function isRefused(error: unknown): boolean {
  return refusals.has(errorCode(error) ?? "");
}
