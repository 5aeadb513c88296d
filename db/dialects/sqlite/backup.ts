/**
 * Copies whole files with SQLite's own means, page by page.
 * Others may read and write the source meanwhile.
 */
import { chmodSync, closeSync, fsyncSync, openSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { Failure } from "../../failure.ts";
import { makePrivateSqliteFile } from "../../private-files.ts";
import { blogFaults } from "./check.ts";
import { openSqliteReaderOfAnyVersion, requireBlog } from "./reader.ts";

type OnPages = (donePages: number, totalPages: number) => void;

const pagesPerStep = 256;

/**
 * Copies a file, as it is now, to one that is not there yet or empty.
 * Rejects with a `Failure` when it cannot be read.
 */
export async function copySqliteFile(from: string, to: string, onPages: OnPages = () => {}): Promise<void> {
  const { sqlite } = openSqliteReaderOfAnyVersion(from);
  try {
    // Within one, writes of others do not restart the copy.
    sqlite.exec("begin");
    await copyPages(sqlite, to, onPages);
  } finally {
    sqlite.close();
  }
}

/**
 * Replaces the content of the file `to` by that of `from`, atomically.
 * One SQLite transaction does it: if it is interrupted, `to` is as it was. Rejects with a `Failure`, and changes
 * nothing, while another program has `to` open.
 */
export async function overwriteSqliteFile(
  from: string,
  to: string,
  onPages: OnPages = () => {},
): Promise<void> {
  requireUnused(to);
  const source = new Sqlite(from, { readonly: true, fileMustExist: true });
  try {
    await copyPages(source, to, onPages);
  } finally {
    source.close();
  }
}

/**
 * Ends all sessions in a file that is not open elsewhere, and empties its outbox.
 * The links in its mails end, too. Floods that are still held count as not mailed. A file of an earlier version has none of these tables.
 */
export function removeTransientRows(file: string): void {
  const sqlite = new Sqlite(file, { fileMustExist: true });
  try {
    const removals = {
      sessions: "delete from sessions",
      mails: "delete from mails",
      mail_links: "delete from mail_links",
      pending_registrations: "delete from pending_registrations",
      email_changes: "delete from email_changes",
      webhook_deliveries: "delete from webhook_deliveries",
      // The folder of images may be another one.
      media_folder: "delete from media_folder",
      // The mail may have been waiting. One that arrives twice is better than none.
      mailed_floods:
        "delete from mailed_floods where (post_id, number) in (select post_id, number from flood_windows where status = 'held')",
      decider_subscriptions: "update decider_subscriptions set seen = ''",
    };
    for (const [table, removal] of Object.entries(removals))
      if (sqlite.prepare("select 1 from sqlite_schema where name = ?").get(table)) sqlite.exec(removal);
  } finally {
    sqlite.close();
  }
}

/**
 * Makes a finished copy self-contained.
 * No other file belongs to it, it is on the disk, and only its owner can read it.
 */
export function settleSqliteFile(file: string): void {
  const sqlite = new Sqlite(file, { fileMustExist: true });
  sqlite.pragma("journal_mode = DELETE");
  sqlite.close();
  chmodSync(file, 0o600);
  syncToDisk(file);
}

/**
 * Rejects with a `Failure` unless the file is a sound blog.
 * One of an earlier version has no counters to recount.
 */
export async function requireSound(file: string): Promise<void> {
  const { sqlite, state } = openSqliteReaderOfAnyVersion(file);
  try {
    requireBlog(file, state);
    const faults = await blogFaults(sqlite, state.pending === 0);
    if (faults.length > 0) throw new Failure(`${file} is not sound: ${faults.slice(0, 5).join("; ")}.`);
  } finally {
    sqlite.close();
  }
}

/**
 * Flushes a file or a folder to the disk.
 * Flushing a folder saves its list of files.
 */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

async function copyPages(source: Sqlite.Database, to: string, onPages: OnPages): Promise<void> {
  const { totalPages } = await source.backup(to, {
    progress: (pages) => {
      onPages(pages.totalPages - pages.remainingPages, pages.totalPages);
      return pagesPerStep;
    },
  });
  // SQLite's answer when it could not begin since another process has the file.
  if (totalPages === 0) throw new Failure(`${to} is in use: nothing was written.`);
}

/**
 * Throws a `Failure` when another program has the file open.
 * An open connection, even an idle one, keeps the file in WAL mode. A file that is not a database passes.
 */
export function requireUnused(file: string): void {
  makePrivateSqliteFile(file);
  const sqlite = new Sqlite(file, { timeout: 1_000 });
  try {
    sqlite.pragma("journal_mode = DELETE");
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    if (error.code.startsWith("SQLITE_BUSY")) throw new Failure(`${file} is in use: stop the server first.`);
    if (error.code !== "SQLITE_NOTADB" && !error.code.startsWith("SQLITE_CORRUPT")) throw error;
  } finally {
    sqlite.close();
  }
}
