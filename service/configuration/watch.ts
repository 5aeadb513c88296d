/** Notices changes of files, however they are replaced. */
import { type FSWatcher, lstatSync, realpathSync, watch } from "node:fs";
import { dirname } from "node:path";
import {
  areSame,
  type FileFingerprints,
  type Fingerprint,
  fingerprintOf,
  isBeingReplaced,
} from "./file-fingerprints.ts";

interface FileWatcher {
  /** Reads the files now, changed or not. */
  reload(): void;
  close(): void;
}

/**
 * The debounce: how long a file must stay unchanged, in milliseconds.
 * An editor may write it in parts.
 */
const debounceMs = 50;
/** After this long a file that keeps changing is read anyway. */
const changingForMs = 300;
/** A file that is being replaced may be gone or empty for a moment. */
const goneForMs = 900;

/**
 * Watches files and calls `take` after a change.
 * `take` reads them again and resolves to the files that it read; those are watched from then on. It watches folders,
 * so that a file may be renamed, and symbolic links may be swapped. `report` gets the error of a folder that cannot be
 * watched: then only `reload` helps.
 */
export function watchFiles(
  seen: FileFingerprints,
  take: () => Promise<FileFingerprints>,
  report: (error: unknown) => void,
): FileWatcher {
  const watchers = new Map<string, FSWatcher>();
  let known = seen;
  let isClosed = false;
  let isForced = false;
  let isBusy = false;
  let changedSince: number | undefined;
  let goneSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function changed(): void {
    if (isClosed) return;
    const now = performance.now();
    changedSince ??= now;
    schedule(Math.max(0, Math.min(debounceMs, changedSince + changingForMs - now)));
  }

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), afterMs).unref();
  }

  async function check(): Promise<void> {
    // Events meanwhile are kept in changedSince, and followed up below.
    if (isBusy || isClosed) return;
    isBusy = true;
    changedSince = undefined;
    const waitMs = await takeIfChanged();
    isBusy = false;
    if (isClosed) return;
    if (isForced || changedSince !== undefined) schedule(debounceMs);
    else if (waitMs > 0) schedule(waitMs);
  }

  /** Returns in how many milliseconds to look again; 0 when there is no reason to. */
  async function takeIfChanged(): Promise<number> {
    const fingerprints = new Map<string, Fingerprint>();
    for (const file of known.keys()) fingerprints.set(file, await fingerprintOf(file, Date.now()));
    const isSame = areSame(known, fingerprints);
    if (isSame || !isBeingReplaced(fingerprints)) goneSince = undefined;
    else goneSince ??= performance.now();
    if (!isForced) {
      if (isSame) return 0;
      const goneMs = goneSince === undefined ? goneForMs : performance.now() - goneSince;
      if (goneMs < goneForMs) return goneForMs - goneMs + 1;
    }
    isForced = false;
    known = await take();
    watchFolders();
    return 0;
  }

  function watchFolders(): void {
    if (isClosed) return;
    const folders = new Set([...known.keys()].flatMap(foldersOf));
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of folders) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, changed);
        watcher.on("error", report);
        watchers.set(folder, watcher);
      } catch (error) {
        report(error);
      }
    }
  }
  watchFolders();
  // A change between reading the files and watching them.
  changed();

  return {
    reload() {
      isForced = true;
      schedule(0);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/**
 * The folders in which a change may concern the file.
 * Its own, that of its target, and those of links on its path.
 */
function foldersOf(file: string): string[] {
  const folders = [dirname(file)];
  try {
    folders.push(dirname(realpathSync(file)));
  } catch {
    // The file is gone; its return will be noticed.
  }
  for (let path = dirname(file); path !== dirname(path); path = dirname(path))
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) folders.push(dirname(path));
  return folders;
}
