/**
 * The files of images within a backup.
 * They are in a table of its own, a row for each file. So a backup is one file, and no restored blog lacks its images.
 */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { Failure } from "../../failure.ts";
import { imageFileName, imageFilesIn, readIfExists, sha256, writeImageFile } from "../../image-files.ts";
import { syncToDisk } from "./backup.ts";

const table = "media_files";

export interface BackedUpMedia {
  files: number;
  /** How many images have a row and no file. */
  missingImages: number;
}

/** Adds the files of all images that a backup has rows of. */
export function addMediaFiles(
  backup: string,
  folder: string,
  onFile: (done: number, total: number) => void,
): BackedUpMedia {
  const sqlite = new Sqlite(backup, { fileMustExist: true });
  try {
    sqlite.exec(`drop table if exists ${table}`);
    if (!hasTable(sqlite, "media")) return { files: 0, missingImages: 0 };
    // A backup that is cut short is thrown away.
    sqlite.pragma("journal_mode = MEMORY");
    sqlite.exec(
      `create table ${table} (name text primary key not null, sha256 text not null, bytes blob not null)`,
    );
    const images = new Set(sqlite.prepare<[], string>("select name from media").pluck().all());
    const files = imageFilesIn(folder).filter((name) => images.has(imageFileName.exec(name)?.[1] ?? ""));
    const insert = sqlite.prepare(`insert into ${table} values (?, ?, ?)`);
    let added = 0;
    const found = new Set<string>();
    for (const [index, name] of files.entries()) {
      onFile(index, files.length);
      const bytes = readIfExists(join(folder, name));
      if (!bytes) continue; // removed meanwhile
      insert.run(name, sha256(bytes), bytes);
      found.add(imageFileName.exec(name)?.[1] ?? "");
      added += 1;
    }
    return { files: added, missingImages: images.size - found.size };
  } finally {
    sqlite.close();
  }
}

/**
 * Writes the files in a backup to the folder of images; it may hold others.
 * Throws a `Failure` when a file in the backup is damaged.
 */
export function restoreMediaFiles(backup: string, folder: string): void {
  const sqlite = new Sqlite(backup, { readonly: true, fileMustExist: true });
  try {
    if (!hasTable(sqlite, table)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const rows = sqlite.prepare<[], { name: string; sha256: string; bytes: Buffer }>(
      `select name, sha256, bytes from ${table} order by name`,
    );
    for (const { name, sha256: expected, bytes } of rows.iterate()) {
      if (!imageFileName.test(name) || sha256(bytes) !== expected)
        throw new Failure(`${backup} is not sound: the image file ${name} in it is damaged.`);
      // Files never change. One of another size was cut short.
      const there = statSync(join(folder, name), { throwIfNoEntry: false });
      if (there?.size !== bytes.length) writeImageFile(folder, name, bytes);
    }
    syncToDisk(folder);
  } finally {
    sqlite.close();
  }
}

/** Takes the files of images out of a copy of a backup that becomes a database. */
export function dropMediaFiles(file: string): void {
  const sqlite = new Sqlite(file, { fileMustExist: true });
  try {
    if (!hasTable(sqlite, table)) return;
    sqlite.exec(`drop table ${table}`);
    sqlite.exec("vacuum");
  } finally {
    sqlite.close();
  }
}

function hasTable(sqlite: Sqlite.Database, name: string): boolean {
  return (
    sqlite.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined
  );
}
